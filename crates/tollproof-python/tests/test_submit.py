"""Submitting on a sandbox: what a call returns, and the exception of each outcome."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import urllib.request
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

import tollproof
from tollproof._submit import _ERRORS


class Desk:
    """A sandbox with a number of ours, and a history."""

    def __init__(self, address: str, folder: Path, clean: Dict[str, Any]) -> None:
        self.address = address
        self.options: Dict[str, Any] = {"history": f"sqlite:{folder}/history.db", "sandbox": address, "yes": True}
        program = os.environ["TOLLPROOF"]
        buy = [program, "number", "buy", "--provider=bird", "--yes", "--output-format=json"]
        buy += [f"--sandbox={address}", f"--history={self.options['history']}"]
        bought = json.loads(subprocess.run(buy, stdout=subprocess.PIPE, check=True).stdout)
        self.draft = {**clean, "phoneNumbers": [bought["calls"][0]["id"]]}

    def fault(self, fault: str) -> None:
        body = json.dumps({"fault": fault, "provider": "bird", "operation": "submit"}).encode()
        urllib.request.urlopen(f"{self.address}/_sandbox/faults", body).read()

    def submitted(self) -> int:
        with urllib.request.urlopen(f"{self.address}/_sandbox/ledger?operation=submit") as ledger:
            return len(json.load(ledger)["calls"])


@pytest.fixture
def desk(tmp_path: Path, clean: Dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    program = os.environ.setdefault("TOLLPROOF", str(Path(__file__).resolve().parents[3] / "target/debug/tollproof"))
    monkeypatch.chdir(tmp_path)
    sandbox = subprocess.Popen([program, "sandbox", "--listen=127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    assert sandbox.stdout
    found = re.search(r"http://[^ ]*\d", sandbox.stdout.readline())
    assert found
    yield Desk(found[0], tmp_path, clean)
    sandbox.kill()
    sandbox.wait()


def test_a_draft_is_submitted_once(desk: Desk) -> None:
    sent = tollproof.submit(desk.draft, **desk.options)
    assert sent.id and not sent.earlier
    again = tollproof.submit(desk.draft, **desk.options)
    assert (again.id, again.earlier, desk.submitted()) == (sent.id, True, 1)


def test_a_lost_answer_is_unknown_and_not_sent_again(desk: Desk) -> None:
    desk.fault("lost-answer")
    with pytest.raises(tollproof.OutcomeUnknown) as unknown:
        tollproof.submit(desk.draft, **desk.options)
    assert unknown.value.attempt and unknown.value.again_at
    copied = pickle.loads(pickle.dumps(unknown.value))
    assert (copied.attempt, str(copied)) == (unknown.value.attempt, str(unknown.value))
    found = tollproof.submit(desk.draft, **desk.options)
    assert (found.earlier, desk.submitted()) == (True, 1)


def test_what_is_refused_has_its_exception_and_sends_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(tollproof.RefusedByGate) as refused:
        tollproof.submit({**desk.draft, "optInWorkflowDescription": "Online."}, **desk.options)
    assert "opt-in/vague-description" in refused.value.rules
    with pytest.raises(tollproof.TollproofError, match="yes=True"):
        tollproof.submit(desk.draft, **{**desk.options, "yes": False})
    with pytest.raises(TypeError):
        tollproof.submit([desk.draft], **desk.options)  # type: ignore[arg-type]
    with pytest.raises(tollproof.NotFinished, match="refused the connection"):
        tollproof.submit(desk.draft, **{**desk.options, "sandbox": "http://127.0.0.1:9", "history": "sqlite:other.db"})
    with pytest.raises(tollproof.SubmitError, match="history"):
        tollproof.submit(desk.draft, **{**desk.options, "history": "nothing://x"})
    monkeypatch.setenv("TOLLPROOF_SANDBOX_KEY", "sandbox-wrong")
    with pytest.raises(tollproof.KeyRefused):
        tollproof.submit(desk.draft, **desk.options)
    assert desk.submitted() <= 1


def test_every_outcome_of_the_program_is_known(root: Path) -> None:
    schema = json.loads((root / "schemas/calls.schema.json").read_text())
    results: List[str] = schema["$defs"]["JsonCall"]["properties"]["result"]["enum"]
    others = {"done", "found", "done-earlier", "not-tried", "bought-in-part", "not-followed", "nothing-arrived", "failed"}
    assert set(results) - others == set(_ERRORS)
