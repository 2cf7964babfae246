//! The languages of programs: how each writes strings and comments.

use std::path::Path;

/// A language in which programs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language(u8);

/// A row of the table of languages.
pub(super) struct LanguageSyntax {
    pub(super) extensions: &'static [&'static str],
    /// The beginnings of comments, each with its end; a comment without one ends with its line.
    pub(super) comments: &'static [(&'static str, &'static str)],
    /// The longest beginnings first.
    pub(super) quotes: &'static [Quote],
    /// Whether letters before a quotation mark change its meaning, as in `f"…"`.
    pub(super) has_prefixes: bool,
    /// Whether `/…/` may be a regular expression.
    pub(super) has_regexes: bool,
    /// The sign that joins two strings.
    pub(super) joins: &'static str,
    /// The sign that begins a text that ends with a line of its own.
    pub(super) here: Option<&'static str>,
}

/// The begin and end of a string, and what is special in it.
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) escapes: Escapes,
    pub(super) holes: Holes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escapes {
    /// `\n`, `\"`, `\u00e9`.
    Backslash,
    /// A backslash only before itself and the quotation mark.
    OfQuote,
    /// A quotation mark is written twice.
    Doubled,
    /// `` `n `` and `` `" ``.
    Backtick,
    None,
}

/// The places in a string where a program puts values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holes {
    None,
    /// `$name`, `${…}`, `$(…)`.
    Dollar,
    /// `${…}`.
    DollarBrace,
    /// `{…}`; `{{` is a brace.
    Brace,
    /// As `Brace`, if `f` precedes the quotation mark.
    BraceAfterF,
    /// `#{…}`.
    Hash,
    /// `\(…)`.
    Backslash,
}

const fn quote(open: &'static str, close: &'static str, escapes: Escapes, holes: Holes) -> Quote {
    Quote { open, close, escapes, holes }
}

const C_COMMENTS: &[(&str, &str)] = &[("//", ""), ("/*", "*/")];

const PLAIN: LanguageSyntax = LanguageSyntax {
    extensions: &[],
    comments: C_COMMENTS,
    quotes: &[
        quote("\"\"\"", "\"\"\"", Escapes::None, Holes::None),
        quote("\"", "\"", Escapes::Backslash, Holes::None),
        quote("'", "'", Escapes::Backslash, Holes::None),
    ],
    has_prefixes: false,
    has_regexes: false,
    joins: "+",
    here: None,
};

/// An object in a string of another language, whose values are put into it.
const fn inside(quotes: &'static [Quote]) -> LanguageSyntax {
    LanguageSyntax { comments: &[], quotes, ..PLAIN }
}

