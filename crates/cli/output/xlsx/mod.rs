//! The sheet that came in, with marked cells and advice.

use super::{Printer, ReportOptions};
use crate::terminal::Look;

pub(super) struct Xlsx;
impl Xlsx {
    pub(super) fn boxed(look: Look, o: ReportOptions) -> Box<dyn Printer> { super::html::Html::boxed(look, o) }
}
