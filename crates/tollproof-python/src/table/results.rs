//! The results of a table, as Arrow: the findings, and a summary of each row.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, ArrayRef, Int64Array, ListArray, RecordBatch, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Fields, Schema};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};
use tollproof_core::{Finding, Pointer, Severity, Span, Translation};

use super::places::{QuotedPlace, Quoting, locate};
use super::plan::{RowPlan, RowShape};
use super::values;

/// A row's place in its text.
pub(super) struct RowPlace<'t> {
    pub(super) plan: &'t RowPlan,
    /// Empty if nothing was found.
    pub(super) text: &'t str,
    /// The row's start in the text.
    pub(super) start: usize,
    /// The index of the row in the table.
    pub(super) row: usize,
}

/// The place of a finding in its row.
#[derive(Default)]
struct CellSpan {
    field: String,
    within: Option<Range<usize>>,
}

impl RowPlace<'_> {
    fn of(&self, found: &Finding) -> CellSpan {
        let field = self.field(&found.pointer);
        let span = found
            .span
            .map(Span::range)
            .filter(|range| range.start >= self.start && range.end <= self.text.len());
        let Some(span) = span else { return CellSpan { field, within: None } };
        let place = span.start - self.start..span.end - self.start;
        let row = self.text.get(self.start..).unwrap_or_default();
        match self.plan.shape() {
            RowShape::Json => CellSpan { field, within: Some(place) },
            RowShape::Nested => {
                CellSpan { field, within: locate(row, &place, Quoting::Json).and_then(|it| it.within) }
            }
            RowShape::Cells => match locate(row, &place, Quoting::Csv) {
                Some(QuotedPlace { index, within }) => {
                    let heading = self.plan.fields.get(index).map(|it| it.heading.clone());
                    CellSpan { field: heading.unwrap_or(field), within }
                }
                None => CellSpan { field, within: None },
            },
        }
    }

    /// The name of a field with those of the objects around it, without the indexes of lists: `address.city`.
    fn field(&self, pointer: &Pointer) -> String {
        let is_name = |token: &String| !token.bytes().all(|it| it.is_ascii_digit());
        let mut tokens: Vec<String> = pointer.tokens().filter(is_name).collect();
        if let Some(first) = tokens.first_mut()
            && let Some(column) = self.plan.fields.iter().find(|it| it.field == *first)
        {
            first.clone_from(&column.heading);
        }
        tokens.join(".")
    }
}

/// Collects the results of rows.
#[derive(Default)]
pub(super) struct TableResults {
    row: Int64Builder,
    rule: StringBuilder,
    severity: StringBuilder,
    field: StringBuilder,
    message: StringBuilder,
    help: StringBuilder,
    span_start: Int64Builder,
    span_end: Int64Builder,
    pointer: StringBuilder,
    fingerprint: StringBuilder,
    rows: Vec<i64>,
    /// Infos, warnings and errors of each row; `None` without a draft.
    counts: Vec<Option<[i64; 3]>>,
}

impl TableResults {
    /// The number of rows so far.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Adds a row without a draft.
    pub(super) fn add_empty(&mut self, row: usize) {
        self.rows.push(number(row));
        self.counts.push(None);
    }

    /// Adds a row with its findings. Suppressed findings do not count.
    pub(super) fn add(&mut self, findings: &[Finding], place: &RowPlace<'_>, translation: &Translation) {
        self.rows.push(number(place.row));
        let mut counts = [0; 3];
        for found in findings.iter().filter(|it| it.suppressed.is_none()) {
            counts[found.severity as usize] += 1;
            let CellSpan { field, within } = place.of(found);
            let found = translation.finding(found);
            self.row.append_value(number(place.row));
            self.rule.append_value(&found.rule);
            self.severity.append_value(found.severity.name());
            self.field.append_value(field);
            self.message.append_value(&*found.message);
            self.help.append_option(found.help.as_deref());
            self.span_start.append_option(within.as_ref().map(|it| number(it.start)));
            self.span_end.append_option(within.as_ref().map(|it| number(it.end)));
            self.pointer.append_value(found.pointer.bounded());
            self.fingerprint.append_value(&found.fingerprint);
        }
        self.counts.push(Some(counts));
    }

    /// The findings and the summary.
    pub(super) fn end(mut self) -> (ResultTable, ResultTable) {
        let findings: Vec<ArrayRef> = vec![
            Arc::new(self.row.finish()),
            Arc::new(self.rule.finish()),
            Arc::new(self.severity.finish()),
            Arc::new(self.field.finish()),
            Arc::new(self.message.finish()),
            Arc::new(self.help.finish()),
            Arc::new(self.span_start.finish()),
            Arc::new(self.span_end.finish()),
            Arc::new(self.pointer.finish()),
            Arc::new(self.fingerprint.finish()),
        ];
        let count = |severity: Severity| -> ArrayRef {
            let count = |it: &Option<[i64; 3]>| it.map_or(0, |it| it[severity as usize]);
            Arc::new(self.counts.iter().map(count).collect::<Int64Array>())
        };
        let mut verdicts = StringBuilder::new();
        for counts in &self.counts {
            verdicts.append_option(counts.map(|counts| {
                let worst = Severity::ALL.into_iter().rev().find(|it| counts[*it as usize] > 0);
                worst.map_or("clean", Severity::name)
            }));
        }
        let summary: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from_iter_values(self.rows.iter().copied())),
            count(Severity::Error),
            count(Severity::Warning),
            count(Severity::Info),
            Arc::new(verdicts.finish()),
        ];
        (ResultTable::of(finding_fields(), findings), ResultTable::of(summary_fields(), summary))
    }
}

