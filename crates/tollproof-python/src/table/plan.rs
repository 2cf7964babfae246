//! How the rows of a table are read as drafts: as JSON, as nested payloads, or as the rows of a sheet.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, RecordBatch, StructArray};
use arrow_json::WriterBuilder;
use arrow_json::writer::LineDelimited;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use pyo3::PyResult;
use tollproof_core::{Batch, Format, Mention, PartStart, Source, Span};
use tollproof_project::GivenText;

use super::TableOptions;
use super::cells;
use crate::errors;
use crate::settings::TABLE_NAME;

/// How rows become drafts.
pub(super) struct RowPlan {
    /// The column with the drafts; `None` if the columns are the fields.
    column: Option<usize>,
    shape: RowShape,
    /// The columns that are fields, with the name in the table and the name of the field.
    pub(super) fields: Vec<FieldColumn>,
    /// Whether each row is checked apart from the others.
    is_apart: bool,
    /// The column with the numbers of drafts before.
    earlier: Option<usize>,
}

/// A column that is a field.
pub(super) struct FieldColumn {
    index: usize,
    pub(super) heading: String,
    pub(super) field: String,
}

/// What a row consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowShape {
    /// A string of JSON.
    Json,
    /// Values, some of them lists or structs, under the names that a payload has.
    Nested,
    /// Cells, under the headings that a sheet may have.
    Cells,
}

/// Rows as the text of drafts.
pub(super) struct RowTexts {
    pub(super) text: GivenText,
    /// Where each row begins in the text, and where the last one ends.
    pub(super) starts: Vec<usize>,
}

impl RowPlan {
    /// The plan for a table whose rows are of this field.
    pub(super) fn of(table: &Field, options: &TableOptions) -> PyResult<Self> {
        let DataType::Struct(columns) = table.data_type() else {
            if options.column.is_some() || !options.columns.is_empty() {
                return Err(errors::invalid("an array has no columns", "Leave out `column` and `columns`."));
            }
            return Self::of_column(None, table.data_type(), options);
        };
        let index = |name: &String| {
            let at = columns.iter().position(|it| it.name() == name);
            at.ok_or_else(|| unknown_column(name, columns))
        };
        let earlier = options.earlier.as_ref().map(index).transpose()?;
        if let Some(at) = earlier
            && !is_list_of_texts(columns[at].data_type())
        {
            return Err(errors::invalid("`earlier` must be a column with lists of strings", ""));
        }
        let plan = match &options.column {
            Some(name) => {
                let at = index(name)?;
                Self::of_column(Some(at), columns[at].data_type(), options)
            }
            None => Self::of_fields(None, columns, options),
        }?;
        Ok(Self { earlier, is_apart: options.apart || earlier.is_some(), ..plan })
    }

    fn of_column(column: Option<usize>, kind: &DataType, options: &TableOptions) -> PyResult<Self> {
        match kind {
            DataType::Struct(fields) => Self::of_fields(column, fields, options),
            kind if is_text(kind) && options.columns.is_empty() => Ok(Self {
                column,
                shape: RowShape::Json,
                fields: Vec::new(),
                is_apart: options.apart,
                earlier: None,
            }),
            kind if is_text(kind) => {
                Err(errors::invalid("`columns` is for drafts whose fields are columns", "Leave it out."))
            }
            kind => {
                let message = format!("a column of {kind} has no drafts");
                Err(errors::invalid(message, "Name a column with strings of JSON, or with structs."))
            }
        }
    }

    fn of_fields(column: Option<usize>, columns: &Fields, options: &TableOptions) -> PyResult<Self> {
        for (name, _) in &options.columns {
            if !columns.iter().any(|it| it.name() == name) {
                return Err(unknown_column(name, columns));
            }
        }
        let mut fields = Vec::new();
        for (index, column) in columns.iter().enumerate() {
            let heading = column.name();
            if options.column.is_none() && options.earlier.as_ref() == Some(heading) {
                continue;
            }
            let field = match options.columns.iter().find(|(name, _)| name == heading) {
                Some((_, None)) => continue,
                Some((_, Some(field))) => field,
                None => heading,
            };
            fields.push(FieldColumn { index, heading: heading.clone(), field: field.clone() });
        }
        if fields.is_empty() {
            return Err(errors::invalid("the table has no columns that are fields", ""));
        }
        let is_nested = |it: &FieldColumn| columns[it.index].data_type().is_nested();
        let shape =
            if column.is_some() || fields.iter().any(is_nested) { RowShape::Nested } else { RowShape::Cells };
        let plan = Self { column, shape, fields, is_apart: options.apart, earlier: None };
        // Types that cannot be written as text are refused before the first row is read.
        let no_rows = arrow_array::new_empty_array(&DataType::Struct(columns.clone()));
        plan.texts_of(&no_rows, 0, None).map_err(refused)?;
        Ok(plan)
    }

    pub(super) fn shape(&self) -> RowShape {
        self.shape
    }

    /// How many rows are a text.
    pub(super) fn text_rows(&self, rows: usize) -> usize {
        if self.is_apart { 1 } else { rows.max(1) }
    }

    /// Rows as a text; `first` is the index of the first one in the table.
    pub(super) fn texts(&self, rows: &ArrayRef, first: usize) -> PyResult<RowTexts> {
        let drafts = match self.column {
            Some(at) => rows.as_struct().column(at),
            None => rows,
        };
        self.earlier(rows).and_then(|earlier| self.texts_of(drafts, first, earlier)).map_err(refused)
    }

