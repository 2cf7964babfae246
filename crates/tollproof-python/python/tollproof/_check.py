"""Checks of drafts."""

from __future__ import annotations

import json
import os
from datetime import datetime
from functools import lru_cache
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import TollproofError
from ._finding import Finding, finding_of
from ._table import TableCheck
from ._html import html_of_check
from ._tollproof import ReportedDrafts, Engine, ResultTable

Draft = Union[Dict[str, Any], List[Any], Tuple[Any, ...], str, bytes, "os.PathLike[str]"]
"""A draft: a dictionary, a list of dictionaries, the text of a file in any format, or the path of a file or folder."""

Settings = Union[Mapping[str, Any], str, "os.PathLike[str]"]
"""Settings as in `tollproof.yaml`, or the path of such a file."""

Lines = Union[Sequence[Mapping[str, Any]], str, "os.PathLike[str]"]
"""The lines of a store of facts or readings, or the path of such a file."""


class Check:
    """What a check found. It does not change."""

    __slots__ = ("_checked", "_findings", "_refused")

    def __init__(self, checked: ReportedDrafts, *, refused: bool = False) -> None:
        self._checked = checked
        self._findings: Optional[List[Finding]] = None
        self._refused = refused

    @property
    def findings(self) -> List[Finding]:
        """The findings, sorted by place; also those that are suppressed and do not count."""
        if self._findings is None:
            self._findings = [finding_of(it) for it in json.loads(self._checked.findings)]
        return list(self._findings)

    @property
    def errors(self) -> int:
        """The number of errors that count."""
        return self._checked.counts[0]

    @property
    def warnings(self) -> int:
        """The number of warnings that count."""
        return self._checked.counts[1]

    @property
    def infos(self) -> int:
        """The number of infos that count."""
        return self._checked.counts[2]

    @property
    def documents(self) -> int:
        """The number of documents that were checked."""
        return self._checked.documents

    @property
    def not_checked(self) -> List[str]:
        """What could not be checked, such as pages that were not looked at."""
        return list(self._checked.not_checked)

    @property
    def ok(self) -> bool:
        """Whether no error was found. Warnings and infos are not errors."""
        return self.errors == 0 and not self._refused

    def to_json(self) -> str:
        """The report as `tollproof check --output-format json --min-severity info` prints it."""
        return self._checked.report()

    def __repr__(self) -> str:
        counts = f"{self.errors} errors, {self.warnings} warnings, {self.infos} infos"
        return f"<Check: {self.documents} documents, {counts}>"

    def _repr_html_(self) -> str:
        return html_of_check(self.findings, self._checked.excerpts)


class Linter:
    """Settings, rules and facts, ready to check any number of drafts, also on several threads at once.

    `settings` is a dictionary as in `tollproof.yaml`, or the path of such a file. Without it, texts and values are checked
    with the defaults, and files with the `tollproof.yaml` of their folders.

    `provider` and `kind` are those of all drafts; without them, the names of the fields decide. `now` is the current time, a
    `datetime` with a time zone or ISO 8601. `facts` and `readings` are what `tollproof look` and `tollproof read` stored: a
    list of their lines, or a path. `language` is that of messages: `en`, `es` or `fr`. `jobs` is the number of threads that
    check many drafts; 0 is one a core.

    Raises `SettingsError` for settings that cannot be used, and `TollproofError` for other arguments.
    """

    __slots__ = ("_arguments", "engine")

    def __init__(
        self,
        settings: Optional[Settings] = None,
        provider: Optional[str] = None,
        kind: Optional[str] = None,
        *,
        now: Union[datetime, str, None] = None,
        facts: Optional[Lines] = None,
        readings: Optional[Lines] = None,
        language: str = "en",
        jobs: int = 0,
    ) -> None:
        self._arguments = {
            "settings": dict(settings) if isinstance(settings, Mapping) else settings,
            "provider": provider,
            "kind": kind,
            "now": moment(now),
            "facts": _lines(facts),
            "readings": _lines(readings),
            "language": language,
            "jobs": _within("jobs", jobs, 0, 256),
        }
        self.engine = Engine(**self._arguments)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _linter_of, (self._arguments,)

    def check(self, draft: Draft, *, name: Optional[str] = None, format: Optional[str] = None) -> Check:
        """Checks a draft.

        A dictionary is a draft, and a list contains several. A string and bytes are the text of a file, whose format is
        that of `name`, or `format` (`json`, `ndjson`, `yaml` or `csv`), or else what the text looks like. A path object is
        a file or a folder, which is read and named as the command line does. `name` is the file in findings.

        Raises `TollproofError` for a value that is not JSON, `OSError` for a file that cannot be read, and `TypeError` for
        another type. A text that cannot be read is not an exception but a finding.
        """
        if isinstance(draft, os.PathLike):
            return Check(self.engine.check_path(os.fspath(draft)))
        if isinstance(draft, str) and len(draft) < 4096 and draft.isprintable() and os.path.isfile(draft):
            raise TollproofError("the draft is the name of a file, not its text", help="Pass `pathlib.Path(...)`.")
        return Check(self.engine.check(draft, name, format))

    def check_many(self, drafts: Iterable[Union[Dict[str, Any], List[Any], str, bytes]]) -> Iterator[Check]:
        """Checks drafts one after another, and returns a `Check` for each in the same order.

        The drafts are checked on all cores, and read from the iterable as they are needed, up to 160 ahead. They are one
        run: a number that two of them have is a finding. The drafts are named `drafts[0]`, `drafts[1]` and so on.
        """
        return map(Check, self.engine.check_many(iter(drafts)))

    def check_table(
        self,
        table: Any,
        *,
        columns: Optional[Mapping[str, Optional[str]]] = None,
        column: Optional[str] = None,
        apart: bool = False,
        earlier: Optional[str] = None,
        batch_size: int = 65536,
    ) -> TableCheck:
        """Checks the rows of a table: anything with `__arrow_c_stream__` or `__arrow_c_array__`, such as tables of pyarrow,
        polars, pandas and DuckDB.

        `column` is the column with the drafts, strings of JSON or structs. Without it, the columns are the fields, under the
        headings that a sheet may have, or, if one of them has lists or structs, under the names of the provider's payload.
        `columns` gives the fields of columns with names of your own, and `None` for columns that are not part of the draft.

        A number that two rows have is a finding, unless rows are checked `apart`. Then `earlier` may name a column with lists
        of the numbers that rows before have, which are found in their place; see `numbers`. The findings of the whole table
        are in memory; for large tables, use `check_batches`.
        """
        options = _table_options(columns, column)
        return TableCheck.of_batches(
            self.engine.check_table(table, **options, apart=apart, earlier=earlier, batch_size=_within("batch_size", batch_size, 1, 1 << 40))
        )

    def check_batches(
        self,
        table: Any,
        *,
        columns: Optional[Mapping[str, Optional[str]]] = None,
        column: Optional[str] = None,
        apart: bool = False,
        earlier: Optional[str] = None,
        batch_size: int = 65536,
    ) -> Iterator[TableCheck]:
        """Like `check_table`, but returns the results of `batch_size` rows at a time, so that memory does not grow with the
        table. Indexes of rows are those in the whole table, and so is a number that two rows have.
        """
        options = _table_options(columns, column)
        batches = self.engine.check_table(table, **options, apart=apart, earlier=earlier, batch_size=_within("batch_size", batch_size, 1, 1 << 40))
        return (TableCheck(findings, summary) for findings, summary in batches)

    def numbers(
        self, table: Any, *, columns: Optional[Mapping[str, Optional[str]]] = None, column: Optional[str] = None
    ) -> ResultTable:
        """The numbers that the rows of a table name, as a table with one column `numbers` of lists of strings. Two rows with
        the same string are two submissions for one number.
        """
        return self.engine.table_numbers(table, **_table_options(columns, column))


