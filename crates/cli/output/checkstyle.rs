//! The report in Checkstyle's XML format.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};
use tollproof_core::UserRule;

use super::{FileFindings, Printer, ReportOptions, other_drafts};
use crate::counts::RunCounts;
use crate::terminal::{Look, one_line};
use tollproof_core::LineIndex;

/// Prints each file after it is checked.
#[derive(Debug, Default)]
pub(super) struct Checkstyle {
    begun: bool,
}

impl Checkstyle {
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::default())
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        let mut xml = Writer::new(&mut *out);
        xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let root = BytesStart::new("checkstyle").with_attributes([("version", env!("CARGO_PKG_VERSION"))]);
        writeln!(xml.get_mut())?;
        xml.write_event(Event::Start(root))?;
        writeln!(out)
    }
}

impl Printer for Checkstyle {
    fn file(&mut self, out: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        self.begin(out)?;
        let mut places = LineIndex::new(checked.source);
        let mut xml = Writer::new_with_indent(out, b' ', 2);
        let name = one_line(checked.source.name());
        let file = BytesStart::new("file").with_attributes([("name", name.as_str())]);
        if checked.findings.is_empty() {
            xml.write_event(Event::Empty(file))?;
            return writeln!(xml.get_mut());
        }
        xml.write_event(Event::Start(file))?;
        for finding in checked.findings {
            let place = finding.span.map(|span| places.at(span.start));
            let mut error = BytesStart::new("error");
            if let Some(place) = place {
                error.push_attribute(("line", place.line.to_string().as_str()));
                error.push_attribute(("column", place.column.to_string().as_str()));
            }
            let source = format!("tollproof.{}", one_line(&finding.rule).replace('/', "."));
            error.extend_attributes([
                ("severity", finding.severity.name()),
                ("message", other_drafts::message(finding, checked, &mut places).as_str()),
                ("source", source.as_str()),
            ]);
            xml.write_event(Event::Empty(error))?;
        }
        xml.write_event(Event::End(BytesEnd::new("file")))?;
        writeln!(xml.get_mut())
    }

    fn end(&mut self, out: &mut dyn Write, _: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        self.begin(out)?;
        writeln!(out, "</checkstyle>")
    }
}