    /// The numbers of drafts before, if rows are checked apart.
    fn earlier(&self, rows: &ArrayRef) -> Result<Option<Batch>, ArrowError> {
        let mut batch = Batch::default();
        if let Some(at) = self.earlier {
            let lists = arrow_cast::cast(rows.as_struct().column(at), &list_of_texts())?;
            for numbers in lists.as_list::<i32>().iter().flatten() {
                for number in numbers.as_string::<i32>().iter().flatten() {
                    let file = TABLE_NAME.to_owned();
                    batch.add(number, Mention { file, span: Span::default(), place: None });
                }
            }
        }
        Ok(self.is_apart.then_some(batch))
    }

    fn texts_of(
        &self,
        rows: &ArrayRef,
        first: usize,
        earlier: Option<Batch>,
    ) -> Result<RowTexts, ArrowError> {
        let mut text = Vec::new();
        let mut starts = Vec::with_capacity(rows.len() + 1);
        let mut head = 0;
        match self.shape {
            RowShape::Json => write_json(rows, &mut text, &mut starts)?,
            RowShape::Nested => self.write_nested(rows.as_struct(), &mut text, &mut starts)?,
            RowShape::Cells => {
                let names: Vec<&str> = self.fields.iter().map(|it| it.field.as_str()).collect();
                cells::write_head(&names, &mut text);
                head = text.len();
                let columns = rows.as_struct().columns();
                let columns: Vec<&ArrayRef> = self.fields.iter().map(|it| &columns[it.index]).collect();
                cells::write_rows(&columns, rows.len(), &mut text, &mut starts)?;
            }
        }
        starts.push(text.len());
        let head_lines = text[..head].iter().filter(|it| **it == b'\n').count();
        let start = PartStart {
            head: u32::try_from(head).unwrap_or_default(),
            head_lines,
            // Findings about columns belong to the first row. Lines of JSON are never the beginning of a file, where one value
            // over several lines is looked for.
            bytes: if head > 0 && first == 0 { head as u64 } else { (head + 1) as u64 },
            lines: first,
            documents: first,
        };
        let format = if self.shape == RowShape::Cells { Format::Csv } else { Format::Ndjson };
        let source = Source::part(TABLE_NAME, text, start);
        Ok(RowTexts { text: GivenText { source, format: Some(format), is_part: true, earlier }, starts })
    }

    fn write_nested(
        &self,
        rows: &StructArray,
        text: &mut Vec<u8>,
        starts: &mut Vec<usize>,
    ) -> Result<(), ArrowError> {
        let columns = self.fields.iter().map(|it| Arc::clone(rows.column(it.index))).collect();
        let batch = RecordBatch::try_new_with_options(
            self.schema(rows.fields()),
            columns,
            &arrow_array::RecordBatchOptions::new().with_row_count(Some(rows.len())),
        )?;
        let mut writer = WriterBuilder::new().build::<_, LineDelimited>(Vec::new());
        writer.write(&batch)?;
        writer.finish()?;
        let written = writer.into_inner();
        for (at, line) in written.split_inclusive(|it| *it == b'\n').enumerate() {
            starts.push(text.len());
            text.extend_from_slice(if rows.is_null(at) { b"null\n" } else { line });
        }
        Ok(())
    }

    /// The columns of a nested payload, under the names of their fields.
    fn schema(&self, fields: &Fields) -> SchemaRef {
        let field =
            |it: &FieldColumn| fields[it.index].as_ref().clone().with_name(&it.field).with_nullable(true);
        Arc::new(Schema::new(self.fields.iter().map(field).collect::<Vec<_>>()))
    }
}

/// Strings of JSON as lines. A row without text is `null`, so that each row is one line.
fn write_json(rows: &ArrayRef, text: &mut Vec<u8>, starts: &mut Vec<usize>) -> Result<(), ArrowError> {
    let rows = arrow_cast::cast(rows, &DataType::Utf8)?;
    for row in rows.as_string::<i32>() {
        starts.push(text.len());
        let row = row.unwrap_or_default();
        let start = text.len();
        match row.bytes().all(|it| it.is_ascii_whitespace()) {
            true => text.extend_from_slice(b"null"),
            false => text.extend_from_slice(row.as_bytes()),
        }
        // A tab takes the place of a line break: between values it means nothing, and in a string both are errors.
        for byte in &mut text[start..] {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b'\t';
            }
        }
        text.push(b'\n');
    }
    Ok(())
}

fn is_list_of_texts(kind: &DataType) -> bool {
    match kind {
        DataType::List(item) | DataType::LargeList(item) => is_text(item.data_type()),
        DataType::Null => true,
        _ => false,
    }
}

fn list_of_texts() -> DataType {
    DataType::new_list(DataType::Utf8, true)
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

fn unknown_column(name: &str, columns: &Fields) -> pyo3::PyErr {
    let names: Vec<&str> = columns.iter().map(|it| it.name().as_str()).collect();
    errors::invalid(
        format!("the table has no column `{name}`"),
        &format!("Its columns: {}.", names.join(", ")),
    )
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed as a function")]
fn refused(error: ArrowError) -> pyo3::PyErr {
    errors::invalid(format!("cannot read a row of the table: {error}"), "Cast the column to a string.")
}
