"""Checks US and Canadian toll-free verification submissions before they are sent.

>>> import tollproof
>>> result = tollproof.check({"businessName": "Fernhollow Flowers LLC", "useCase": "appointments"})
>>> result.ok
False
>>> finding = next(it for it in result.findings if it.rule == "use-case/unknown-use-case")
>>> finding.pointer, finding.severity
('/useCase', 'error')

`check` checks one draft, `Linter` many drafts with the same settings, and `check_table` the rows of a table of any library
with the Arrow interface. `fix` applies fixes, `convert` makes another provider's draft of one, `explain` reads a provider's
answer, `eval` measures rules on drafts whose verdicts are known, and `rules` lists what is checked. The modules
`tollproof.duckdb` and `tollproof.spark` check tables where they are. Only `submit` sends anything.
"""

from ._check import Check, Draft, Linter, check, check_table
from ._convert import Conversion, Left, convert, explain
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
    SettingsError,
    SubmitError,
    TollproofError,
)
from ._eval import Evaluation, RuleScore, eval
from ._finding import Edit, Finding, Fix, Prevents, Related, Span, Suppressed
from ._fix import Fixed, fix
from ._rules import Provider, Rule, providers, rules
from ._submit import Submission, submit
from ._table import TableCheck
from ._tollproof import VERSION as __version__
from ._tollproof import ResultTable

__all__ = [
    "Busy",
    "Check",
    "Conversion",
    "Draft",
    "Edit",
    "Evaluation",
    "Finding",
    "Fix",
    "Fixed",
    "Gone",
    "KeyRefused",
    "Left",
    "Linter",
    "NotFinished",
    "OpenElsewhere",
    "OtherAccount",
    "OutcomeUnknown",
    "Prevents",
    "Provider",
    "RateLimited",
    "RefusedByGate",
    "RefusedByProvider",
    "RejectedEarlier",
    "Related",
    "ResultTable",
    "Rule",
    "RuleScore",
    "SettingsError",
    "Span",
    "Submission",
    "SubmitError",
    "Suppressed",
    "TableCheck",
    "TollproofError",
    "__version__",
    "check",
    "check_table",
    "convert",
    "eval",
    "explain",
    "fix",
    "providers",
    "rules",
    "submit",
]
