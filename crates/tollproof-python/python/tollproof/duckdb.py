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

from typing import TYPE_CHECKING, Any, Optional, cast

import pyarrow

from ._check import Linter

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_FINDINGS = (
    "STRUCT(rule VARCHAR, severity VARCHAR, field VARCHAR, message VARCHAR, help VARCHAR,"
    " span_start BIGINT, span_end BIGINT, pointer VARCHAR, fingerprint VARCHAR)[]"
)

_VERDICT = """
CREATE OR REPLACE TEMP MACRO tollproof_worst(findings) AS CASE
    WHEN len(list_filter(findings, lambda it: it.severity = 'error')) > 0 THEN 'error'
    WHEN len(list_filter(findings, lambda it: it.severity = 'warning')) > 0 THEN 'warning'
    WHEN len(findings) > 0 THEN 'info'
    ELSE 'clean'
END
"""

_TABLE = """
CREATE OR REPLACE TEMP MACRO tollproof_table(drafts, draft) AS TABLE
WITH numbered AS MATERIALIZED (
    SELECT row_number() OVER () - 1 AS tollproof_row, draft::VARCHAR AS tollproof_draft, * FROM query_table(drafts)
), named AS (
    SELECT tollproof_row, unnest(tollproof_numbers(tollproof_draft)) AS number FROM numbered
), repeated AS (
    SELECT tollproof_row, list(number) AS numbers
    FROM (SELECT *, min(tollproof_row) OVER (PARTITION BY number) AS first_row FROM named)
    WHERE tollproof_row > first_row
    GROUP BY tollproof_row
), checked AS (
    SELECT numbered.*, tollproof_after(tollproof_draft, numbers) AS tollproof_findings
    FROM numbered LEFT JOIN repeated USING (tollproof_row)
)
SELECT * EXCLUDE (tollproof_row, tollproof_draft, tollproof_findings),
    {verdict: tollproof_worst(tollproof_findings), findings: tollproof_findings} AS tollproof
FROM checked
"""


def register(connection: "DuckDBPyConnection", linter: Optional[Linter] = None) -> None:
    """Adds functions to a connection. Findings are lists of structs with the columns of `TableCheck.findings`.

    - `tollproof(draft)`: the findings of a draft, a string of JSON or of type JSON.
    - `tollproof_verdict(draft)`: the severity of its worst finding, or `clean`.
    - `tollproof_numbers(draft)`: the numbers that it names, in one spelling.
    - `tollproof_after(draft, numbers)`: the findings of a draft when drafts before it have these numbers.
    - `tollproof_table(table, draft)`: the rows of a table, which is named in quotes, with one more column `tollproof`, a
      struct of `verdict` and `findings`. Only it knows that two rows have the same number, because the other functions see one draft at a time.

    Columns with the fields of drafts become a draft with `to_json`, for example `tollproof(to_json(drafts))`. Without a
    `linter`, drafts are checked with the defaults.
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

    text, texts = duckdb.sqltype("VARCHAR"), duckdb.sqltype("VARCHAR[]")
    findings = duckdb.sqltype(_FINDINGS)
    for name, function, parameters, result in [
        ("tollproof", check, [text], findings),
        ("tollproof_verdict", verdict, [text], text),
        ("tollproof_numbers", numbers, [text], texts),
        ("tollproof_after", after, [text, texts], findings),
    ]:
        create = cast(Any, connection).create_function
        create(name, function, parameters, result, type="arrow", null_handling="special")
    connection.execute(_VERDICT)
    connection.execute(_TABLE)


def _column(table: Any, name: str) -> Any:
    return pyarrow.table(table)[name]
