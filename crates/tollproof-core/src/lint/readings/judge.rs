//! Effects of readings on a document: findings of their own, and findings of words that they take back.

use crate::checks::context::Context;
use crate::checks::{Place, Trail, Violation};
use crate::facts::Facts;
use crate::facts::readings::KnownAnswer;
use crate::facts::seen::AddressUse;
use crate::finding::{Finding, Severity};
use crate::lint::linter::Linter;
use crate::lint::readings::asked::{AskedQuestion, AskedText, asked};
use crate::lint::readings::read_use::ReadUse;
use crate::lint::readings::request::ReadRequest;
use crate::lint::readings::verdict::AnswerVerdict;
use crate::lint::render;
use crate::lint::requests::each_request;
use crate::provider::detect::KindHint;
use crate::redact::PersonalData;
use crate::rule::Rule;
use crate::syntax::message::{Message, message};
use crate::syntax::{Parsed, SourceDocument};

/// A question with an answer that can be believed.
struct ReadQuestion<'a> {
    asked: AskedQuestion<'a>,
    answer: &'a KnownAnswer,
    verdict: AnswerVerdict,
}

impl Linter {
    /// Builds the requests to a reader about the requests in a text: one a draft, with the questions that `facts` have no
    /// answer to, or with all of them. Personal data is replaced by placeholders.
    pub fn read_requests(
        &self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        facts: &Facts,
        all: bool,
    ) -> Vec<ReadRequest> {
        let mut requests = Vec::new();
        self.each_read_request(parsed, hint, facts, all, &mut |request| requests.push(request));
        requests
    }

    /// As [`Linter::read_requests`], one after the other, so that only those that are kept take memory.
    pub fn each_read_request(
        &self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        facts: &Facts,
        all: bool,
        see: &mut dyn FnMut(ReadRequest),
    ) {
        each_request(parsed, hint, facts, &mut |document, kind, root, environment| {
            let context = self.context(document.source(), root, kind, environment);
            let asked: Vec<_> = self.asked(&context).collect();
            let open = |asked: &AskedQuestion<'_>| all || read(asked, facts).is_none();
            let mut words = Vec::new();
            self.judge(document, Vec::new(), &context, &mut words);
            words.retain(|finding| {
                let is_error = finding.severity.min(self.level_of(finding)) == Severity::Error;
                is_error && finding.read_by.is_none()
            });
            let is_error = |asked: &AskedQuestion<'_>| words.iter().any(|error| self.is_about(error, asked));
            // Where a document is broken, its contact may be missing, whose name must not leave.
            if let Some(personal) = PersonalData::of(document) {
                see(ReadRequest::new(&asked, open, is_error, &personal));
            }
        });
    }

    /// Checks the requests in a text by readings alone: without what words say, and with each answer that is a defect.
    pub fn check_readings(
        &self,
        parsed: &Parsed<'_>,
        hint: KindHint,
        facts: &Facts,
    ) -> (Vec<Finding>, ReadUse) {
        let (mut findings, mut used) = (Vec::new(), ReadUse::default());
        each_request(parsed, hint, facts, &mut |document, kind, root, environment| {
            let context = self.context(document.source(), root, kind, environment);
            let mut of_document = Vec::new();
            used.add(&self.judge_by_readings(document, &context, |_| false, &mut of_document));
            findings.append(&mut of_document);
        });
        (findings, used)
    }

    /// The questions of the rules that run.
    fn asked<'a>(&'a self, context: &Context<'a>) -> impl DoubleEndedIterator<Item = AskedQuestion<'a>> {
        let rules = self.rules().iter().zip(self.running());
        asked(rules.filter(|(_, runs)| **runs).map(|(rule, _)| rule), context)
    }

