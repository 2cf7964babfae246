"""The results of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Tuple

from ._html import html_of_table
from ._tollproof import ResultTable


@dataclass(frozen=True)
class TableCheck:
    """What was found in a table, as two tables that any library with the Arrow interface reads: `pyarrow.table(it)`,
    `polars.DataFrame(it)`, `pyarrow.table(it).to_pandas()`, and DuckDB after one of them.

    `findings` has a row for each finding that counts, in the order of the rows that were checked:

    - `row`: the index of the row, from 0 (int64)
    - `rule`, `severity`, `message`, `help`, `pointer`, `fingerprint`: as in `Finding`
    - `field`: the column, or the names of a nested field with points between them
    - `span_start`, `span_end`: the part of the value that is wrong, in bytes of UTF-8; null if it is the whole value. If the
      drafts are strings of JSON, it is the part of that string.

    `summary` has a row for each row: `row`, `errors`, `warnings`, `infos` (int64), and `verdict`, which is the severity of the
    worst finding, `clean`, or null if the row has no draft: a null or blank draft, or no cell of a sheet.
    """

    findings: ResultTable
    summary: ResultTable

    @property
    def rows(self) -> ResultTable:
        """The summary with one more column, `findings`: the list of the findings of each row, without `row`."""
        return ResultTable.nested(self.findings, self.summary)

    @classmethod
    def of_batches(cls, batches: Iterator[Tuple[ResultTable, ResultTable]]) -> "TableCheck":
        """All results of the batches of a table in one."""
        pairs = list(batches)
        return cls(
            ResultTable.concat([findings for findings, _ in pairs], True),
            ResultTable.concat([summary for _, summary in pairs], False),
        )

    def __repr__(self) -> str:
        return f"<TableCheck: {len(self.summary)} rows, {len(self.findings)} findings>"

    def _repr_html_(self) -> str:
        return html_of_table(self.findings, len(self.summary))

