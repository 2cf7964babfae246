//! Reading of table rows as drafts: as JSON, as nested payloads, or as the rows of a sheet.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, RecordBatch, StructArray};
use arrow_json::WriterBuilder;
use arrow_json::writer::LineDelimited;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use pyo3::PyResult;
use serde_json::Value;
use tollproof_core::{Batch, Format, Mention, Parsed, PartStart, Source, Span};
use tollproof_project::GivenText;

use super::{TableOptions, cells};
use crate::errors;
use crate::settings::TABLE_NAME;

/// Conversion of rows.
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

/// The form of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowShape {
    /// A string of JSON.
    Json,
    /// Values, some of them lists or structs, under the names that a payload has.
    Nested,
    /// Cells, under the headings that a sheet may have.
    Cells,
}

/// A row as the text of a draft.
pub(super) struct RowText {
    pub(super) text: GivenText,
    /// The row's start in the text. The field names of a sheet come before it.
    pub(super) start: usize,
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
            None => Self::of_fields(None, columns, &without_index(table, columns, options)),
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
        let is_nested = |column: &FieldColumn| columns[column.index].data_type().is_nested();
        let shape =
            if column.is_some() || fields.iter().any(is_nested) { RowShape::Nested } else { RowShape::Cells };
        let plan = Self { column, shape, fields, is_apart: options.apart, earlier: None };
        // Types that cannot be written as text are refused before the first row is read.
        let no_rows = arrow_array::new_empty_array(&DataType::Struct(columns.clone()));
        plan.texts_of(&no_rows, true).map_err(refused)?;
        Ok(plan)
    }

    /// The column of a row of cells that has a draft as JSON.
    pub(super) fn json_column(&self, row: &Source<'_>) -> Option<&str> {
        let parsed = Parsed::of(row, Some(Format::Csv));
        let only = parsed.only()?;
        let cells = only.document().root.as_ref()?.members();
        let is_json = |text: &str| text.trim_start().starts_with('{');
        let json = cells.iter().find(|cell| cell.value.as_str().is_some_and(is_json))?;
        let field = self.fields.iter().find(|field| field.field.trim() == json.key)?;
        Some(&field.heading)
    }

    pub(super) fn shape(&self) -> RowShape {
        self.shape
    }

    /// The texts of rows; `None` for a row without a draft. Findings about the columns belong to the first row of a table.
    pub(super) fn texts(&self, rows: &ArrayRef, is_first: bool) -> PyResult<Vec<Option<RowText>>> {
        let drafts = match self.column {
            Some(at) => rows.as_struct().column(at),
            None => rows,
        };
        let mut texts = self.texts_of(drafts, is_first).map_err(refused)?;
        if self.is_apart {
            for (text, earlier) in texts.iter_mut().zip(self.earlier(rows).map_err(refused)?) {
                if let Some(it) = text {
                    it.text.earlier = Some(earlier);
                }
            }
        }
        Ok(texts)
    }

    /// The numbers of drafts before each row.
    fn earlier(&self, rows: &ArrayRef) -> Result<Vec<Batch>, ArrowError> {
        let Some(at) = self.earlier else { return Ok(vec![Batch::default(); rows.len()]) };
        let lists = arrow_cast::cast(rows.as_struct().column(at), &list_of_texts())?;
        let batches = lists.as_list::<i32>().iter().map(|numbers| {
            let mut batch = Batch::default();
            for number in numbers.iter().flat_map(|it| it.as_string::<i32>()).flatten() {
                let file = TABLE_NAME.to_owned();
                batch.add(number, Mention { file, span: Span::default(), place: None });
            }
            batch
        });
        Ok(batches.collect())
    }

    fn texts_of(&self, rows: &ArrayRef, is_first: bool) -> Result<Vec<Option<RowText>>, ArrowError> {
        match self.shape {
            RowShape::Json => json_texts(rows),
            RowShape::Nested => self.nested_texts(rows.as_struct()),
            RowShape::Cells => self.sheet_texts(rows.as_struct(), is_first),
        }
    }

    /// Each row as a sheet with one row.
    fn sheet_texts(
        &self,
        rows: &StructArray,
        mut is_first: bool,
    ) -> Result<Vec<Option<RowText>>, ArrowError> {
        let names: Vec<&str> = self.fields.iter().map(|it| it.field.as_str()).collect();
        let mut head = Vec::new();
        cells::write_head(&names, &mut head);
        let head_lines = head.iter().filter(|it| **it == b'\n').count();
        let columns: Vec<&ArrayRef> = self.fields.iter().map(|it| rows.column(it.index)).collect();
        let mut texts = Vec::with_capacity(rows.len());
        for row in cells::rows(&columns, rows.len())? {
            let is_blank = row.iter().all(|byte| matches!(byte, b'"' | b',') || byte.is_ascii_whitespace());
            if is_blank {
                texts.push(None);
                continue;
            }
            let start = PartStart {
                head: u32::try_from(head.len()).unwrap_or_default(),
                head_lines,
                bytes: head.len() as u64 + u64::from(!is_first),
                ..PartStart::default()
            };
            is_first = false;
            let source = Source::part(TABLE_NAME, [head.as_slice(), &row].concat(), start);
            texts.push(Some(RowText { text: given(source, Format::Csv), start: head.len() }));
        }
        Ok(texts)
    }

    fn nested_texts(&self, rows: &StructArray) -> Result<Vec<Option<RowText>>, ArrowError> {
        let columns = self.fields.iter().map(|field| Arc::clone(rows.column(field.index))).collect();
        let batch = RecordBatch::try_new_with_options(
            self.schema(rows.fields()),
            columns,
            &arrow_array::RecordBatchOptions::new().with_row_count(Some(rows.len())),
        )?;
        let mut writer = WriterBuilder::new().build::<_, LineDelimited>(Vec::new());
        writer.write(&batch)?;
        writer.finish()?;
        let written = writer.into_inner();
        let lines = written.split_inclusive(|it| *it == b'\n').enumerate();
        Ok(lines.map(|(at, line)| rows.is_valid(at).then(|| json_text(line))).collect())
    }

    /// The columns of a nested payload, under the names of their fields.
    fn schema(&self, fields: &Fields) -> SchemaRef {
        let field = |column: &FieldColumn| {
            fields[column.index].as_ref().clone().with_name(&column.field).with_nullable(true)
        };
        Arc::new(Schema::new(self.fields.iter().map(field).collect::<Vec<_>>()))
    }
}