def check(
    draft: Draft,
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
    """Checks a draft: a dictionary or a list, the text of a file, or a path object.

    The arguments are those of `Linter` and of `Linter.check`.

    >>> check("{", name="draft.json").findings[0].rule
    'input/syntax'
    """
    linter = linter_for(settings, provider, kind, now, facts, readings, language)
    return linter.check(draft, name=name, format=format)


def check_table(
    table: Any,
    *,
    columns: Optional[Mapping[str, Optional[str]]] = None,
    column: Optional[str] = None,
    provider: Optional[str] = None,
    kind: Optional[str] = None,
    settings: Optional[Settings] = None,
    now: Union[datetime, str, None] = None,
    facts: Optional[Lines] = None,
    readings: Optional[Lines] = None,
    language: str = "en",
    batch_size: int = 65536,
) -> TableCheck:
    """Checks the rows of a table. The arguments are those of `Linter` and of `Linter.check_table`."""
    linter = linter_for(settings, provider, kind, now, facts, readings, language)
    return linter.check_table(table, columns=columns, column=column, batch_size=batch_size)


def linter_for(
    settings: Optional[Settings],
    provider: Optional[str],
    kind: Optional[str],
    now: Union[datetime, str, None],
    facts: Optional[Lines],
    readings: Optional[Lines],
    language: str,
) -> Linter:
    """A linter with these arguments; one without settings, facts and readings is shared."""
    if settings is None and facts is None and readings is None:
        return _shared_linter(provider, kind, moment(now), language)
    return Linter(settings, provider, kind, now=now, facts=facts, readings=readings, language=language)


@lru_cache(maxsize=8)
def _shared_linter(provider: Optional[str], kind: Optional[str], now: Optional[str], language: str) -> Linter:
    """A linter without settings, of which a program needs few: making one takes some milliseconds."""
    return Linter(None, provider, kind, now=now, language=language)


def moment(now: Union[datetime, str, None]) -> Optional[str]:
    """A time as the engine takes it."""
    if not isinstance(now, datetime):
        return now
    if now.tzinfo is None:
        raise ValueError("`now` must have a time zone, such as datetime.now(timezone.utc)")
    return now.isoformat()


def _lines(lines: Optional[Lines]) -> Any:
    if isinstance(lines, Sequence) and not isinstance(lines, str):
        return [dict(it) if isinstance(it, Mapping) else it for it in lines]
    return lines


def _linter_of(arguments: Dict[str, Any]) -> Linter:
    """A linter that was sent to another process."""
    return Linter(**arguments)


def _within(name: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise TollproofError(f"`{name}` must be from {least} to {most}, not {value}")
    return value


def _table_options(columns: Optional[Mapping[str, Optional[str]]], column: Optional[str]) -> Dict[str, Any]:
    pairs: Optional[List[Tuple[str, Optional[str]]]] = None if columns is None else list(columns.items())
    return {"columns": pairs, "column": column}