const LANGUAGES: [LanguageSyntax; 22] = [
    LanguageSyntax {
        extensions: &[
            "ts", "js", "mjs", "cjs", "mts", "cts", "tsx", "jsx", "gs", "vue", "svelte", "jsonc", "json5",
        ],
        quotes: &[
            quote("\"", "\"", Escapes::Backslash, Holes::None),
            quote("'", "'", Escapes::Backslash, Holes::None),
            quote("`", "`", Escapes::Backslash, Holes::DollarBrace),
        ],
        has_regexes: true,
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["py"],
        comments: &[("#", "")],
        quotes: &[
            quote("\"\"\"", "\"\"\"", Escapes::Backslash, Holes::BraceAfterF),
            quote("'''", "'''", Escapes::Backslash, Holes::BraceAfterF),
            quote("\"", "\"", Escapes::Backslash, Holes::BraceAfterF),
            quote("'", "'", Escapes::Backslash, Holes::BraceAfterF),
        ],
        has_prefixes: true,
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["sh", "bash", "zsh", "ksh", "command"],
        comments: &[("#", "")],
        quotes: &[
            quote("\"", "\"", Escapes::OfQuote, Holes::Dollar),
            quote("$'", "'", Escapes::Backslash, Holes::None),
            quote("'", "'", Escapes::None, Holes::None),
        ],
        joins: "",
        here: Some("<<"),
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["rb", "rake", "cr"],
        comments: &[("#", ""), ("\n=begin", "\n=end")],
        quotes: &[
            quote("\"", "\"", Escapes::Backslash, Holes::Hash),
            quote("'", "'", Escapes::OfQuote, Holes::None),
        ],
        here: Some("<<"),
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["go"],
        quotes: &[
            quote("\"", "\"", Escapes::Backslash, Holes::None),
            quote("`", "`", Escapes::None, Holes::None),
            quote("'", "'", Escapes::Backslash, Holes::None),
        ],
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["php"],
        comments: &[("//", ""), ("#", ""), ("/*", "*/")],
        quotes: &[
            quote("\"", "\"", Escapes::Backslash, Holes::Dollar),
            quote("'", "'", Escapes::OfQuote, Holes::None),
        ],
        joins: ".",
        here: Some("<<<"),
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["ps1", "psm1", "psd1"],
        comments: &[("<#", "#>"), ("#", "")],
        quotes: &[
            quote("@\"", "\n\"@", Escapes::Backtick, Holes::Dollar),
            quote("@'", "\n'@", Escapes::None, Holes::None),
            quote("\"", "\"", Escapes::Backtick, Holes::Dollar),
            quote("'", "'", Escapes::Doubled, Holes::None),
        ],
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["cs", "csx", "fs"],
        quotes: &[
            quote("$\"\"\"", "\"\"\"", Escapes::None, Holes::Brace),
            quote("\"\"\"", "\"\"\"", Escapes::None, Holes::None),
            quote("$@\"", "\"", Escapes::Doubled, Holes::Brace),
            quote("@$\"", "\"", Escapes::Doubled, Holes::Brace),
            quote("@\"", "\"", Escapes::Doubled, Holes::None),
            quote("$\"", "\"", Escapes::Backslash, Holes::Brace),
            quote("\"", "\"", Escapes::Backslash, Holes::None),
            quote("'", "'", Escapes::Backslash, Holes::None),
        ],
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["kt", "kts", "groovy", "gradle", "dart", "scala"],
        quotes: &[
            quote("\"\"\"", "\"\"\"", Escapes::None, Holes::Dollar),
            quote("'''", "'''", Escapes::Backslash, Holes::Dollar),
            quote("r\"", "\"", Escapes::None, Holes::None),
            quote("r'", "'", Escapes::None, Holes::None),
            quote("\"", "\"", Escapes::Backslash, Holes::Dollar),
            quote("'", "'", Escapes::Backslash, Holes::Dollar),
        ],
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["swift"],
        quotes: &[
            quote("\"\"\"", "\"\"\"", Escapes::Backslash, Holes::Backslash),
            quote("\"", "\"", Escapes::Backslash, Holes::Backslash),
        ],
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["ex", "exs"],
        comments: &[("#", "")],
        quotes: &[
            quote("\"\"\"", "\"\"\"", Escapes::Backslash, Holes::Hash),
            quote("\"", "\"", Escapes::Backslash, Holes::Hash),
            quote("'", "'", Escapes::Backslash, Holes::Hash),
        ],
        joins: "<>",
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["tf", "tfvars", "hcl"],
        comments: &[("#", ""), ("//", ""), ("/*", "*/")],
        quotes: &[quote("\"", "\"", Escapes::Backslash, Holes::DollarBrace)],
        here: Some("<<"),
        ..PLAIN
    },
    LanguageSyntax { extensions: &["java", "c", "cpp", "pl", "pm", "lua", "r", "jl"], ..PLAIN },
    LanguageSyntax {
        extensions: &["rs"],
        quotes: &[
            quote("r#\"", "\"#", Escapes::None, Holes::None),
            quote("r\"", "\"", Escapes::None, Holes::None),
            quote("\"", "\"", Escapes::Backslash, Holes::None),
        ],
        ..PLAIN
    },
    LanguageSyntax {
        extensions: &["sql"],
        comments: &[("--", ""), ("/*", "*/")],
        quotes: &[
            quote("\"", "\"", Escapes::Doubled, Holes::None),
            quote("'", "'", Escapes::Doubled, Holes::None),
        ],
        joins: "||",
        ..PLAIN
    },
    LanguageSyntax { extensions: &["ipynb"], ..PLAIN },
    LanguageSyntax { extensions: &["http", "rest"], ..PLAIN },
    LanguageSyntax { extensions: &[COLLECTION], ..PLAIN },
    inside(&[
        quote("\"", "\"", Escapes::Backslash, Holes::None),
        quote("'", "'", Escapes::Backslash, Holes::None),
    ]),
    inside(&[quote("\"", "\"", Escapes::Backslash, Holes::Dollar)]),
    inside(&[quote("\"", "\"", Escapes::Backslash, Holes::DollarBrace)]),
    inside(&[quote("\"", "\"", Escapes::Backslash, Holes::Hash)]),
];

