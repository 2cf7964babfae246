"""What the tests share: the repository, the program, and drafts."""

from __future__ import annotations

import copy
import json
import os
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

ROOT = Path(__file__).resolve().parents[3]

NOW = "2026-11-21T08:00:00Z"


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def command_line() -> Callable[..., str]:
    """Runs `tollproof check`, and returns its JSON report. TOLLPROOF is the program; by default, that of a debug build."""
    program = os.environ.get("TOLLPROOF", str(ROOT / "target/debug/tollproof"))

    def run(*arguments: str, text: bytes = b"", folder: Path = ROOT) -> str:
        options = ["check", "--now", NOW, "--min-severity", "info", "--output-format", "json"]
        ran = subprocess.run([program, *options, *arguments], input=text, capture_output=True, cwd=folder)
        assert ran.returncode in (0, 1), ran.stderr.decode()
        return ran.stdout.decode()

    return run


@pytest.fixture(scope="session")
def samples() -> List[Path]:
    """The sample drafts of the repository, of all providers and in all formats."""
    folders = [ROOT / "tests/drafts", *(it / "samples" for it in (ROOT / "schemas").iterdir() if it.is_dir())]
    files = [it for folder in folders for it in sorted(folder.rglob("*")) if it.is_file()]
    files = [it for it in files if it.suffix in {".json", ".yaml", ".ndjson", ".csv"}]
    assert len(files) > 20, files
    return files


@pytest.fixture(scope="session")
def clean() -> Dict[str, Any]:
    """A draft without an error."""
    draft: Dict[str, Any] = json.loads((ROOT / "schemas/bird/samples/submit-request.json").read_text())
    return draft


@pytest.fixture(scope="session")
def drafts(clean: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Two hundred drafts, most of them with something wrong, and some with the same number."""
    made = []
    for at in range(200):
        draft = copy.deepcopy(clean)
        fields = sorted(draft)
        field = fields[at % len(fields)]
        if at % 3 == 0:
            del draft[field]
        elif at % 3 == 1 and isinstance(draft[field], str):
            draft[field] = 'Zoë says "free\tmoney" ☃\nhttp://bit.ly/x'
        if at % 7 and "phoneNumbers" in draft:
            draft["phoneNumbers"] = [f"9a1b2c3d-4e5f-4061-8273-{at:012x}"]
        made.append(draft)
    return made
