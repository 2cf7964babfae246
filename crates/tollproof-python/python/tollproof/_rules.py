"""The built-in rules and the providers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import List, Tuple

from . import _tollproof
from ._finding import Prevents


@dataclass(frozen=True)
class Rule:
    """A built-in rule with its documentation, as `tollproof rule ID` shows it.

    `severity` is `error`, `warning` or `info`. `message` and `help` have placeholders in braces. `source` says where the
    rule comes from, and `prevents` names the rejection codes that it prevents.
    """

    id: str
    title: str
    severity: str
    enabled: bool
    message: str
    help: str
    docs: str
    source: Tuple[str, ...]
    prevents: Tuple[Prevents, ...]


@dataclass(frozen=True)
class Provider:
    """A provider whose drafts are known. `kinds` are the kinds of its documents."""

    name: str
    title: str
    kinds: Tuple[str, ...]


def rules(*, language: str = "en") -> List[Rule]:
    """The built-in rules, in the order of their ids.

    >>> next(it.title for it in rules() if it.id == "structure/missing-field")
    'Required field is missing'
    """
    return list(_rules(language))


def providers() -> List[Provider]:
    """The providers.

    >>> "twilio" in {it.name for it in providers()}
    True
    """
    return [Provider(name, title, tuple(kinds)) for name, title, kinds in _tollproof.providers()]


@lru_cache(maxsize=3)
def _rules(language: str) -> Tuple[Rule, ...]:
    def rule(fields: dict) -> Rule:  # type: ignore[type-arg]
        prevents = tuple(Prevents(it["by"], it["code"]) for it in fields["prevents"])
        return Rule(**{**fields, "source": tuple(fields["source"]), "prevents": prevents})

    return tuple(rule(it) for it in json.loads(_tollproof.rules(language)))
