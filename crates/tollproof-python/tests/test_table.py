"""Tables: the same findings as for their drafts, from any library, in bounded batches."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, Callable, Dict, List, Tuple

import duckdb
import polars
import pyarrow
import pytest

import tollproof
from conftest import NOW

Row = Dict[str, Any]

LINTER = tollproof.Linter(now=NOW)


def rows_of(table: tollproof.ResultTable) -> List[Row]:
    rows: List[Row] = pyarrow.table(table).to_pylist()
    return rows


def essence(findings: List[Row], row: str) -> List[Tuple[Any, ...]]:
    names = [row, "rule", "severity", "message", "help", "pointer"]
    return [tuple(it[name] for name in names) for it in findings]


@pytest.fixture(scope="module")
def reported(drafts: List[Row], command_line: Callable[..., str], tmp_path_factory: Any) -> List[Row]:
    """What the command line finds in the drafts as NDJSON."""
    text = "".join(json.dumps(it) + "\n" for it in drafts).encode()
    folder = tmp_path_factory.mktemp("reported")
    report = command_line("--no-config", "--stdin-filename", "table.ndjson", "-", text=text, folder=folder)
    findings: List[Row] = json.loads(report)["findings"]
    assert {"history/duplicate-in-batch", "structure/missing-field"} <= {it["rule"] for it in findings}
    return findings


def test_strings_of_json_have_the_findings_of_the_command_line(drafts: List[Row], reported: List[Row]) -> None:
    texts = [json.dumps(it) for it in drafts]
    table = pyarrow.table({"id": list(range(len(texts))), "draft": texts})
    frame = polars.DataFrame({"id": range(len(texts)), "draft": texts})
    relation = duckdb.sql("select * from frame")
    views = pyarrow.table({"draft": pyarrow.array(texts, pyarrow.string_view())})
    encoded = pyarrow.table({"draft": pyarrow.array(texts).dictionary_encode()})
    for made in [table, table.to_reader(max_chunksize=7), table.to_batches()[0], frame, relation, views, encoded]:
        result = LINTER.check_table(made, column="draft")
        assert essence(rows_of(result.findings), "row") == essence(reported, "document"), type(made)
        assert len(result.summary) == len(texts)
    result = LINTER.check_table(table["draft"])
    assert essence(rows_of(result.findings), "row") == essence(reported, "document")


def test_spans_are_in_the_value(drafts: List[Row], reported: List[Row]) -> None:
    texts = [json.dumps(it, ensure_ascii=False, indent=1) for it in drafts]
    found = rows_of(LINTER.check_table(pyarrow.table({"draft": texts}), column="draft").findings)
    for row in found:
        part = texts[row["row"]].encode()[row["span_start"] : row["span_end"]].decode()
        assert part and not part.startswith(":")
    frame = polars.DataFrame(drafts, infer_schema_length=None)
    parts = 0
    for row in rows_of(LINTER.check_table(frame).findings):
        if row["span_start"] is None:
            continue
        value: Any = drafts[row["row"]]
        for key in row["pointer"].split("/")[1:]:
            value = value[int(key)] if isinstance(value, list) else value[key]
        part = value.encode()[row["span_start"] : row["span_end"]].decode()
        parts += 1
        if row["rule"] == "message/shortened-link":
            assert "bit.ly" in part
    assert parts > 10
    assert len(found) == len(reported)


def test_nested_columns_are_payloads(drafts: List[Row], reported: List[Row]) -> None:
    frame = polars.DataFrame(drafts, infer_schema_length=None)
    for made, column in [
        (frame, None),
        (polars.DataFrame({"draft": frame.to_struct()}), "draft"),
        (pyarrow.table({"draft": pyarrow.array(drafts)}), "draft"),
    ]:
        result = LINTER.check_table(made, column=column)
        assert essence(rows_of(result.findings), "row") == essence(reported, "document")
    mapped = frame.rename({"useCase": "purpose"}).with_columns(note=polars.lit("x"))
    result = LINTER.check_table(mapped, columns={"purpose": "useCase", "note": None})
    assert essence(rows_of(result.findings), "row") == essence(reported, "document")
    assert "purpose" in {it["field"] for it in rows_of(result.findings)}


def test_flat_columns_are_a_sheet(command_line: Callable[..., str], tmp_path: Any) -> None:
    headings = ["Business name", "Website", "Use case", "Sample message", "Toll-free number", "Zip"]
    rows = [
        ["Fernhollow Flowers LLC", "fernhollow,flowers", "appointments", 'a "b"\nSTOP', "8334726150", "02134"],
        ["", "", "", "", "", ""],
        ["Fernhollow Flowers LLC", "http://bit.ly/x", "", "x", "8334726150", "2134"],
    ] * 5
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([headings, *rows])
    report = command_line(
        "--no-config", "--stdin-filename", "table.csv", "-", text=text.getvalue().encode(), folder=tmp_path
    )
    table = pyarrow.table({name: [row[at] for row in rows] for at, name in enumerate(headings)})
    found = rows_of(LINTER.check_table(table).findings)
    # A file names a missing column once, at the headings. Each row of a table has its own verdict, for which it counts.
    missing = [it for it in json.loads(report)["findings"] if it["rule"] == "structure/missing-field"]
    others = [it for it in json.loads(report)["findings"] if it not in missing]
    assert len(missing) == 11 and {it["document"] for it in missing} == {0}
    drafts = [at for at, row in enumerate(rows) if any(row)]
    in_each = [it | {"document": at} for at in drafts for it in missing]
    assert sorted(essence(found, "row")) == sorted(essence([*others, *in_each], "document"))
    assert "Website" in {it["field"] for it in found}
    for row in found:
        if row["span_start"] is not None and row["field"] in headings:
            value = rows[row["row"]][headings.index(row["field"])]
            assert value.encode()[row["span_start"] : row["span_end"]]
    summary = rows_of(LINTER.check_table(table).summary)
    assert [it["row"] for it in summary] == list(range(len(rows)))
    assert summary[1]["verdict"] is None, "a row without any cell is not a draft"


def test_a_column_has_the_field_that_it_is_given() -> None:
    table = pyarrow.table({"Firma": ["Fernhollow Flowers LLC"], "Zweck": ["appointments"], "id": [7]})
    columns = {"Firma": "businessName", "Zweck": "useCase", "id": None}
    rows = rows_of(LINTER.check_table(table, columns=columns).findings)
    (row,) = [it for it in rows if it["rule"] == "use-case/unknown-use-case"]
    assert (row["field"], row["pointer"], row["row"]) == ("Zweck", "/useCase", 0)
    with pytest.raises(tollproof.TollproofError, match="no column `Zwecke`"):
        LINTER.check_table(table, columns={"Zwecke": "useCase"})
    with pytest.raises(tollproof.TollproofError, match="no column `draft`"):
        LINTER.check_table(table, column="draft")


def test_rows_without_a_draft_stay_rows() -> None:
    texts = [None, "", "  \n", "{", "[", "1", "null", "]", '"a"', "{}{}", "\ufeff{}", "%PDF-1.4", "\0", "x" * 100_000]
    result = LINTER.check_table(pyarrow.table({"draft": texts}), column="draft")
    summary = rows_of(result.summary)
    assert [it["row"] for it in summary] == list(range(len(texts)))
    assert [it["verdict"] for it in summary] == [None] * 3 + ["error"] * (len(texts) - 3), summary
    split = ['[{"businessName": "a"},', '{"businessName": "b"}]']
    summary = rows_of(LINTER.check_table(pyarrow.table({"draft": split}), column="draft").summary)
    assert [it["verdict"] for it in summary] == ["error", "error"]
    for empty in [pyarrow.table({"draft": pyarrow.array([], pyarrow.string())}), polars.DataFrame({"draft": []}, schema={"draft": polars.String})]:
        result = LINTER.check_table(empty, column="draft")
        assert (len(result.findings), len(result.summary)) == (0, 0)
        assert pyarrow.table(result.summary).column_names[0] == "row"


def test_a_finding_does_not_depend_on_other_rows(drafts: List[Row]) -> None:
    texts = [json.dumps({name: value for name, value in it.items() if name != "phoneNumbers"}) for it in drafts[:40]]

    def fingerprints(table: Any) -> List[str]:
        return [it["fingerprint"] for it in rows_of(LINTER.check_table(table, column="draft").findings)]

    table = pyarrow.table({"draft": texts})
    each = [fingerprints(table.slice(at, 1)) for at in range(len(texts))]
    assert fingerprints(table) == [it for row in each for it in row]
    assert fingerprints(table.slice(1)) == [it for row in each[1:] for it in row]
    flat = pyarrow.table({"Business name": ["Fernhollow Flowers LLC"] * 3, "Use case": ["a", "b", "b"]})
    of_rows = [fingerprints_of_row(flat, at) for at in range(3)]
    assert of_rows[1] == of_rows[2] != of_rows[0]


def fingerprints_of_row(table: Any, row: int) -> List[str]:
    return [it["fingerprint"] for it in rows_of(LINTER.check_table(table).findings) if it["row"] == row]


def test_columns_that_nothing_knows_are_refused() -> None:
    with pytest.raises(tollproof.TollproofError, match="none of the 2 columns is a field") as raised:
        LINTER.check_table(pyarrow.table({"Firma": [None, "x"], "Zweck": [None, "y"]}))
    assert "columns" in str(raised.value)


def test_a_cell_is_read_as_a_file_is(root: Any) -> None:
    text = (root / "tests/drafts/aws/harvest-loop-grocers.json").read_text()
    alone = LINTER.check(text, name="table.json")
    for made in [[text], [text.encode()], ["\ufeff" + text]]:
        found = rows_of(LINTER.check_table(pyarrow.table({"draft": made}), column="draft").findings)
        offset = len("\ufeff".encode()) if made[0][0] == "\ufeff" else 0
        if offset:
            assert found.pop(0)["rule"] == "input/encoding"
        assert [(it["rule"], it["message"]) for it in found] == [(it.rule, it.message) for it in alone.findings]
        spans = [(it.span.start + offset, it.span.end + offset) for it in alone.findings if it.span]
        assert [(it["span_start"], it["span_end"]) for it in found] == spans
    wrong = pyarrow.table({"draft": pyarrow.array([b"\xff{}"])})
    assert rows_of(LINTER.check_table(wrong, column="draft").findings)[0]["rule"] == "input/encoding"


def test_no_row_is_without_findings_because_another_has_many() -> None:
    many = json.dumps({"phoneNumbers": [f"x{at}" for at in range(5_000)]})
    texts = ["{}", many, many, '{"useCase": "appointments"}', "{"] * 6
    summary = rows_of(LINTER.check_table(pyarrow.table({"draft": texts}), column="draft").summary)
    assert all(it["errors"] > 0 for it in summary), summary


def test_batches_have_the_results_of_the_whole(drafts: List[Row]) -> None:
    table = pyarrow.table({"draft": [json.dumps(it) for it in drafts]})
    whole = LINTER.check_table(table, column="draft")
    batches = list(LINTER.check_batches(table, column="draft", batch_size=50))
    assert len(batches) >= 3
    assert [it for batch in batches for it in rows_of(batch.findings)] == rows_of(whole.findings)
    assert [it for batch in batches for it in rows_of(batch.summary)] == rows_of(whole.summary)


def test_results_are_read_by_any_library(drafts: List[Row]) -> None:
    result = LINTER.check_table(pyarrow.table({"draft": [json.dumps(it) for it in drafts]}), column="draft")
    frame = polars.DataFrame(result.findings)
    table = pyarrow.table(result.findings)
    assert frame.height == table.num_rows == len(result.findings) == result.findings.num_rows
    assert duckdb.sql("select count(*) from frame").fetchall() == [(table.num_rows,)]
    assert table.schema.field("row").type == pyarrow.int64()
    assert set(frame["severity"]) <= {"error", "warning", "info"}
    assert set(polars.DataFrame(result.summary)["verdict"]) <= {"error", "warning", "info", "clean"}
    assert repr(result) == f"<TableCheck: {len(drafts)} rows, {table.num_rows} findings>"


def test_types_that_are_not_text_are_refused_or_written() -> None:
    import datetime

    table = pyarrow.table(
        {
            "businessName": ["a", None],
            "messageVolume": [10_000, None],
            "testMode": [True, False],
            "at": [datetime.datetime(2026, 1, 1), None],
            "share": [1.5, float("nan")],
            "zip": [2134.0, None],
        }
    )
    assert len(LINTER.check_table(table).summary) == 2
    with pytest.raises(tollproof.TollproofError, match="has no drafts"):
        LINTER.check_table(table, column="messageVolume")
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        LINTER.check_table([{"businessName": "a"}])
    with pytest.raises(tollproof.TollproofError, match="no columns"):
        LINTER.check_table(pyarrow.table({"a": ["{}"]})["a"], column="a")


def test_an_error_of_the_table_is_an_exception() -> None:
    schema = pyarrow.schema({"draft": pyarrow.string()})

    def batches() -> Any:
        yield pyarrow.record_batch({"draft": ["{}"] * 5}, schema=schema)
        raise RuntimeError("the source failed")

    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(tollproof.TollproofError, match="the source failed"):
        LINTER.check_table(reader, column="draft")


def test_the_index_of_pandas_is_no_part_of_a_draft() -> None:
    fields = {"businessName": ["A", "B"], "useCase": ["2FA"] * 2}
    metadata = {"pandas": json.dumps({"index_columns": ["client"]})}
    for index, metadata in [("__index_level_0__", {}), ("client", metadata)]:
        table = pyarrow.table({**fields, index: [5, 3]}).replace_schema_metadata(metadata)
        found = rows_of(LINTER.check_table(table).findings)
        assert not [it for it in found if it["rule"] == "structure/unknown-field"], found


def test_a_column_of_json_names_the_argument() -> None:
    with pytest.raises(tollproof.TollproofError, match='JSON in the column `draft`') as raised:
        LINTER.check_table(pyarrow.table({"id": [1], "draft": ['{"businessName": "A"}'], "client": ["x"]}))
    assert 'column="draft"' in str(raised.value)
