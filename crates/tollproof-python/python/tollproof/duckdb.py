"""tollproof in DuckDB: functions for drafts, and a table function for a whole table of them.

>>> import duckdb, tollproof.duckdb
>>> connection = duckdb.connect()
>>> tollproof.duckdb.register(connection)
>>> connection.execute('''CREATE TABLE drafts AS SELECT 1 AS id, '{"useCase": "appointments"}' AS draft''').fetchall()
[(1,)]
>>> connection.execute("SELECT id, tollproof_verdict(draft) FROM drafts").fetchall()
[(1, 'error')]
>>> connection.execute("SELECT id, tollproof.verdict, len(tollproof.findings) > 0 FROM tollproof_table('drafts', draft)").fetchall()
[(1, 'error', True)]

It needs the packages `duckdb`, `numpy` and `pyarrow`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Optional, cast

import pyarrow

from ._check import Linter

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FINDINGS = (
    "STRUCT(rule VARCHAR, severity VARCHAR, field VARCHAR, message VARCHAR, help VARCHAR,"
    " span_start BIGINT, span_end BIGINT, pointer VARCHAR, fingerprint VARCHAR)[]"
)

_WORST = """
CREATE OR REPLACE TEMP MACRO tollproof_worst(draft, findings) AS CASE
    WHEN draft IS NULL OR regexp_full_match(draft, '[ \\t\\r\\n\\f]*') THEN NULL
    WHEN len(list_filter(findings, lambda it: it.severity = 'error')) > 0 THEN 'error'
    WHEN len(list_filter(findings, lambda it: it.severity = 'warning')) > 0 THEN 'warning'
    WHEN len(findings) > 0 THEN 'info'
    ELSE 'clean'
END
"""

_TABLE = """
CREATE OR REPLACE TEMP MACRO tollproof_table(drafts, draft) AS TABLE
WITH _tp_rows AS MATERIALIZED (
    SELECT row_number() OVER () AS _tp_row, tollproof_text(draft) AS _tp_draft, COLUMNS(lambda it: it <> 'tollproof')
    FROM query_table(drafts)
), _tp_named AS (
    SELECT _tp_row, unnest(tollproof_numbers(_tp_draft)) AS _tp_number FROM _tp_rows
), _tp_repeated AS (
    SELECT _tp_row AS _tp_later, list(_tp_number) AS _tp_numbers
    FROM (SELECT *, min(_tp_row) OVER (PARTITION BY _tp_number) AS _tp_first FROM _tp_named)
    WHERE _tp_row > _tp_first
    GROUP BY _tp_row
), _tp_checked AS (
    SELECT _tp_rows.*, tollproof_after(_tp_draft, _tp_numbers) AS _tp_findings
    FROM _tp_rows LEFT JOIN _tp_repeated ON _tp_row = _tp_later
)
SELECT * EXCLUDE (_tp_row, _tp_draft, _tp_findings),
    {verdict: tollproof_worst(_tp_draft, _tp_findings), findings: _tp_findings} AS tollproof
FROM _tp_checked
"""


def register(connection: "DuckDBPyConnection", linter: Optional[Linter] = None) -> None:
    """Adds functions to a connection. Findings are lists of structs with the columns of `TableCheck.findings`.

    - `tollproof(draft)`: the findings of a draft, a string of JSON or of type JSON.
    - `tollproof_verdict(draft)`: the severity of its worst finding, `clean`, or null for a null or blank draft.
    - `tollproof_numbers(draft)`: the numbers that it names, in one spelling.
    - `tollproof_after(draft, numbers)`: the findings of a draft when drafts before it have these numbers.
    - `tollproof_table(table, draft)`: the rows of a table, which is named in quotes, with a column `tollproof`, a struct of
      `verdict` and `findings`, in place of one that it has. Only it knows that two rows have the same number, because the
      other functions see one draft at a time. The order of rows is not kept.

    Columns with the fields of drafts become a draft with `to_json`, for example `tollproof(to_json(drafts))`. Without a
    `linter`, drafts are checked with the defaults. Registering again replaces the functions. Cursors have them
    too, but each needs this call for `tollproof_table`.
    """
    import duckdb

    linter = linter or Linter()

    def check(drafts: Any) -> Any:
        return _column(linter.check_table(drafts, apart=True).rows, "findings")

    def verdict(drafts: Any) -> Any:
        return _column(linter.check_table(drafts, apart=True).summary, "verdict")

    def numbers(drafts: Any) -> Any:
        return _column(linter.numbers(drafts), "numbers")

    def after(drafts: Any, earlier: Any) -> Any:
        table = pyarrow.table({"draft": drafts, "earlier": earlier})
        return _column(linter.check_table(table, column="draft", earlier="earlier").rows, "findings")

    def same(drafts: Any) -> Any:
        return drafts

    text, texts = duckdb.sqltype("VARCHAR"), duckdb.sqltype("VARCHAR[]")
    findings = duckdb.sqltype(_FINDINGS)
    for name, function, parameters, result in [
        ("tollproof", check, [text], findings),
        ("tollproof_verdict", verdict, [text], text),
        ("tollproof_numbers", numbers, [text], texts),
        # It takes texts alone, where a cast to text would take structs.
        ("tollproof_text", same, [text], text),
        ("tollproof_after", after, [text, texts], findings),
    ]:
        with suppress(duckdb.Error):  # It is there if it was registered before.
            connection.remove_function(name)
        create = cast(Any, connection).create_function
        with suppress(duckdb.CatalogException):  # Cursors have the functions of their connection.
            create(name, function, parameters, result, type="arrow", null_handling="special")
    connection.execute(_WORST)
    connection.execute(_TABLE)


def _column(table: Any, name: str) -> Any:
    return pyarrow.table(table)[name]
