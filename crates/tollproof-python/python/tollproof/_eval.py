"""Rules measured on drafts whose verdicts are known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html import escape
from typing import Any, Collection, Dict, List, Mapping, Optional, Set, Tuple, Union

from ._check import Linter
from ._errors import TollproofError
from ._html import html_of_rows
from ._rules import rules
from ._tollproof import VerdictMeter

_REJECTED = ("rejected", "bad", "false")
_APPROVED = ("approved", "good", "true", "verified")

# A longer word is a text, and not a verdict.
_LONGEST_WORD = 40


@dataclass(frozen=True)
class RuleScore:
    """How often a rule found something: in how many rejected drafts, and in how many approved ones.

    `severity` is that of most of its findings. `precision` is the part of its drafts that were rejected, from 0 to 1.
    """

    rule: str
    severity: str
    rejected: int
    approved: int
    precision: float


@dataclass(frozen=True)
class Evaluation:
    """What checks found in drafts whose verdicts are known, as numbers of drafts.

    `rejected` and `approved` are the drafts of each verdict, and `skipped` those of another one. Of the rejected,
    `rejected_with_error` and `rejected_with_finding` had an error, or an error or a warning. So had
    `approved_with_error` and `approved_with_finding` of the approved, which are false alarms unless a reviewer overlooked
    something. `with_code` rejected drafts have a code, and in `code_found` of them a finding prevents that code. Infos do
    not count. `rules` are sorted by the number of rejected drafts. `skipped_verdicts` are the words that did not count, with
    their numbers.
    """

    rejected: int
    approved: int
    skipped: int
    rejected_with_error: int
    rejected_with_finding: int
    approved_with_error: int
    approved_with_finding: int
    with_code: int
    code_found: int
    rules: Tuple[RuleScore, ...]
    skipped_verdicts: Mapping[str, int] = field(default_factory=dict, hash=False)

    def _repr_html_(self) -> str:
        found = f"{self.rejected_with_finding} of {self.rejected} rejected drafts have an error or a warning"
        alarms = f"and {self.approved_with_finding} of {self.approved} approved ones"
        skipped = "".join(f" Not counted: {count} × {word}." for word, count in self.skipped_verdicts.items())
        codes = f" The code is named in {self.code_found} of {self.with_code}." if self.with_code else ""
        rows = [
            (it.rule, it.severity, it.rejected, it.approved, f"{it.precision:.0%}") for it in self.rules
        ]
        headings = ["Rule", "Severity", "Rejected", "Approved", "Precision"]
        return f"<p>{found}, {alarms}.{codes}{escape(skipped)}</p>{html_of_rows(headings, rows)}"


def eval(
    table: Any,
    verdict: str = "verdict",
    *,
    code: Optional[str] = None,
    column: Optional[str] = None,
    columns: Optional[Mapping[str, Optional[str]]] = None,
    rejected: Union[str, Collection[Any]] = _REJECTED,
    approved: Union[str, Collection[Any]] = _APPROVED,
    linter: Optional[Linter] = None,
) -> Evaluation:
    """Measures the rules on a table of drafts whose verdicts are known: a table of pyarrow, polars or pandas.

    `verdict` is the column with verdicts, of which `rejected` and `approved` are those that count, in any case; so are the
    statuses that providers give, such as `TWILIO_REJECTED`, unless you name your own. A column of booleans says whether a draft
    was approved. If no verdict counts, that is an error with the words that were there. `code` is a column with the rejection
    codes of a provider. `column` and `columns` say where the drafts are, as in `Linter.check_table`.

    Each draft is checked apart from the others, because rejected drafts are often sent again with the same number.
    """
    linter = linter or Linter()
    verdicts = _values(table, verdict)
    codes = [None] * len(verdicts) if code is None else _values(table, code)
    if column is None:
        labels: Dict[str, Optional[str]] = {name: None for name in (verdict, code) if name is not None}
        columns = {**labels, **(columns or {})}
    is_rejected, is_approved = _words(rejected), _words(approved)
    knows_statuses = (rejected, approved) == (_REJECTED, _APPROVED)
    others: Counter[str] = Counter()
    meter = VerdictMeter([(it.id, [code.code for code in it.prevents]) for it in rules()])
    for batch in linter.check_batches(table, column=column, columns=columns, apart=True):
        found: Dict[int, List[Tuple[str, str]]] = {}
        for it in batch.findings.to_pylist():
            found.setdefault(it["row"], []).append((it["rule"], it["severity"]))
        for row in (it["row"] for it in batch.summary.to_pylist()):
            word = str(verdicts[row]).strip().lower()
            label = "bad" if word in is_rejected else "good" if word in is_approved else None
            label = label or (VerdictMeter.label(word) if knows_statuses else None) or "skipped"
            if label == "skipped":
                others[str(verdicts[row])[:_LONGEST_WORD]] += 1
            has_code = label == "bad" and codes[row] is not None and str(codes[row]).strip()
            meter.take(label, _code(codes[row]) if has_code else None, found.get(row, []))
    counts, scores = meter.end()
    if others and not counts[0] + counts[1]:
        words = ", ".join(f"`{word}`" for word, _ in others.most_common(5))
        raise TollproofError(
            f"no verdict in the column `{verdict}` counts; its words are {words}",
            help="Name them with `rejected` and `approved`.",
        )
    return Evaluation(*counts, tuple(RuleScore(*it) for it in scores), dict(others.most_common()))


def _words(values: Union[str, Collection[Any]]) -> Set[str]:
    return {str(it).strip().lower() for it in ([values] if isinstance(values, str) else values)}


def _code(code: Any) -> str:
    """A code as rules have it: columns with gaps are often floating-point numbers."""
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code).strip()


def _values(table: Any, name: str) -> List[Any]:
    """The values of a column of a table."""
    try:
        values = table[name]
    except Exception as error:
        raise TollproofError(f"the table has no column `{name}`, or cannot be read twice") from error
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, method):
            return list(getattr(values, method)())
    return list(values)
