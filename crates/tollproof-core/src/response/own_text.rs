//! The part of a pasted text that its writer says.

use tollproof_data::tables::address_line::AddressLine;

use super::codes::content_words;

/// A sentence with fewer words that say something is a greeting or a name.
pub(super) const FEW_WORDS: usize = 3;

/// The most lines with which somebody forwards a mail.
const FORWARDED_WITH: usize = 2;

/// The most lines of a signature.
const SIGNED_WITH: usize = 5;

/// A text with spaces in place of what no reviewer says: heads of mails and of tables, signatures, and a mail that is quoted, unless
/// it is forwarded. So each word stays where it is. A mail is forwarded if a line says so, or if no more than [`FORWARDED_WITH`] lines are
/// not quoted and none of them names a reason.
pub(super) fn own_text(text: &str, names_reason: impl Fn(&str) -> bool) -> String {
    let says_something =
        |line: &&str| !is_quoted(line) && !is_header(line) && content_words(line).len() >= FEW_WORDS;
    let own: Vec<&str> =
        text.lines().map(str::trim).filter(says_something).take(FORWARDED_WITH + 1).collect();
    let reads_quotes =
        text.lines().any(is_forwarding) || own.len() <= FORWARDED_WITH && !own.into_iter().any(&names_reason);
    let lines: Vec<&str> = text.split('\n').collect();
    let mut own: Vec<String> = Vec::with_capacity(lines.len());
    let (mut is_introduced, mut closing) = (false, None);
    // A mark of two hyphens is above the lines that a program adds to each mail, if the reasons are above it.
    let mark = lines.iter().position(|line| line.trim_end() == SIGNATURE);
    let mark = mark.filter(|mark| lines[..*mark].iter().any(|line| names_reason(line)));
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).map_or("", |next| next.trim());
        let said = line.trim_start_matches(['>', ' ', '\t']);
        let is_quotation = line.trim_start().starts_with('>');
        if !is_quotation && !line.trim().is_empty() {
            is_introduced = introduces(line.trim());
        }
        let said = without_speaker(said);
        closing = is_closing(said).then_some(at).or(closing);
        let may_sign = closing.is_some_and(|closing| at <= closing + SIGNED_WITH);
        let is_left_out = mark.is_some_and(|mark| at >= mark)
            || may_sign && is_of_signature(said) && !names_reason(said)
            || is_header(said.trim())
            || said.trim_start().starts_with('©')
            || is_forwarding(said)
            || is_postal(said) && !names_reason(said)
            || is_quoted(line.trim()) && !(is_quotation && (reads_quotes || is_introduced))
            || [line.trim(), next].into_iter().any(is_line_of_table)
            || is_table_head(line, next);
        let said = if is_left_out { "" } else { said };
        own.push(" ".repeat(line.len() - said.len()) + said);
    }
    own.join("\n")
}

/// Whether a line repeats an earlier mail.
fn is_quoted(line: &str) -> bool {
    line.starts_with('>')
        || line.ends_with(" wrote:")
        || line.ends_with(" a écrit :")
        || line.ends_with(" escribió:")
}

/// Whether a line says that others wrote what is quoted below it.
fn introduces(line: &str) -> bool {
    const READER: [&str; 7] = ["you", "your", "vous", "votre", "vos", "usted", "su"];
    let lower = line.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    line.ends_with(':') && !is_quoted(line) && !words.any(|word| READER.contains(&word))
}

/// The words of a line of a chat, `[10:42] Name: words`; nothing if they are the reader's own. Other lines stay whole.
fn without_speaker(line: &str) -> &str {
    const OWN: [&str; 5] = ["you", "me", "vous", "moi", "yo"];
    const LONGEST_NAME: usize = 40;
    let parts = || {
        let (time, rest) = line.strip_prefix('[')?.split_once("] ")?;
        let (name, words) = rest.split_once(": ")?;
        let is_time = time.len() < LONGEST_NAME
            && time.contains(':')
            && time.starts_with(|digit: char| digit.is_ascii_digit());
        (is_time && name.len() < LONGEST_NAME).then_some((name, words))
    };
    match parts() {
        Some((name, _)) if OWN.contains(&name.to_lowercase().as_str()) => "",
        Some((_, words)) => words,
        None => line,
    }
}

/// Whether the mail that follows a line is forwarded.
fn is_forwarding(line: &str) -> bool {
    let words = line.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let names =
        ["forwarded message", "begin forwarded message", "message transf\u{e9}r\u{e9}", "mensaje reenviado"];
    names.contains(&words.as_str())
}

/// Whether a line ends a letter: "Kind regards,", but not "With regards to your opt-in".
fn is_closing(line: &str) -> bool {
    const MOST_WORDS: usize = 5;
    const CLOSINGS: [&str; 7] =
        ["regards", "sincerely", "cordialement", "salutations", "atentamente", "cordialmente", "saludos"];
    let lower = line.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(MOST_WORDS + 1).collect();
    let ends = [words.first(), words.last()];
    words.len() <= MOST_WORDS && ends.into_iter().flatten().any(|word| CLOSINGS.contains(word))
}

/// Whether a line may be a name below a letter.
fn is_of_signature(line: &str) -> bool {
    const LONGEST: usize = 60;
    line.len() <= LONGEST && !line.trim_end().ends_with('.')
}

/// The line above a signature.
const SIGNATURE: &str = "--";

/// Whether a line is the postal address of a company, and no sentence.
fn is_postal(line: &str) -> bool {
    const SMALL_WORDS: usize = 1;
    const SHORT: usize = 3;
    let is_small = |word: &&str| word.starts_with(char::is_lowercase) && word.len() > SHORT;
    line.split_whitespace().filter(is_small).count() <= SMALL_WORDS && AddressLine::of(line.trim()).is_some()
}

/// Whether a line is one of the head of a mail.
fn is_header(line: &str) -> bool {
    const NAMES: [&str; 14] = [
        "from", "to", "cc", "sent", "date", "subject", "reply-to", "de", "à", "objet", "envoyé", "para",
        "asunto", "fecha",
    ];
    line.split_once(':').is_some_and(|(name, _)| NAMES.contains(&name.trim().to_lowercase().as_str()))
}

/// Whether a line is the one below the headings of a table.
fn is_line_of_table(line: &str) -> bool {
    line.starts_with('|') && line.contains("--") && line.trim_matches(['|', '-', ':', ' ']).is_empty()
}

/// Whether a line has the names of the columns below it, with tabs between them.
fn is_table_head(line: &str, next: &str) -> bool {
    let tabs = |line: &str| line.trim().matches('\t').count();
    tabs(line) >= 2 && tabs(line) == tabs(next) && !line.contains(|letter: char| letter.is_ascii_digit())
}
