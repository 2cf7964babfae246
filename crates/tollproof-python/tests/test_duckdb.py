"""DuckDB: the functions see one draft at a time, and the table function sees the whole table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import duckdb
import pytest

import tollproof
import tollproof.duckdb
from conftest import NOW

SAME = "history/duplicate-in-batch"

Row = Dict[str, Any]


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    tollproof.duckdb.register(connection, tollproof.Linter(now=NOW))
    yield connection
    connection.close()


def essence(row: int, found: Row) -> Tuple[Any, ...]:
    return (row, *(found[name] for name in ["rule", "severity", "message", "help", "pointer"]))


def test_a_table_has_the_findings_of_the_command_line(
    connection: duckdb.DuckDBPyConnection, drafts: List[Row], command_line: Callable[..., str], tmp_path: Path
) -> None:
    drafts = drafts * 20
    text = "".join(json.dumps(it) + "\n" for it in drafts).encode()
    report = json.loads(command_line("--no-config", "--stdin-filename", "a.ndjson", "-", text=text, folder=tmp_path))
    expected = [essence(it["document"], it) for it in report["findings"]]
    assert sum(it[1] == SAME for it in expected) > 3_000
    connection.execute("CREATE TABLE drafts (id INTEGER, draft JSON)")
    connection.executemany("INSERT INTO drafts VALUES (?, ?)", [[at, json.dumps(it)] for at, it in enumerate(drafts)])
    connection.execute(f"COPY drafts TO '{tmp_path}/drafts.parquet'")
    for table, draft in [("drafts", "draft"), (f"{tmp_path}/drafts.parquet", "draft")]:
        rows = connection.execute(f"SELECT id, tollproof.verdict, tollproof.findings FROM tollproof_table('{table}', {draft})").fetchall()
        rows.sort()
        assert [essence(id, it) for id, _, found in rows for it in found] == expected
        assert [verdict for _, verdict, _ in rows] == [worst(found) for _, _, found in rows]
    apart = connection.execute("SELECT id, tollproof(draft), tollproof_verdict(draft) FROM drafts ORDER BY id").fetchall()
    assert [essence(id, it) for id, found, _ in apart for it in found] == [it for it in expected if it[1] != SAME]
    assert [verdict for _, _, verdict in apart] == [worst(found) for _, found, _ in apart]


def worst(findings: List[Row]) -> str:
    found = {it["severity"] for it in findings}
    return next((it for it in ["error", "warning", "info"] if it in found), "clean")


def test_columns_become_a_draft(connection: duckdb.DuckDBPyConnection, clean: Row, drafts: List[Row]) -> None:
    connection.execute("CREATE TABLE flat AS SELECT 'appointments' AS useCase, ['7'] AS phoneNumbers, 3 AS client")
    found = connection.execute("SELECT unnest(tollproof(to_json(flat))).pointer FROM flat").fetchall()
    assert ("/useCase",) in found
    query = """
        SELECT client, unnest(tollproof.findings).pointer
        FROM tollproof_table('flat', to_json({useCase: useCase, phoneNumbers: phoneNumbers}))
    """
    assert (3, "/useCase") in connection.execute(query).fetchall()


def test_rows_without_a_draft_stay_rows(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE TABLE odd (id INTEGER, draft VARCHAR)")
    texts = [None, "", " \n", "{", "null", "\u2603", "[1]", "x" * 100_000]
    connection.executemany("INSERT INTO odd VALUES (?, ?)", [[at, it] for at, it in enumerate(texts)])
    rows = connection.execute("SELECT id, tollproof.verdict FROM tollproof_table('odd', draft) ORDER BY id").fetchall()
    assert rows == [(at, None if at < 3 else "error") for at in range(len(texts))]
    verdicts = connection.execute("SELECT id, tollproof_verdict(draft) FROM odd ORDER BY id").fetchall()
    assert verdicts == rows
    assert connection.execute("SELECT * FROM tollproof_table('odd', draft) LIMIT 0").fetchall() == []
    connection.execute("DELETE FROM odd")
    assert connection.execute("SELECT * FROM tollproof_table('odd', draft)").fetchall() == []


def test_names_of_columns_do_not_matter(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("""
        CREATE TABLE t AS SELECT id, 1 AS numbers, 2 AS number, 3 AS row, 4 AS findings, 5 AS tollproof_findings,
            '{"useCase": "appointments", "phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-000000000001"]}' AS draft
        FROM range(2) it(id)
    """)
    connection.execute("CREATE TABLE checked AS FROM tollproof_table('t', draft)")
    again = connection.execute("FROM tollproof_table('checked', draft)")
    names = [it[0] for it in again.description]
    assert names == ["id", "numbers", "number", "row", "findings", "tollproof_findings", "draft", "tollproof"]
    rows = again.fetchall()
    assert sorted(SAME in {it["rule"] for it in row[-1]["findings"]} for row in rows) == [False, True]
    connection.execute("CREATE TABLE s AS SELECT {useCase: 'appointments'} AS d")
    with pytest.raises(duckdb.Error):
        connection.execute("FROM tollproof_table('s', d)")
    assert connection.execute("SELECT tollproof.verdict FROM tollproof_table('s', to_json(d))").fetchall() == [("error",)]


def test_registering_again_replaces(connection: duckdb.DuckDBPyConnection) -> None:
    off = {"rules": {"structure/missing-field": "off", "number/not-one-number": "off"}}
    query = "SELECT list_transform(tollproof.findings, lambda it: it.rule) FROM tollproof_table('t', draft)"
    connection.execute("""CREATE TABLE t AS SELECT '{"useCase": "Surveys"}' AS draft""")
    assert "structure/missing-field" in connection.execute(query).fetchall()[0][0]
    tollproof.duckdb.register(connection, tollproof.Linter(off))
    assert "structure/missing-field" not in connection.execute(query).fetchall()[0][0]
    cursor = connection.cursor()
    tollproof.duckdb.register(cursor)
    assert "structure/missing-field" not in cursor.execute(query).fetchall()[0][0]


def test_an_error_of_the_engine_is_one_of_duckdb(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="nothing_here"):
        connection.execute("SELECT * FROM tollproof_table('nothing_here', draft)")
    with pytest.raises(duckdb.Error):
        connection.execute("SELECT tollproof(1, 2)")
