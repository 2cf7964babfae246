"""Results as tables of notebooks."""

from __future__ import annotations

from html import escape
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from ._finding import Finding
from ._tollproof import ResultTable

_SHOWN = 100
"""How many findings are shown."""

_COLORS: Dict[str, str] = {"error": "#c0392b", "warning": "#b9770e", "info": "#2874a6"}


def html_of_check(findings: Sequence[Finding], excerpts: Sequence[Optional[Tuple[str, str, str]]]) -> str:
    """The findings that count, each with the words that it points at marked."""
    shown = [
        (it, excerpts[at] if at < len(excerpts) else None) for at, it in enumerate(findings) if not it.suppressed
    ]
    rows = [
        [
            _severity(it.severity),
            f"<code>{escape(it.pointer)}</code>" + (f"<br>{_marked(excerpt)}" if excerpt else ""),
            _message(it.message, it.help),
            f"<code>{escape(it.rule)}</code>",
        ]
        for it, excerpt in shown[:_SHOWN]
    ]
    return _table(["Severity", "Place", "Finding", "Rule"], rows, len(shown))


def html_of_table(findings: ResultTable, rows: int) -> str:
    """The first findings of a table."""
    shown = [
        [
            str(it["row"]),
            _severity(it["severity"]),
            escape(it["field"]),
            _message(it["message"], it["help"]),
            f"<code>{escape(it['rule'])}</code>",
        ]
        for it in findings.to_pylist(0, _SHOWN)
    ]
    text = _table(["Row", "Severity", "Field", "Finding", "Rule"], shown, len(findings))
    return f"<p>{rows} rows were checked.</p>{text}"


def html_of_rows(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of plain values."""
    cells: List[List[str]] = [[escape(str(it)) for it in row] for row in rows]
    return _table(headings, cells, len(cells))


def _severity(severity: str) -> str:
    return f'<b style="color: {_COLORS[severity]}">{severity}</b>'


def _message(message: str, help: Optional[str]) -> str:
    return escape(message) + (f"<br><small>{escape(help)}</small>" if help else "")


def _marked(excerpt: Tuple[str, str, str]) -> str:
    before, marked, after = map(escape, excerpt)
    return f"{before}<mark>{marked}</mark>{after}"


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], count: int) -> str:
    if not rows:
        return "<p>Nothing was found.</p>"
    left = 'style="text-align: left; vertical-align: top"'
    head = "".join(f"<th {left}>{it}</th>" for it in headings)
    body = "".join("<tr>" + "".join(f"<td {left}>{it}</td>" for it in row) + "</tr>" for row in rows)
    more = f"<p>{count - len(rows)} more are not shown.</p>" if count > len(rows) else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
