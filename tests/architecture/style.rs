//! Beginnings of comments, and the names of what closures take.

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprClosure, Pat};

use super::sources;

/// Words that begin a question or a clause, and no description.
const BEGINNINGS: [&str; 8] = ["What", "Which", "Where", "Who", "Whose", "How", "When", "Why"];

/// Doc comments that begin with one of them, by file and line.
fn badly_begun(file: &str, text: &str) -> Vec<String> {
    let doc = |line: &str| {
        let line = line.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::to_owned)
    };
    let mut found = Vec::new();
    let mut before = None;
    for (index, line) in text.lines().enumerate() {
        let now = doc(line);
        let first =
            now.as_deref().filter(|_| before.is_none()).and_then(|text| text.split_whitespace().next());
        if first.is_some_and(|word| BEGINNINGS.contains(&word)) {
            found.push(format!("{file}:{}: {line}", index + 1));
        }
        before = now;
    }
    found
}

#[test]
fn doc_comments_begin_with_nouns_or_verbs() {
    assert_eq!(badly_begun("x", "/// What it is.\n/// Where it is.\nfn x() {}\n\n//! The rest.").len(), 1);
    let all = [sources("crates"), sources("tests")].concat();
    let found: Vec<String> = all.iter().flat_map(|(file, text)| badly_begun(file, text)).collect();
    assert!(found.is_empty(), "begin these with a noun or a verb:\n{}", found.join("\n"));
}

/// Finds closures that do more than one thing with an `it`.
#[derive(Default)]
struct Closures {
    found: Vec<String>,
}

/// The calls, conditions and blocks of an expression.
#[derive(Default)]
struct Steps(usize);

impl Visit<'_> for Steps {
    fn visit_expr(&mut self, expression: &Expr) {
        self.0 += usize::from(matches!(
            expression,
            Expr::Call(_)
                | Expr::MethodCall(_)
                | Expr::Macro(_)
                | Expr::Block(_)
                | Expr::If(_)
                | Expr::Match(_)
        ));
        if let Expr::Binary(binary) = expression {
            self.0 += usize::from(matches!(binary.op, BinOp::And(_) | BinOp::Or(_)));
        }
        visit::visit_expr(self, expression);
    }
}

impl Visit<'_> for Closures {
    fn visit_expr_closure(&mut self, closure: &ExprClosure) {
        let mut steps = Steps::default();
        steps.visit_expr(&closure.body);
        if closure.inputs.len() == 1 && closure.inputs.iter().any(is_it) && steps.0 > 1 {
            let body = &closure.body;
            self.found.push(quote::quote!(#body).to_string());
        }
        visit::visit_expr_closure(self, closure);
    }
}

fn is_it(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(name) => name.ident == "it",
        Pat::Reference(reference) => is_it(&reference.pat),
        Pat::Type(typed) => is_it(&typed.pat),
        _ => false,
    }
}

#[test]
fn closures_longer_than_a_call_name_what_they_take() {
    let mut found = Vec::new();
    for (file, text) in [sources("crates"), sources("tests")].concat() {
        let mut closures = Closures::default();
        closures.visit_file(&syn::parse_file(&text).unwrap_or_else(|error| panic!("{file}: {error}")));
        found.extend(closures.found.into_iter().map(|body| format!("{file}: {body}")));
    }
    assert!(found.is_empty(), "name what these take:\n{}", found.join("\n"));
}
