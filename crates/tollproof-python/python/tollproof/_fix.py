"""Fixes of drafts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Optional, Tuple, TypeVar, Union

from ._check import Check, Lines, Linter, Settings, linter_for
from ._finding import Finding

D = TypeVar("D")


@dataclass(frozen=True)
class Fixed(Generic[D]):
    """A draft after its fixes.

    `draft` is of the type that was passed: a value, a string or bytes; for a path object, the text of the file, which is not
    written. `fixed` are the findings that are gone, `count` is how many fixes were applied, and `check` is what is left.
    """

    draft: D
    count: int
    fixed: Tuple[Finding, ...]
    check: Check


def fix(
    draft: D,
    *,
    unsafe: bool = False,
    provider: Optional[str] = None,
    kind: Optional[str] = None,
    name: Optional[str] = None,
    format: Optional[str] = None,
    settings: Optional[Settings] = None,
    now: Union[datetime, str, None] = None,
    facts: Optional[Lines] = None,
    readings: Optional[Lines] = None,
    language: str = "en",
) -> Fixed[Any]:
    """Applies the safe fixes of a draft, and with `unsafe` also those that need a review. The rest of a text stays as it is.

    The other arguments are those of `check`. Raises `TollproofError` for a text that is not UTF-8.

    >>> fixed = fix({"useCase": "appointments"})
    >>> fixed.draft["useCase"], fixed.count
    ('Appointments', 1)
    """
    linter = linter_for(settings, provider, kind, now, facts, readings, language)
    return fix_with(linter, draft, unsafe, name, format)


def fix_with(linter: Linter, draft: Any, unsafe: bool, name: Optional[str], format: Optional[str]) -> Fixed[Any]:
    """Fixes a draft with the settings of a linter."""
    done = linter.engine.fix(draft, name, format, unsafe)
    fixed: Any
    if isinstance(draft, bytes):
        fixed = done.text.encode()
    elif isinstance(draft, (dict, list, tuple)):
        fixed = json.loads(done.text)
    else:
        fixed = done.text
    return Fixed(fixed, done.count, tuple(Check(done.fixed).findings), Check(done.left))
