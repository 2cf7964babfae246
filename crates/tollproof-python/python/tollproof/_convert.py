"""Drafts as another provider's, and answers explained."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from ._check import Check, Draft, Lines, Settings, linter_for


@dataclass(frozen=True)
class Left:
    """A value that has no place in the new draft: its pointer and field in the old one, the role of the field, and why."""

    pointer: str
    name: str
    role: Optional[str]
    reason: str


@dataclass(frozen=True)
class Conversion:
    """A draft as another provider takes it. `value` is the body of its request, and `left` is what is not in it."""

    value: Dict[str, Any]
    left: Tuple[Left, ...]


def convert(draft: Draft, to: str, *, from_provider: Optional[str] = None, language: str = "en") -> Conversion:
    """Converts a draft to that of another provider. What maps exactly is converted, and nothing is invented.

    `draft` is a dictionary, or a text or path object with one draft. Without `from_provider`, the names of the fields show
    whose draft it is.

    Raises `TollproofError` for an unknown provider, and for what is not one draft.

    >>> conversion = convert({"businessName": "Fernhollow Flowers LLC", "testMode": True}, "twilio", from_provider="bird")
    >>> conversion.value["BusinessName"]
    'Fernhollow Flowers LLC'
    >>> [it.name for it in conversion.left]
    ['testMode']
    """
    linter = linter_for(None, None, None, None, None, None, language)
    text, left = linter.engine.convert(draft, to, from_provider)
    return Conversion(json.loads(text), tuple(Left(*it) for it in left))


def explain(
    answer: Union[Mapping[str, Any], str, bytes],
    draft: Optional[Draft] = None,
    *,
    provider: Optional[str] = None,
    kind: Optional[str] = None,
    name: Optional[str] = None,
    format: Optional[str] = None,
    settings: Optional[Settings] = None,
    now: Union[datetime, str, None] = None,
    facts: Optional[Lines] = None,
    readings: Optional[Lines] = None,
    language: str = "en",
) -> Check:
    """Explains a provider's answer on the fields of the draft that was sent.

    `answer` is a record, the body of a refused request, or the text of an e-mail. Each reason in it is a finding at the value
    that it is about, and `answer/next-step` says what to do next. Without `draft`, the fields of an empty one are named.
    `Check.ok` is `False` if the answer refuses the draft. The other arguments are those of `check`.

    Raises `TollproofError` for an answer that cannot be read.
    """
    linter = linter_for(settings, provider, kind, now, facts, readings, language)
    refused, checked = linter.engine.explain(answer, {} if draft is None else draft, name, format)
    return Check(checked, refused=refused)
