//! Provider data on a document's values: what is required, how a value is written, and what it means.

use tollproof_data::provider::forms::Form;
use tollproof_data::provider::requirement::Requirement;
use tollproof_data::provider::values::{ValueMap, ValueMeaning};

use super::aliases;
use super::kind::{Kind, Provider};
use super::schema::{FieldInfo, Need};
use crate::syntax::document::Node;

/// Whether a document has to have the fields of a requirement by its other values. An absent value fulfils no condition.
pub(crate) fn applies(requirement: &Requirement, kind: Kind, root: &Node<'_>) -> bool {
    let holds = |(role, values): &(&'static str, Vec<&'static str>)| {
        kind.values(root, role)
            .iter()
            .filter_map(|value| value.as_str())
            .any(|text| values.contains(&text.trim()))
    };
    !requirement.unless.iter().any(holds) && requirement.when.iter().all(holds)
}

impl Provider {
    /// Whether the API takes a web address without its scheme.
    pub(crate) fn takes_bare_domains(self) -> bool {
        self.0.bare_domains
    }
}

impl Kind {
    /// Requirements of the provider beyond its schema for a role, on documents of this kind that ask for a
    /// verification.
    pub(crate) fn requirements(self, role: &str) -> impl Iterator<Item = &'static Requirement> {
        let all = self.provider().0.requirements.iter();
        let is_whole = self.is_submit() && !self.is_part();
        all.filter(move |requirement| is_whole && requirement.roles.contains(&role))
    }

    /// The need of drafts of this kind for a field.
    #[must_use]
    pub fn need_of(self, field: &FieldInfo<'_>) -> Need {
        let role = self.role_at(&field.pointer);
        let requirements = role.into_iter().flat_map(|role| self.requirements(role));
        // Those with `when` are about other values of the draft. `unless` names sole proprietors, as a test shows.
        let needs =
            requirements.filter(|requirement| requirement.when.is_empty()).map(
                |requirement| match requirement.unless.is_empty() {
                    _ if requirement.by_reviewers => Need::ByReviewers,
                    true => Need::Required,
                    false => Need::UnlessSoleProprietor,
                },
            );
        if field.required { Need::Required } else { needs.into_iter().next().unwrap_or(Need::Optional) }
    }

    /// Whether a role that others take as a list is one text here.
    pub(crate) fn takes_one_text(self, role: &str) -> bool {
        let path = self.data().path(role);
        path.is_some_and(|path| !path.is_list && path.steps.iter().all(Option::is_some))
    }

    /// The notation that the provider wants for a role.
    pub(crate) fn form(self, role: &str) -> Option<Form> {
        self.provider().0.forms.iter().find(|(it, _)| *it == role).map(|(_, form)| *form)
    }

    /// The meanings of the provider's values of a role. `None` if they are those of the default provider.
    pub(crate) fn value_map(self, role: &str) -> Option<&'static ValueMap> {
        self.provider().0.values.iter().find(|it| it.role == role)
    }

    /// The meaning of a role's value by the values of the default provider.
    pub(crate) fn meaning(self, role: &str, value: &str) -> Option<&'static ValueMeaning> {
        self.value_map(role)?.meaning(value)
    }

    /// The meaning of a value of a role, or of the provider's value that was probably meant: `OTP` for two-factor codes.
    pub(crate) fn near_meaning(self, role: &str, value: &str) -> Option<&'static ValueMeaning> {
        let map = self.value_map(role)?;
        let meant = || map.meant(value, aliases::any_value(role, value));
        map.meaning(value).or_else(|| map.meaning(meant()?))
    }

    /// The value of the default provider that a value means which is not among those of the provider: `MARKETING` in a sheet
    /// is General Marketing.
    pub(crate) fn value_by_alias(self, role: &str, value: &str) -> Option<&'static str> {
        let map = self.value_map(role)?;
        map.meaning(value).is_none().then(|| aliases::any_value(role, value)).flatten()
    }

    /// The roles in whose texts the content of a role may be given as well.
    pub(crate) fn also_in(self, role: &str) -> &'static [&'static str] {
        let found = self.provider().0.also_in.iter().find(|(it, _)| *it == role);
        found.map_or(&[], |(_, others)| others.as_slice())
    }
}
