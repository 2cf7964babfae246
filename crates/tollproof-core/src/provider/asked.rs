//! What a provider's data say of a document's values: what is required, and how a value is written.

use super::forms::Form;
use super::kind::Kind;
use super::requirement::Requirement;
use crate::syntax::document::Node;

impl Requirement {
    /// Whether a document has to have the fields by its other values. An absent value fulfils no condition.
    pub(crate) fn applies(&self, kind: Kind, root: &Node<'_>) -> bool {
        let holds = |(role, values): &(&'static str, Vec<&'static str>)| {
            kind.values(root, role).iter().filter_map(|it| it.as_str()).any(|it| values.contains(&it.trim()))
        };
        !self.unless.iter().any(holds) && self.when.iter().all(holds)
    }
}

impl Kind {
    /// What the provider requires beyond its schema for a role, on documents of this kind that ask for a verification.
    pub(crate) fn requirements(self, role: &str) -> impl Iterator<Item = &'static Requirement> {
        let all = self.provider().0.requirements.iter();
        all.filter(move |it| self.is_submit() && it.roles.contains(&role))
    }

    /// The roles in whose texts the content of a role may be given as well.
    pub(crate) fn told_in(self, _role: &str) -> &'static [&'static str] {
        &[]
    }

    /// The notation that the provider wants for a role.
    pub(crate) fn form(self, role: &str) -> Option<Form> {
        self.provider().0.forms.iter().find(|(it, _)| *it == role).map(|(_, form)| *form)
    }
}
