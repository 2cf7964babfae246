"""Findings as objects. Their attributes are the names of the JSON report, in the spelling of Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple


@dataclass(frozen=True)
class Span:
    """A part of a text. Ends are exclusive.

    `start` and `end` are offsets in bytes of UTF-8, from 0. Lines are from 1, and so are columns, in code points.
    """

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Related:
    """Another place that explains a finding. `span` is `None` if the place has no text."""

    file: str
    span: Optional[Span]
    message: str


@dataclass(frozen=True)
class Edit:
    """One replacement in a text: the bytes from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Fix:
    """A change that fixes a finding. `safety` is `safe` or `unsafe`: an unsafe one needs a review."""

    safety: str
    edits: Tuple[Edit, ...]


@dataclass(frozen=True)
class Prevents:
    """A rejection code of a reviewer that fixing the finding prevents. `by` is a provider."""

    by: str
    code: str


@dataclass(frozen=True)
class Suppressed:
    """Why a finding does not count: a `comment` in the text, the `config`, or a `baseline`."""

    by: str
    reason: Optional[str]


@dataclass(frozen=True, repr=False)
class Finding:
    """One problem with one value of a draft.

    `severity` is `error`, `warning` or `info`. `document` is the index of the draft in its text, from 0. `pointer` is an
    RFC 6901 pointer to the value, or to where a missing field would be. `role` names what the field means, whatever a
    provider calls it. `span`, `fix` and the spans of `related` are `None` if the draft was passed as a value, because a value
    has no text. `fingerprint` identifies the same finding in another version of the draft.
    """

    rule: str
    severity: str
    message: str
    help: Optional[str]
    file: str
    document: int
    provider: Optional[str]
    kind: Optional[str]
    pointer: str
    role: Optional[str]
    span: Optional[Span]
    related: Tuple[Related, ...]
    fix: Optional[Fix]
    prevents: Tuple[Prevents, ...]
    fingerprint: str
    read_by: Optional[str] = None
    suppressed: Optional[Suppressed] = None

    def __repr__(self) -> str:
        place = f"{self.file}:{self.span.line}:{self.span.column}" if self.span else self.file
        return f"<Finding {self.severity} {self.rule} at {self.pointer or '/'} in {place}: {self.message}>"


def finding_of(json: Dict[str, Any]) -> Finding:
    """The finding in an object of the JSON report."""
    fix = json["fix"]
    suppressed = json.get("suppressed")
    return Finding(
        rule=json["rule"],
        severity=json["severity"],
        message=json["message"],
        help=json["help"],
        file=json["file"],
        document=json["document"],
        provider=json["provider"],
        kind=json["kind"],
        pointer=json["pointer"],
        role=json["role"],
        span=_span_of(json["span"]),
        related=tuple(Related(it["file"], _span_of(it["span"]), it["message"]) for it in json["related"]),
        fix=fix and Fix(fix["safety"], tuple(Edit(it["start"], it["end"], it["text"]) for it in fix["edits"])),
        prevents=tuple(Prevents(it["by"], it["code"]) for it in json["prevents"]),
        fingerprint=json["fingerprint"],
        read_by=json.get("readBy"),
        suppressed=suppressed and Suppressed(suppressed["by"], suppressed.get("reason")),
    )


def _span_of(json: Optional[Dict[str, int]]) -> Optional[Span]:
    if json is None:
        return None
    return Span(
        json["start"], json["end"], json["line"], json["column"], json["endLine"], json["endColumn"]
    )
