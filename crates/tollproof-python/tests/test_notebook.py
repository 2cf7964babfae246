"""What notebooks use: results as HTML, and rules measured on verdicts."""

from __future__ import annotations

import json
from typing import Any, Dict, List

import polars
import pyarrow
import pytest

import tollproof
from conftest import NOW

LINTER = tollproof.Linter(now=NOW)


def test_a_check_marks_the_words_that_are_wrong(clean: Dict[str, Any]) -> None:
    draft = {**clean, "additionalInformation": "<b>See</b> http://bit.ly/x now", "useCase": "appointments"}
    for shown in [draft, json.dumps(draft, indent=1)]:
        html = LINTER.check(shown)._repr_html_()
        assert "<mark>appointments</mark>" in html
        assert "use-case/unknown-use-case" in html and "<script" not in html
    missing = LINTER.check({"useCase": "Surveys"})._repr_html_()
    assert "is missing" in missing and "<mark>{" not in missing
    hostile = LINTER.check({"useCase": "<script>alert(1)</script>"})._repr_html_()
    assert "<script" not in hostile and "&lt;script&gt;" in hostile
    many = LINTER.check({"phoneNumbers": [f"<i>{at}" for at in range(400)]})._repr_html_()
    assert many.count("<tr>") == 101 and "more are not shown" in many
    assert LINTER.check("[]", name="a.json")._repr_html_()


def test_a_table_shows_its_first_findings(drafts: List[Dict[str, Any]]) -> None:
    result = LINTER.check_table(pyarrow.table({"draft": [json.dumps(it) for it in drafts]}), column="draft")
    html = result._repr_html_()
    assert f"{len(drafts)} rows were checked" in html and "use-case" in html
    assert LINTER.check_table(pyarrow.table({"draft": pyarrow.array([], pyarrow.string())}), column="draft")._repr_html_()


def test_rows_have_their_findings_in_a_list(drafts: List[Dict[str, Any]]) -> None:
    table = pyarrow.table({"draft": [json.dumps(it) for it in drafts]})
    result = LINTER.check_table(table, column="draft", batch_size=64)
    rows = pyarrow.table(result.rows).to_pylist()
    assert rows == result.rows.to_pylist()
    flat = [{"row": row["row"], **found} for row in rows for found in row["findings"]]
    assert flat == pyarrow.table(result.findings).to_pylist() == result.findings.to_pylist()
    assert result.findings.to_pylist(3, 5) == flat[3:5]
    assert all(len(it["findings"]) == it["errors"] + it["warnings"] + it["infos"] for it in rows)


def test_rows_apart_do_not_see_each_other(clean: Dict[str, Any]) -> None:
    same = "history/duplicate-in-batch"
    texts = [json.dumps(clean)] * 3
    numbers = pyarrow.table(LINTER.numbers(pyarrow.table({"draft": texts})["draft"]))["numbers"].to_pylist()
    assert numbers[0] and numbers == [numbers[0]] * 3

    def found(**options: Any) -> List[int]:
        table = pyarrow.table({"draft": texts, "before": [None, [], numbers[0]]})
        result = LINTER.check_table(table, column="draft", **options)
        return [it["row"] for it in result.findings.to_pylist() if it["rule"] == same]

    assert found() == [1, 2]
    assert found(apart=True) == []
    assert found(earlier="before") == [2]
    with pytest.raises(tollproof.TollproofError, match="no column"):
        found(earlier="after")
    with pytest.raises(tollproof.TollproofError, match="lists of strings"):
        LINTER.check_table(pyarrow.table({"draft": texts, "before": [1, 2, 3]}), column="draft", earlier="before")


def test_rules_are_measured_on_verdicts(clean: Dict[str, Any]) -> None:
    bad = {**clean, "useCase": "appointments"}
    rows = {
        "draft": [json.dumps(it) for it in [clean, bad, bad, bad, clean]],
        "verdict": ["approved", "REJECTED", "approved", "pending", "rejected"],
        "code": [None, "1", None, None, ""],
    }
    for table in [polars.DataFrame(rows), pyarrow.table(rows)]:
        result = tollproof.eval(table, column="draft", code="code", linter=LINTER)
        assert (result.rejected, result.approved, result.skipped) == (2, 2, 1)
        assert (result.rejected_with_error, result.approved_with_error) == (1, 1)
        assert (result.with_code, result.code_found) == (1, 0)
        score = next(it for it in result.rules if it.rule == "use-case/unknown-use-case")
        assert (score.rejected, score.approved, score.precision, score.severity) == (1, 1, 0.5, "error")
        assert "use-case/unknown-use-case" in result._repr_html_()
        assert polars.DataFrame(result.rules)["rule"].to_list() == [it.rule for it in result.rules]
    rule = next(it for it in tollproof.rules() if it.id == "structure/missing-field" or it.prevents)
    assert rule.prevents
    flat = polars.DataFrame({"useCase": ["appointments"], "approved": [False]})
    assert tollproof.eval(flat, "approved").rejected == 1
    with pytest.raises(tollproof.TollproofError, match="no column `outcome`"):
        tollproof.eval(flat, "outcome")
    statuses = pyarrow.table({"draft": ["{}", "{}"], "verdict": ["TWILIO_REJECTED", "IN_REVIEW"]})
    measured = tollproof.eval(statuses, column="draft", linter=LINTER)
    assert (measured.rejected, measured.skipped, measured.skipped_verdicts) == (1, 1, {"IN_REVIEW": 1})
    with pytest.raises(tollproof.TollproofError, match="`no`"):
        tollproof.eval(pyarrow.table({"draft": ["{}"], "verdict": ["no"]}), column="draft", linter=LINTER)