/// Strings of JSON. A row without text has no draft.
fn json_texts(rows: &ArrayRef) -> Result<Vec<Option<RowText>>, ArrowError> {
    let rows = match rows.data_type() {
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Arc::clone(rows),
        _ => arrow_cast::cast(rows, &DataType::Utf8)?,
    };
    let rows = arrow_cast::cast(&rows, &DataType::Binary)?;
    let is_text = |bytes: &&[u8]| !bytes.iter().all(u8::is_ascii_whitespace);
    Ok(rows.as_binary::<i32>().iter().map(|cell| cell.filter(is_text).map(json_text)).collect())
}

fn json_text(row: &[u8]) -> RowText {
    let source = Source::from_bytes(TABLE_NAME, row.to_vec());
    RowText { text: given(source, Format::Json), start: 0 }
}

fn given(source: Source<'static>, format: Format) -> GivenText {
    GivenText { source, format: Some(format), earlier: None }
}

/// The options, with the index of pandas left out: it is a column of the table and no part of a draft.
fn without_index(table: &Field, columns: &Fields, options: &TableOptions) -> TableOptions {
    let pandas = table.metadata().get("pandas").and_then(|text| serde_json::from_str::<Value>(text).ok());
    let named = pandas.as_ref().and_then(|pandas| pandas["index_columns"].as_array());
    let is_index = |name: &str| {
        name.starts_with("__index_level_")
            || named.is_some_and(|all| all.iter().any(|index| index.as_str() == Some(name)))
    };
    let names = columns.iter().map(|column| column.name());
    let indexes =
        names.filter(|name| is_index(name) && !options.columns.iter().any(|(known, _)| known == *name));
    let columns = options.columns.iter().cloned().chain(indexes.map(|name| (name.clone(), None))).collect();
    TableOptions { columns, column: None, earlier: options.earlier.clone(), ..*options }
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
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

fn unknown_column(name: &str, columns: &Fields) -> pyo3::PyErr {
    let names: Vec<&str> = columns.iter().map(|column| column.name().as_str()).collect();
    errors::invalid(
        format!("the table has no column `{name}`"),
        &format!("Its columns: {}.", names.join(", ")),
    )
}

#[expect(clippy::needless_pass_by_value, reason = "it is passed as a function")]
fn refused(error: ArrowError) -> pyo3::PyErr {
    errors::invalid(format!("cannot read a row of the table: {error}"), "Cast the column to a string.")
}