fn number(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn fields(columns: &[(&str, DataType, bool)]) -> Fields {
    columns.iter().map(|(name, kind, is_null)| Field::new(*name, kind.clone(), *is_null)).collect()
}

fn finding_fields() -> Fields {
    use DataType::{Int64, Utf8};
    fields(&[
        ("row", Int64, false),
        ("rule", Utf8, false),
        ("severity", Utf8, false),
        ("field", Utf8, false),
        ("message", Utf8, false),
        ("help", Utf8, true),
        ("span_start", Int64, true),
        ("span_end", Int64, true),
        ("pointer", Utf8, false),
        ("fingerprint", Utf8, false),
    ])
}

fn summary_fields() -> Fields {
    use DataType::{Int64, Utf8};
    fields(&[
        ("row", Int64, false),
        ("errors", Int64, false),
        ("warnings", Int64, false),
        ("infos", Int64, false),
        ("verdict", Utf8, true),
    ])
}

/// The numbers of rows.
pub(super) fn number_fields() -> Fields {
    let item = Field::new_list_field(DataType::Utf8, true);
    fields(&[("numbers", DataType::List(Arc::new(item)), false)])
}

/// A table of results that any library with the Arrow interface reads without a copy.
#[pyclass(frozen, module = "tollproof._tollproof")]
pub(crate) struct ResultTable {
    fields: Fields,
    batches: Vec<StructArray>,
}

impl ResultTable {
    pub(super) fn of(fields: Fields, columns: Vec<ArrayRef>) -> Self {
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields.clone())), columns);
        let batches = batch.map(StructArray::from).into_iter().collect();
        Self { fields, batches }
    }

    /// The rows of a summary, each with a list of its findings. The batches of both belong together.
    fn nest(findings: &StructArray, summary: &StructArray) -> (Fields, Vec<ArrayRef>) {
        let counts: Vec<&[i64]> =
            (1..=3).map(|at| &**summary.column(at).as_primitive::<Int64Type>().values()).collect();
        let lengths = (0..summary.len()).map(|row| counts.iter().map(|it| it[row]).sum::<i64>());
        let offsets =
            OffsetBuffer::from_lengths(lengths.map(|length| usize::try_from(length).unwrap_or_default()));
        // The list says which row they belong to.
        let kinds: Fields = findings.fields().iter().skip(1).cloned().collect();
        let items = StructArray::new(kinds, findings.columns()[1..].to_vec(), None);
        let item = Arc::new(Field::new_list_field(items.data_type().clone(), false));
        let lists = ListArray::new(Arc::clone(&item), offsets, Arc::new(items), None);
        let list = Field::new("findings", DataType::List(item), false);
        let fields = summary.fields().iter().cloned().chain([Arc::new(list)]).collect();
        (fields, summary.columns().iter().cloned().chain([Arc::new(lists) as ArrayRef]).collect())
    }

    /// The row of all batches, as the interface for streams has it.
    fn field(&self) -> Arc<Field> {
        Arc::new(Field::new("", DataType::Struct(self.fields.clone()), false))
    }
}

#[pymethods]
impl ResultTable {
    /// A table with the rows of all of these, which have the same columns; of none, the findings (`True`) or the summary of
    /// a table without rows.
    #[staticmethod]
    fn concat(tables: Vec<PyRef<'_, Self>>, are_findings: bool) -> Self {
        let fields = if are_findings { finding_fields() } else { summary_fields() };
        let batches = tables.iter().flat_map(|table| table.batches.iter().cloned()).collect();
        Self { fields, batches }
    }

    /// The summary with a column `findings`, in which each row has a list of its findings. Both are results of the same rows.
    #[staticmethod]
    fn nested(findings: &Self, summary: &Self) -> Self {
        let empty = |column: &Self| StructArray::new_null(column.fields.clone(), 0);
        let (fields, _) = Self::nest(&empty(findings), &empty(summary));
        let pairs = findings.batches.iter().zip(&summary.batches);
        let nested = pairs.map(|(found, rows)| {
            let (fields, columns) = Self::nest(found, rows);
            StructArray::new(fields, columns, None)
        });
        let batches = nested.collect();
        Self { fields, batches }
    }

    /// The rows as dictionaries, from one index to another.
    #[pyo3(signature = (start=0, end=None))]
    fn to_pylist<'py>(
        &self,
        py: Python<'py>,
        start: usize,
        end: Option<usize>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (mut left, rows) = (start, PyList::empty(py));
        let mut wanted = end.unwrap_or(usize::MAX).saturating_sub(start);
        for batch in &self.batches {
            let first = left.min(batch.len());
            left -= first;
            let count = wanted.min(batch.len() - first);
            wanted -= count;
            for row in first..first + count {
                rows.append(values::row(py, batch, row)?)?;
            }
        }
        Ok(rows)
    }

    /// The number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(arrow_array::Array::len).sum()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.fields.iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<ResultTable: {} rows of {}>", self.num_rows(), self.column_names().join(", "))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.field().as_ref())?)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let arrays: Vec<_> =
            self.batches.iter().map(|batch| Ok(Arc::new(batch.clone()) as ArrayRef)).collect();
        let reader = Box::new(ArrayIterator::new(arrays, self.field()));
        Ok(to_stream_pycapsule(py, reader, requested_schema)?)
    }
}
