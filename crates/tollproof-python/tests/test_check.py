"""One draft: values, texts, files; and the same findings as the command line."""

from __future__ import annotations

import json
import pickle
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

import tollproof
from conftest import NOW


def test_files_have_the_report_of_the_command_line(
    samples: List[Path], root: Path, command_line: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    findings = 0
    for sample in samples:
        path = sample.relative_to(root)
        result = tollproof.check(path, now=NOW)
        assert result.to_json() == command_line(str(path)), path
        findings += len(result.findings)
    assert findings > 100


def test_texts_have_the_report_of_the_command_line(
    samples: List[Path], command_line: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for sample in samples:
        text = sample.read_bytes()
        report = command_line("--no-config", "--stdin-filename", sample.name, "-", text=text, folder=tmp_path)
        assert tollproof.check(text, name=sample.name, now=NOW).to_json() == report, sample
        if b"\r" not in text:
            assert tollproof.check(text.decode(), name=sample.name, now=NOW).to_json() == report, sample


def test_values_have_the_findings_of_their_text(drafts: List[Dict[str, Any]]) -> None:
    linter = tollproof.Linter(now=NOW)
    for draft in drafts[:60]:
        of_value, of_text = linter.check(draft), linter.check(json.dumps(draft))
        assert [(it.rule, it.pointer, it.message, it.help, it.severity) for it in of_value.findings] == [
            (it.rule, it.pointer, it.message, it.help, it.severity) for it in of_text.findings
        ]
        assert all(it.span is None and it.fix is None for it in of_value.findings)
        assert all(it.file == "draft" for it in of_value.findings)


def test_a_folder_has_the_report_of_the_command_line(
    root: Path, command_line: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    assert tollproof.check(Path("tests/drafts"), now=NOW).to_json() == command_line("tests/drafts")


def test_settings_of_a_file_apply(tmp_path: Path, clean: Dict[str, Any]) -> None:
    (tmp_path / "tollproof.yaml").write_text("rules: {structure/missing-field: info}\n")
    draft = {name: value for name, value in clean.items() if name != "useCase"}
    (tmp_path / "draft.json").write_text(json.dumps(draft))
    assert tollproof.check(tmp_path / "draft.json").errors == 0
    text = (tmp_path / "draft.json").read_text()
    assert tollproof.check(text).errors == 1, "a text has no folder"
    assert tollproof.check(text, settings=tmp_path / "tollproof.yaml").errors == 0
    assert tollproof.check(text, settings={"rules": {"structure/missing-field": "info"}}).ok


def test_the_name_or_the_format_decides_how_a_text_is_read() -> None:
    text = "businessName\nFernhollow Flowers LLC\n"
    by_name, by_format = tollproof.check(text, name="a.csv"), tollproof.check(text, format="csv")
    assert [it.message for it in by_name.findings] == [it.message for it in by_format.findings]
    assert by_format.findings[0].file == "draft.csv"
    with pytest.raises(tollproof.TollproofError, match="unknown format"):
        tollproof.check(text, format="xml")


def test_messages_are_in_a_language(clean: Dict[str, Any]) -> None:
    draft = {**clean, "useCase": "appointments"}
    english, french = tollproof.check(draft), tollproof.check(draft, language="fr-CA")
    assert [it.rule for it in english.findings] == [it.rule for it in french.findings]
    assert english.findings[0].message != french.findings[0].message


def test_facts_and_readings_are_arguments(tmp_path: Path) -> None:
    draft = {"corporateWebsite": "https://www.quillbackkayak.com", "useCase": "Surveys"}
    seen = {
        "address": "https://www.quillbackkayak.com/",
        "at": "2026-11-20T08:00:00Z",
        "version": 1,
        "outcome": "not-found",
    }
    result = tollproof.check(draft, facts=[seen], now=datetime(2026, 11, 21, 8, tzinfo=timezone.utc))
    assert "website/not-found" in {it.rule for it in result.findings}
    path = tmp_path / "facts.ndjson"
    path.write_text(json.dumps(seen) + "\n")
    assert tollproof.check(draft, facts=path, now=NOW).to_json() == result.to_json()
    with pytest.raises(tollproof.TollproofError):
        tollproof.check(draft, facts=tmp_path / "missing.ndjson")


def test_many_drafts_are_one_run_in_their_order(drafts: List[Dict[str, Any]]) -> None:
    linter = tollproof.Linter(now=NOW)
    several = list(linter.check_many(drafts))
    assert len(several) == len(drafts)
    same = "history/duplicate-in-batch"
    for at, (draft, result) in enumerate(zip(drafts, several)):
        own = [(it.rule, it.pointer, it.message) for it in result.findings if it.rule != same]
        assert own == [(it.rule, it.pointer, it.message) for it in linter.check(draft).findings]
        assert all(it.file == f"drafts[{at}]" for it in result.findings)
    found = [it for result in several for it in result.findings if it.rule == same]
    assert found and found[0].related[0].file == "drafts[0]"


def test_many_drafts_are_read_as_they_are_needed(clean: Dict[str, Any]) -> None:
    read = []

    def endless() -> Any:
        while True:
            read.append(None)
            yield clean

    results = tollproof.Linter().check_many(endless())
    for _ in range(3):
        next(results)
    assert len(read) <= 256

    def broken() -> Any:
        yield clean
        raise RuntimeError("the source failed")

    results = tollproof.Linter().check_many(broken())
    assert next(results).documents == 1
    with pytest.raises(RuntimeError, match="the source failed"):
        next(results)
    assert list(tollproof.Linter().check_many([])) == []


def test_results_are_frozen_and_say_what_they_are(clean: Dict[str, Any]) -> None:
    result = tollproof.check({**clean, "useCase": "appointments"})
    finding = result.findings[0]
    with pytest.raises(AttributeError):
        finding.rule = "other"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        result.errors = 0  # type: ignore[misc]
    assert "use-case/unknown-use-case at /useCase" in repr(finding)
    assert clean["businessName"] not in repr(result)
    assert pickle.loads(pickle.dumps(finding)) == finding
    assert result.errors == sum(it.severity == "error" for it in result.findings)
    assert result.ok == (result.errors == 0)