    /// Adds what readings found, and takes back what they deny. One defect is one finding.
    pub(in crate::lint) fn judge_by_readings(
        &self,
        document: SourceDocument<'_>,
        context: &Context<'_>,
        is_refused: impl Fn(&str) -> bool,
        findings: &mut Vec<Finding>,
    ) -> ReadUse {
        let facts = context.environment.facts;
        let (mut used, mut all, mut open) = (ReadUse::default(), Vec::new(), Vec::new());
        let needs_questions =
            !facts.readings.is_empty() || findings.iter().any(|finding| self.is_unsure(finding));
        // Whether there is a question is soonest told from the end: the last ones have hardly any conditions.
        let asked = self.asked(context);
        let asked: Vec<_> = if needs_questions { asked.collect() } else { asked.rev().take(1).collect() };
        for asked in asked {
            match read(&asked, facts) {
                Some((answer, verdict)) => {
                    used.note(answer.at);
                    all.push(ReadQuestion { asked, answer, verdict });
                }
                None => open.push(asked),
            }
        }
        let is_unread = !open.is_empty();
        used.read = usize::from(!is_unread && !all.is_empty());
        used.unread = usize::from(is_unread);
        used.taken_back = self.take_back(&all, &open, facts.readings.lower_errors(), findings);
        let mut found: Vec<(&ReadQuestion<'_>, Finding)> = Vec::new();
        for read in
            all.iter().filter(|question| question.verdict.is_defect && !is_refused(question.pointer()))
        {
            found.push((read, read.finding(document, context)));
        }
        for (at, (read, finding)) in found.iter().enumerate() {
            let severity = self.level_of(finding);
            let replaces = |(other_at, (other, it)): (usize, &(&ReadQuestion<'_>, Finding))| {
                // Of two questions that leave it to each other, the first one reports.
                read.leaves_to(other)
                    && (!other.leaves_to(read) || other_at < at)
                    && self.level_of(it) >= severity
            };
            if found.iter().enumerate().any(replaces) {
                continue;
            }
            let same = |other: &Finding| {
                self.is_of(other, &read.asked, |of_rule| of_rule.iter().any(|rule| read.names(rule)))
            };
            if findings.iter().any(|finding| same(finding) && self.level_of(finding) >= severity) {
                continue;
            }
            findings.retain(|it| !same(it));
            findings.push(finding.clone());
        }
        self.name_questions(&open, findings);
        let rule = self.rule_of_missing_readings().filter(|rule| self.runs(rule));
        findings.extend(rule.filter(|_| is_unread || self.is_unread_by_others(context)).map(|rule| {
            let place = Place { node: Some(context.root), trail: Trail::ROOT, field: "", role: "" };
            render::finding(rule, Violation::default(), &place, document, Some(context))
        }));
        used
    }

    /// Whether a question has no answer whose rule a selection of rules leaves out.
    fn is_unread_by_others(&self, context: &Context<'_>) -> bool {
        let rules = self.rules().iter().filter(|rule| rule.enabled && !self.config().select.is_empty());
        asked(rules, context).any(|asked| read(&asked, context.environment.facts).is_none())
    }

    /// Whether a finding is a warning or info of words, which a reader may know better.
    fn is_unsure(&self, finding: &Finding) -> bool {
        let is_sure = finding.read_by.is_some() || self.level_of(finding) == Severity::Error;
        !is_sure && self.concepts_of_words(finding).is_some()
    }

    /// Says in unsure findings of words which of the open questions would settle them.
    fn name_questions(&self, open: &[AskedQuestion<'_>], findings: &mut [Finding]) {
        for finding in findings.iter_mut().filter(|finding| self.is_unsure(finding)) {
            let mut about = open.iter().filter(|asked| self.is_about(finding, asked));
            let of_rule = about.clone().find(|asked| *asked.rule.id == *finding.rule);
            let Some(asked) = of_rule.or_else(|| about.next()) else { continue };
            let help = finding.help.take().unwrap_or_default();
            let parts = [("help", help), ("question", Message::name(asked.question.id))];
            let template = "{help} If you disagree, ask a reader: `tollproof read` (question `{question}`).";
            finding.help = Some(Message::with(template, &parts));
        }
    }

    /// Takes back warnings and infos of words whose defects are all denied for sure, and lowers errors where a denial quotes
    /// what shows it. Returns how many.
    fn take_back(
        &self,
        all: &[ReadQuestion<'_>],
        open: &[AskedQuestion<'_>],
        lower_errors: bool,
        findings: &mut Vec<Finding>,
    ) -> usize {
        let mut count = 0;
        findings.retain_mut(|finding| {
            let Some(concepts) = self.concepts_of_words(finding) else { return true };
            let pages = self.pages_of(finding);
            // The question that denies a defect; none if another one does not, or has no answer.
            let denial = |concept: &&str| {
                let is_about = |asked: &AskedQuestion<'_>| {
                    asked.concepts.contains(concept) && asked.is_about_pages(pages)
                };
                let mut about = all.iter().filter(|read| is_about(&read.asked));
                if open.iter().any(is_about) || !about.clone().all(|read| read.verdict.is_denial) {
                    return None;
                }
                about.rfind(|read| read.asked.has_field_of(finding, pages))
            };
            let Some(denials) = concepts.iter().map(denial).collect::<Option<Vec<_>>>() else { return true };
            let quoted = denials.iter().filter_map(|read| Some((read, read.quote()?))).next_back();
            // An error of a level that the user sets is one too, and no reading lowers that.
            let is_error = self.level_of(finding) == Severity::Error;
            let is_own = finding.severity == Severity::Error;
            if !is_error {
                count += 1;
                return false;
            }
            let all_quote = denials.iter().all(|read| read.quote().is_some());
            if let Some((read, quote)) = quoted.filter(|_| all_quote && lower_errors && is_own) {
                count += 1;
                finding.severity = Severity::Warning;
                finding.label = Some(message!("denied by {}", Message::name(&*read.answer.reader)));
                finding.help = Some(message!(
                    "A reader disagrees because of `{}`. If the reader is right, make the text clearer.",
                    quote
                ));
            }
            true
        });
        count
    }

    /// The severity that a finding has with the user's levels.
    fn level_of(&self, finding: &Finding) -> Severity {
        self.rule(&finding.rule).map_or(finding.severity, |rule| {
            let given = self.selection.apply_level(rule, finding.severity);
            if finding.read_by.is_some() { given.min(finding.severity) } else { given }
        })
    }

    /// Whether a finding is one of words about a field of a question, and the concepts of its rule are as `fits` says.
    fn is_of(&self, finding: &Finding, asked: &AskedQuestion<'_>, fits: impl Fn(&[&str]) -> bool) -> bool {
        let has_field = || asked.has_field_of(finding, self.pages_of(finding));
        self.concepts_of_words(finding).is_some_and(|concepts| fits(&concepts)) && has_field()
    }

    /// The uses of pages that the rule of a finding judges; `None` if it judges the draft.
    fn pages_of(&self, finding: &Finding) -> Option<&[AddressUse]> {
        self.rule(&finding.rule)?.check.content()?.pages()
    }

    /// Whether a finding is one of words about a field of a question, and about its defect.
    fn is_about(&self, finding: &Finding, asked: &AskedQuestion<'_>) -> bool {
        self.is_of(finding, asked, |of_rule| of_rule.iter().any(|concept| asked.concepts.contains(concept)))
    }

    /// The concepts of the rule of a finding that readings may replace: a rule about words that is not locked.
    fn concepts_of_words(&self, finding: &Finding) -> Option<Vec<&str>> {
        let is_of_words = |rule: &&Rule| rule.check.content().is_some_and(|it| it.is_of_words());
        let rule = self.rule(&finding.rule).filter(is_of_words).filter(|rule| !self.locks(rule))?;
        let concepts = rule.text().concepts;
        Some(if concepts.is_empty() { vec![rule.id.as_ref()] } else { concepts })
    }
}

/// The answer to a question that can be believed.
fn read<'a>(asked: &AskedQuestion<'_>, facts: &'a Facts) -> Option<(&'a KnownAnswer, AnswerVerdict)> {
    // Without readings, nothing is hashed.
    let known = (!facts.readings.is_empty()).then(|| facts.readings.answer(asked.key())).flatten()?;
    let texts = asked.texts().map(AskedText::shown);
    Some((known, AnswerVerdict::of(&asked.question, &known.answer, texts).ok()?))
}

impl ReadQuestion<'_> {
    /// Whether the defect of another question replaces the one of this.
    fn leaves_to(&self, other: &Self) -> bool {
        let id = other.asked.question.id;
        id != self.asked.question.id && self.asked.question.yields_to.contains(&id)
    }

    fn names(&self, concept: &str) -> bool {
        self.asked.concepts.contains(&concept)
    }

    /// The words that decide, if there are any.
    fn quote(&self) -> Option<String> {
        let (at, range) = self.verdict.quoted.clone()?;
        Some(self.asked.texts().nth(at)?.shown()[range].to_owned())
    }

    /// The value with the quote, or the first one that the question is about.
    fn pointer(&self) -> &str {
        let at = self.verdict.quoted.as_ref().map_or(0, |(at, _)| *at);
        self.asked.texts().nth(at).map_or("", |it| it.pointer.as_str())
    }

    fn finding(&self, document: SourceDocument<'_>, context: &Context<'_>) -> Finding {
        let Self { asked, answer, verdict } = self;
        let (at, range) = verdict.quoted.clone().map_or((0, None), |(at, range)| (at, Some(range)));
        let text = asked.texts().nth(at).expect("a question without texts is not asked");
        let place = Place {
            node: Some(text.node),
            trail: Trail::Written(&text.pointer),
            field: &text.field,
            role: "",
        };
        let page = text.page.as_ref();
        // What a value means is not in the source, and a page is where its address is.
        let is_written = std::ptr::eq(text.shown(), text.text);
        let (quote, range) = match (range, page) {
            (range, Some(page)) => (range.map_or("", |range| &text.shown()[range]), page.range.clone()),
            (Some(range), None) if is_written => (&text.text[range.clone()], Some(range)),
            (_, None) => (text.text, None),
        };
        let mut pages = page.into_iter().chain(asked.texts().filter_map(|text| text.page.as_ref()));
        let address = pages.next().map_or("", |page| page.address.as_str());
        let answers = Message::separated(answer.answer.answer.iter().map(|it| Message::own(&**it)));
        let reader = &*answer.reader;
        let label = if verdict.is_sure {
            message!("read by {}", Message::name(reader))
        } else {
            message!("read by {}, not sure", Message::name(reader))
        };
        let fills = vec![
            ("match", Message::from(quote.trim().to_owned())),
            ("answer", answers),
            ("address", Message::from(address.to_owned())),
        ];
        let filled = |template: Option<&str>| Some(render::filled(template?, &place, Some(context), &fills));
        let violation = Violation {
            message: filled(asked.question.message),
            help: filled(asked.question.help),
            span: range.map(|range| context.inner(text.node, range)),
            label: Some(label),
            fills,
            ..Violation::default()
        };
        let mut finding = render::finding(asked.rule, violation, &place, document, Some(context));
        finding.severity = match (asked.question.severity.unwrap_or(asked.rule.severity), verdict.is_sure) {
            (severity, true) => severity,
            (severity, false) => severity.min(Severity::Warning),
        };
        finding.read_by = Some(reader.to_owned());
        finding
    }
}
