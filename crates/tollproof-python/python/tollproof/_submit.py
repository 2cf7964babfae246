"""Submits a draft by the program of this package, which alone connects to providers."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Type, Union

from ._errors import (
    Busy,
    Gone,
    KeyRefused,
    NotFinished,
    OpenElsewhere,
    OtherAccount,
    OutcomeUnknown,
    RateLimited,
    RefusedByGate,
    RefusedByProvider,
    RejectedEarlier,
    SubmitError,
    TollproofError,
)

_ERRORS: Dict[str, Type[SubmitError]] = {
    "rejected-earlier": RejectedEarlier,
    "open-elsewhere": OpenElsewhere,
    "refused-by-gate": RefusedByGate,
    "refused-by-provider": RefusedByProvider,
    "key-refused": KeyRefused,
    "rate-limited": RateLimited,
    "not-finished": NotFinished,
    "busy": Busy,
    "gone": Gone,
    "other-account": OtherAccount,
    "unknown": OutcomeUnknown,
}


@dataclass(frozen=True)
class Submission:
    """A submission that the provider has.

    `earlier` is whether it was sent before and not again now. `status` is the provider's word, if its record was read.
    """

    number: Optional[str]
    id: Optional[str]
    status: Optional[str]
    earlier: bool


def submit(
    draft: Mapping[str, Any],
    *,
    history: str,
    yes: bool = False,
    provider: Optional[str] = None,
    number: Optional[str] = None,
    again: bool = False,
    sandbox: Optional[str] = None,
    timeout: Optional[int] = None,
    options: Optional[List[str]] = None,
    settings: Union[str, "os.PathLike[str]", None] = None,
) -> Submission:
    """Submits a draft, at most once: also if an answer is lost, the process is stopped, or several machines do the same.

    Like `tollproof submit`, it checks the draft, reserves its number in `history` (such as `sqlite:history.db`), writes the
    attempt down, and sends it. Nothing is sent without `yes=True`. `sandbox` is the address of a sandbox; `options` are
    further ones of the command, such as `["--set", "region=us-west-2"]`; `timeout` is in seconds. Keys come from the
    provider's variables or your own settings.

    Raises a `SubmitError` for every other outcome: after `OutcomeUnknown`, call it again later, and it finds out.
    """
    if not isinstance(draft, Mapping):
        raise TypeError(f"a draft to submit must be a dict, not {type(draft).__name__}")
    if not yes:
        raise TollproofError("nothing was sent", help="Pass `yes=True` to submit the draft.")
    command = [_program(), "submit", "-", "--yes", "--output-format", "json", "--history", history]
    chosen = {"--provider": provider, "--number": number, "--sandbox": sandbox, "--config": settings}
    command += [f"{name}={os.fspath(value)}" for name, value in chosen.items() if value is not None]
    command += [f"--timeout={timeout}s"] if timeout is not None else []
    command += (["--again"] if again else []) + list(options or [])
    ran = subprocess.run(command, input=json.dumps(dict(draft)).encode(), capture_output=True)
    said = ran.stderr.decode(errors="replace").strip()
    if not ran.stdout.strip():
        raise SubmitError(said or f"tollproof ended with status {ran.returncode}", result="failed")
    call = json.loads(ran.stdout)["calls"][0]
    result = call["result"]
    if result in ("done", "found", "done-earlier"):
        return Submission(call.get("number"), call.get("id"), call.get("status"), result != "done")
    raise _ERRORS.get(result, SubmitError)(
        call.get("reason") or result.replace("-", " "),
        help=said or None,
        result=result,
        number=call.get("number"),
        id=call.get("id"),
        rules=tuple(call.get("rules", ())),
        http_status=call.get("httpStatus"),
        attempt=call.get("attempt"),
        again_at=call.get("againAt"),
    )


def _program() -> str:
    """The program that was installed with this package. None of another folder is run."""
    name = "tollproof.exe" if os.name == "nt" else "tollproof"
    schemes: List[Optional[str]] = [None, f"{os.name}_user"]
    for scheme in schemes:
        folder = sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts")
        program = Path(folder) / name
        if program.is_file():
            return str(program)
    raise SubmitError("the program `tollproof` of this package is missing", help="Install the package again.")
