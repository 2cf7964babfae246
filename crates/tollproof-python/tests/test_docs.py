"""The examples of the documentation: Python as it is printed, and the queries of DuckDB."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any, Dict, List

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

import tollproof
import tollproof.duckdb

PAGES = ["docs/python.md", "docs/tables.md"]


def blocks(page: Path, language: str) -> List[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_examples_print_what_the_page_says(page: str, root: Path) -> None:
    shared: Dict[str, Any] = {}
    runner = doctest.DocTestRunner()
    examples = blocks(root / page, "python")
    assert examples
    for text in examples:
        test = doctest.DocTestParser().get_doctest(text, shared, page, page, None)
        test.globs = shared
        runner.run(test, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0


def test_queries_run(
    root: Path, clean: Dict[str, Any], drafts: List[Dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = len(drafts)
    table = pyarrow.table(
        {
            "id": list(range(rows)),
            "client": [f"client {at % 4}" for at in range(rows)],
            "sent": pyarrow.array([20_600 + at % 90 for at in range(rows)], pyarrow.int32()).cast(pyarrow.date32()),
            "verdict": [[None, "rejected", "approved"][at % 3] for at in range(rows)],
            "code": [[None, "30489", None][at % 3] for at in range(rows)],
            "draft": [json.dumps(it) for it in drafts],
        }
    )
    pyarrow.parquet.write_table(table, "submissions.parquet")
    connection = duckdb.connect()
    tollproof.duckdb.register(connection)
    queries = blocks(root / "docs/tables.md", "sql")
    assert len(queries) == 10
    results = [connection.execute(it).fetchall() for it in queries]
    is_empty = [not it for it in results]
    # The first makes tables, and nothing is new since the copy of today.
    assert is_empty == [True, *[False] * 8, True], is_empty
    assert all(words and "\ufffd" not in words for _, _, words, _ in results[7])
