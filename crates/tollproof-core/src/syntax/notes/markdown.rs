//! Lines of Markdown.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::line::{FRONT, LABEL, Line, LineKind, Target, text_of};

/// Reads Markdown into lines; what is struck out is left out.
#[derive(Default)]
struct MarkdownReader<'s> {
    text: &'s str,
    lines: Vec<Line>,
    line: Option<Line>,
    blocks: usize,
    items: Vec<usize>,
    tables: usize,
    in_table: bool,
    quotes: usize,
    strong: usize,
    slanted: usize,
    struck: usize,
    images: usize,
    /// Whether comments are between `%%` and `%%`, and whether this is one.
    has_comments: bool,
    is_comment: bool,
    ticked: Option<bool>,
    targets: Vec<Target>,
}

/// The lines of a text, and where its links lead.
pub(super) fn lines(text: &str) -> (Vec<Line>, Vec<Target>) {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let has_comments = text.matches("%%").count().is_multiple_of(2);
    let mut reader = MarkdownReader { text, has_comments, ..MarkdownReader::default() };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.event(event, range.start, range.end);
    }
    reader.flush();
    (reader.lines, reader.targets)
}

impl MarkdownReader<'_> {
    fn event(&mut self, event: Event<'_>, start: usize, end: usize) {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                // What is said instead of a picture says less than its address.
                if let Some(at) = self.text[start..end].rfind(&*dest_url).filter(|_| dest_url.contains("://"))
                {
                    self.text(start + at, start + at + dest_url.len(), &dest_url, false);
                }
                self.images += 1;
            }
            Event::End(TagEnd::Image) => self.images = self.images.saturating_sub(1),
            Event::Text(_) | Event::Code(_) if self.images > 0 => {}
            Event::Start(Tag::Link { dest_url, .. }) => {
                let written = self.text[start..end].rfind(&*dest_url);
                if let Some(at) = written.filter(|_| self.struck == 0) {
                    let mut line = Line::new(LineKind::Text, 0);
                    line.add(start + at, &dest_url, false, false);
                    self.targets.push(Target { start, chars: line.chars });
                }
            }
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(start, end, &text, false),
            Event::Code(text) => {
                let written = &self.text[start..end];
                let at = written.find(&*text).unwrap_or_default();
                self.text(start + at, start + at + text.len(), &text, true);
            }
            Event::SoftBreak | Event::HardBreak => self.next_line(),
            Event::Rule => {
                self.flush();
                self.blocks += 1;
                self.lines.push(Line::new(LineKind::Rule, self.blocks));
            }
            Event::TaskListMarker(ticked) => self.ticked = Some(ticked),
            Event::Html(_) => self.folded(start, end),
            Event::InlineHtml(html) => match html.to_ascii_lowercase().as_str() {
                "<del>" | "<s>" | "<strike>" => self.struck += 1,
                "</del>" | "</s>" | "</strike>" => self.struck = self.struck.saturating_sub(1),
                "<br>" | "<br/>" | "<br />" => self.next_line(),
                "<b>" | "<strong>" => self.strong += 1,
                "</b>" | "</strong>" => self.strong = self.strong.saturating_sub(1),
                _ => {}
            },
            _ => {}
        }
    }

    /// Title of what is folded, which is a heading up to its end: `<summary>Title</summary>`.
    fn folded(&mut self, start: usize, end: usize) {
        let html = self.text.get(start..end).unwrap_or_default();
        let title = html.split_once("<summary>").map(|(_, title)| title.trim_start_matches("<b>"));
        let title = title.map(|title| title.split('<').next().unwrap_or(title));
        if let Some(title) = title.or_else(|| html.split_once("</details>").map(|(before, _)| &before[..0])) {
            self.open(LineKind::Heading(6));
            let at = title.as_ptr() as usize - self.text.as_ptr() as usize;
            self.text(at, at + title.len(), title, false);
            self.flush();
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::MetadataBlock(_) => self.open(LineKind::Code(FRONT.to_owned())),
            Tag::Heading { level, .. } => self.open(LineKind::Heading(*level as u8)),
            Tag::Paragraph => self.open(if self.quotes > 0 { LineKind::Quote } else { LineKind::Text }),
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
            }
            Tag::CodeBlock(kind) => self.open(LineKind::Code(match kind {
                CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or_default().to_owned(),
                CodeBlockKind::Indented => String::new(),
            })),
            // What a title means is an item of the list below it.
            Tag::DefinitionListTitle => {
                self.open(LineKind::Text);
                self.strong += 1;
            }
            Tag::Item | Tag::DefinitionListDefinition => {
                self.flush();
                self.blocks += 1;
                self.items.push(self.blocks);
                self.ticked = None;
            }
            Tag::List(_) => self.flush(),
            Tag::Table(_) => {
                self.tables += 1;
                self.in_table = true;
            }
            Tag::TableHead | Tag::TableRow => self.open(LineKind::Text),
            Tag::Strong => self.strong += 1,
            Tag::Emphasis => self.slanted += 1,
            Tag::Strikethrough => self.struck += 1,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_)
            | TagEnd::Paragraph
            | TagEnd::CodeBlock
            | TagEnd::MetadataBlock(_)
            | TagEnd::TableHead
            | TagEnd::TableRow => {
                self.flush();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::DefinitionListTitle => {
                self.flush();
                self.strong = self.strong.saturating_sub(1);
            }
            TagEnd::Item | TagEnd::DefinitionListDefinition => {
                self.flush();
                self.items.pop();
                self.ticked = None;
            }
            TagEnd::Table => self.in_table = false,
            TagEnd::TableCell => {
                if let Some(line) = &mut self.line {
                    line.cells.push(line.chars.len());
                }
            }
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Emphasis => self.slanted = self.slanted.saturating_sub(1),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            _ => {}
        }
    }

    fn text(&mut self, start: usize, end: usize, text: &str, is_code: bool) {
        if let Some(at) =
            text.find("%%").filter(|_| self.has_comments && self.text.get(start..end) == Some(text))
        {
            self.text(start, start + at, &text[..at], is_code);
            self.is_comment = !self.is_comment;
            return self.text(start + at + 2, end, &text[at + 2..], is_code);
        }
        if self.line.is_none() {
            // The text of an item without a paragraph.
            let is_quote = self.quotes > 0 && self.items.is_empty();
            self.open(if is_quote { LineKind::Quote } else { LineKind::Text });
        }
        let (is_strong, is_struck) = (self.strong > 0, self.struck > 0 || self.is_comment);
        let Some(line) = self.line.as_mut().filter(|_| !is_struck) else { return };
        let from = line.chars.len();
        line.add(start, text, is_strong, is_code);
        line.chars[from..].iter_mut().for_each(|char| char.is_slanted = self.slanted > 0);
        if self.text.get(start..end).unwrap_or_default() != text {
            // An entity, or an escaped character: all of it is the place of each of its characters.
            line.chars[from..].iter_mut().for_each(|char| (char.start, char.end) = (start, end));
        }
    }

    fn open(&mut self, kind: LineKind) {
        self.flush();
        self.blocks += 1;
        let mut line = Line::new(kind, self.blocks);
        line.table = self.in_table.then_some(self.tables);
        (line.item, line.ticked) = (self.items.last().copied(), self.ticked);
        line.depth = self.items.len();
        self.line = Some(line);
    }

    /// A line of the same paragraph.
    fn next_line(&mut self) {
        let Some(line) = &self.line else { return };
        if line.table.is_some() {
            return self.text(0, 0, " ", false);
        }
        let mut next = Line::new(line.kind.clone(), line.block);
        (next.item, next.ticked, next.depth) = (line.item, self.ticked, line.depth);
        let done = self.line.replace(next);
        self.push(done);
    }

    fn flush(&mut self) {
        let done = self.line.take();
        self.push(done);
    }

    fn push(&mut self, line: Option<Line>) {
        self.lines.extend(line.map(|mut line| {
            line.ticked = line.ticked.or(self.ticked);
            // The title of a quotation is a label: `> [!note] Title`.
            let title = text_of(&line.chars);
            if line.kind == LineKind::Quote
                && let Some((mark, title)) = title.strip_prefix("[!").and_then(|title| title.split_once(']'))
            {
                let length = mark.chars().count() + 3 + usize::from(title.starts_with(['+', '-']));
                line.chars.drain(..length);
                line.kind = LineKind::Heading(LABEL);
            }
            // The name of a paragraph: `value ^name`.
            let name = line.chars.iter().rposition(|char| char.character == ' ');
            if let Some(at) = name.filter(|at| {
                line.table.is_none() && line.chars.get(at + 1).is_some_and(|char| char.character == '^')
            }) {
                line.chars.truncate(at);
            }
            line
        }));
    }
}
