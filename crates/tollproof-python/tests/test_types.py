"""The types: a program that uses the package passes `mypy --strict`, and so does the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = '''
from pathlib import Path
from typing import List, Optional, Tuple

import tollproof


def main() -> List[str]:
    linter = tollproof.Linter({"rules": {"business/no-legal-form": "off"}}, provider="twilio")
    checks = [linter.check({"businessName": "a"}), tollproof.check(Path("a.json")), *linter.check_many(["{}"])]
    place: Optional[Tuple[int, int]] = None
    try:
        linter.check_table(None, column="draft").findings.num_rows
    except tollproof.TollproofError as error:
        place = error.place
    reveal: List[int] = [it.span.start for check in checks for it in check.findings if it.span]
    return [it.message for check in checks for it in check.findings] + [str(place), str(reveal)]
'''


def mypy(*arguments: str) -> None:
    ran = subprocess.run([sys.executable, "-m", "mypy", "--strict", *arguments], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_program_is_typed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    mypy("--cache-dir", str(tmp_path / "cache"), str(program))


def test_the_package_is_typed(tmp_path: Path) -> None:
    config = tmp_path / "mypy.ini"
    # These have no types, or are not installed where Spark is not tested.
    config.write_text("[mypy]\n[mypy-pyarrow.*,pyspark.*]\nignore_missing_imports = true\n")
    mypy("--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), "-p", "tollproof")