/// The extension of collections of requests, before `.json`.
const COLLECTION: &str = "postman_collection";

/// The first of the languages of objects in strings.
const INSIDE: u8 = 18;

/// The language of commands.
const SHELL: u8 = 2;

impl Language {
    /// The language of a file by its extension.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        // Programs that keep requests export them as `name.postman_collection.json`.
        let name = path.file_name()?.to_str()?;
        if name == ".env" || name.starts_with(".env.") {
            return Some(Self(SHELL));
        }
        let stem = Path::new(path.file_stem()?).extension().filter(|extension| *extension == COLLECTION);
        Self::named(stem.or(path.extension())?.to_str()?)
    }

    /// Whether a file is a collection of requests, which is no draft, but may have some.
    pub(super) fn is_collection(path: &Path) -> bool {
        Self::of_path(path).is_some_and(|language| language.extension() == COLLECTION)
    }

    /// The first of the extensions; empty for objects in strings.
    pub(super) fn extension(self) -> &'static str {
        self.syntax().extensions.first().copied().unwrap_or_default()
    }

    /// The language with an extension, or with one of the names that are written above a block of notes.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let name = match name.to_ascii_lowercase().as_str() {
            "typescript" | "javascript" | "node" | "json" => "ts".to_owned(),
            "python" | "python3" => "py".to_owned(),
            "shell" | "console" | "curl" => "sh".to_owned(),
            "ruby" => "rb".to_owned(),
            "powershell" => "ps1".to_owned(),
            "csharp" => "cs".to_owned(),
            "golang" => "go".to_owned(),
            other => other.to_owned(),
        };
        let at = LANGUAGES.iter().position(|language| language.extensions.contains(&name.as_str()))?;
        u8::try_from(at).ok().map(Self)
    }

    /// All languages of programs, the shell first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        std::iter::once(SHELL).chain((0..INSIDE).filter(|language| *language != SHELL)).map(Self)
    }

    /// The language of a program that names its interpreter.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let first = text.lines().next().unwrap_or_default();
        let names = [("python", "py"), ("node", "js"), ("ruby", "rb"), ("php", "php"), ("sh", "sh")];
        let named = names.iter().find(|(name, _)| first.starts_with("#!") && first.contains(name));
        named.and_then(|(_, name)| Self::named(name))
    }

    /// The language of an object in a string with such holes.
    pub(super) fn inside(holes: Holes) -> Self {
        Self(
            INSIDE
                + match holes {
                    Holes::Dollar => 1,
                    Holes::DollarBrace => 2,
                    Holes::Hash => 3,
                    _ => 0,
                },
        )
    }

    /// Whether it is that of an object in a string, which has quotation marks of its own around it.
    pub(super) fn is_inside(self) -> bool {
        self.0 >= INSIDE
    }

    pub(super) fn is_shell(self) -> bool {
        self.0 == SHELL
    }

    pub(super) fn syntax(self) -> &'static LanguageSyntax {
        &LANGUAGES[usize::from(self.0)]
    }
}
