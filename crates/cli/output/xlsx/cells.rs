//! The format of cells, and the text that they take.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder};
use tollproof_core::Severity;

use crate::terminal::printable;

/// The maximum length of a cell in UTF-16 code units, which is Excel's limit without room for what says that it was cut.
const MAX_CELL: usize = 32_000;

/// The formats of cells. Every cell of a draft has the number format for text (49), so that nothing in it becomes a formula, even when it is
/// edited.
pub(super) struct Formats {
    pub(super) title: Format,
    pub(super) head: Format,
    pub(super) text: Format,
    pub(super) wrapped: Format,
    ready: Format,
    error: Format,
    warning: Format,
    info: Format,
}

impl Default for Formats {
    fn default() -> Self {
        let text = Format::new().set_num_format_index(49).set_align(FormatAlign::Top);
        let marked = |fill: u32, font: u32| {
            text.clone()
                .set_text_wrap()
                .set_background_color(Color::RGB(fill))
                .set_font_color(Color::RGB(font))
        };
        Self {
            title: Format::new().set_bold().set_font_size(14),
            head: text
                .clone()
                .set_bold()
                .set_text_wrap()
                .set_background_color(Color::RGB(0x00E9_EDF2))
                .set_border_bottom(FormatBorder::Thin),
            wrapped: text.clone().set_text_wrap(),
            ready: marked(0x00E2_F0E5, 0x0014_532D),
            error: marked(0x00FF_C7CE, 0x009C_0006),
            warning: marked(0x00FF_EB9C, 0x006B_4E00),
            info: marked(0x00DD_EBF7, 0x001F_4E79),
            text,
        }
    }
}

impl Formats {
    pub(super) fn of(&self, severity: Option<Severity>) -> &Format {
        match severity {
            Some(Severity::Error) => &self.error,
            Some(Severity::Warning) => &self.warning,
            Some(Severity::Info) => &self.info,
            None => &self.ready,
        }
    }
}

/// The text of a cell: printable, and no longer than Excel takes.
pub(super) fn cell_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut units = 0;
    for c in text.replace("\r\n", "\n").chars() {
        units += c.len_utf16();
        if units > MAX_CELL {
            shown.push_str("… (cut)");
            break;
        }
        shown.push(if c == '\n' { c } else { printable(c) });
    }
    shown
}
