"""Whatever is passed: an exception with a clear message, or a finding. No panic, no abort."""

from __future__ import annotations

import collections
import decimal
import enum
import math
import pickle
import random
from pathlib import Path
from typing import Any, Dict, List

import pytest

import tollproof


class Shade(enum.IntEnum):
    DARK = 1


class Text(str):
    pass


class Hostile:
    """Its special methods raise."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def cyclic() -> List[Any]:
    inner: List[Any] = []
    inner.append({"again": inner})
    return inner


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


VALUES: List[Any] = [
    None, True, 1, -1, 2**63, 10**30, 10**4000, 0.0, -0.0, 1e308, math.nan, math.inf, "", "text", "\ud800", "\0", "é☃😀",
    b"", b"\xff\xfe", b"\0" * 10, [], {}, (), set(), object(), Hostile(), Hostile, len, deep(63), deep(100), deep(5_000),
    cyclic(), decimal.Decimal("1.5"), Shade.DARK, Text("a"), collections.OrderedDict(a=1), collections.defaultdict(list),
    {1: 2}, {None: 1}, {Text("b"): [Text("c")]}, range(3), iter([]), Exception("x"), memoryview(b"x"), bytearray(b"{}"),
]  # fmt: skip


def invented(chance: random.Random, depth: int = 0) -> Any:
    """A value made of those above."""
    if depth > 4 or chance.random() < 0.4:
        return chance.choice(VALUES)
    keys = ["businessName", "phoneNumbers", "useCase", "payload", "", "a/b", "~", "\ud800", "é"]
    if chance.random() < 0.5:
        return {chance.choice(keys): invented(chance, depth + 1) for _ in range(chance.randrange(6))}
    return [invented(chance, depth + 1) for _ in range(chance.randrange(6))]


EXPECTED = (tollproof.TollproofError, TypeError)


def test_any_value_is_checked_or_refused() -> None:
    chance = random.Random(20261121)
    linter = tollproof.Linter()
    checked = 0
    for value in [*VALUES, *(invented(chance) for _ in range(1_000))]:
        try:
            result = linter.check(value)
        except EXPECTED as error:
            assert str(error) and "panic" not in str(error)
        else:
            checked += 1
            assert result.documents or result.findings
            assert isinstance(result.to_json(), str)
    assert checked > 100


def test_any_value_is_an_argument() -> None:
    for value in VALUES:
        for name in ["provider", "kind", "settings", "now", "facts", "readings", "language", "name", "format"]:
            try:
                tollproof.check({}, **{name: value})
            except (tollproof.TollproofError, TypeError, OSError, ValueError, RuntimeError) as error:
                assert "panic" not in str(error)
        for arguments in [{"column": value}, {"columns": value}, {"batch_size": value}]:
            with pytest.raises(Exception) as raised:
                tollproof.check_table(value, **arguments)
            assert not isinstance(raised.value, SystemError) and "panic" not in str(raised.value)


def test_any_item_of_many_drafts() -> None:
    for value in VALUES:
        try:
            results = list(tollproof.Linter().check_many([{}, value]))
        except EXPECTED:
            continue
        assert len(results) == 2


def test_any_text_is_checked() -> None:
    chance = random.Random(7)
    pieces = [b"{", b"}", b"[", b"]", b'"', b":", b",", b"\n", b"businessName", b"\xff", b"\0", b"- ", b"&a ", b"*a", b"\\u"]
    for _ in range(1_000):
        text = b"".join(chance.choice(pieces) for _ in range(chance.randrange(40)))
        result = tollproof.check(text, format=chance.choice([None, "json", "ndjson", "yaml", "csv"]))
        assert result.to_json()


def test_a_value_that_is_not_json_is_named() -> None:
    with pytest.raises(tollproof.TollproofError, match=r"at /a/1/b~1c: NaN"):
        tollproof.check({"a": [0, {"b/c": math.nan}]})
    with pytest.raises(tollproof.TollproofError, match="contains itself") as raised:
        tollproof.check(cyclic())
    assert len(str(raised.value)) < 300
    with pytest.raises(tollproof.TollproofError, match="lone surrogate"):
        tollproof.check({"a": "\ud800"})
    with pytest.raises(TypeError, match="not set"):
        tollproof.check(set())  # type: ignore[arg-type]


def test_errors_have_a_place_and_help(tmp_path: Path) -> None:
    settings = tmp_path / "tollproof.yaml"
    settings.write_text("rules:\n  structure/missing-feld: info\n")
    with pytest.raises(tollproof.SettingsError) as raised:
        tollproof.check({}, settings=settings)
    assert raised.value.place == (2, 3)
    assert "structure/missing-field" in str(raised.value)
    with pytest.raises(tollproof.SettingsError) as raised:
        tollproof.check({}, settings={"unknown": 1})
    assert raised.value.help and isinstance(raised.value, ValueError)
    copied = pickle.loads(pickle.dumps(raised.value))
    assert (str(copied), copied.place, copied.help) == (str(raised.value), raised.value.place, raised.value.help)
    with pytest.raises(tollproof.TollproofError, match="did you mean `bird`"):
        tollproof.check({}, provider="brid")
    with pytest.raises(FileNotFoundError):
        tollproof.check(tmp_path / "missing.json")
    with pytest.raises(tollproof.TollproofError, match="nothing to check"):
        (tmp_path / "empty").mkdir()
        tollproof.check(tmp_path / "empty")


def test_what_is_easily_mixed_up_is_said(tmp_path: Path) -> None:
    path = tmp_path / "draft.json"
    path.write_text("{}")
    for wrong, said in [
        (lambda: tollproof.check(str(path)), "pathlib.Path"),
        (lambda: list(tollproof.Linter().check_many([path])), "pass the text"),  # type: ignore[list-item]
        (lambda: tollproof.check_table(path), "read_table"),
        (lambda: tollproof.convert({"x": 1}, "twilio"), "from_provider"),
        (lambda: tollproof.Linter(jobs=100_000), "from 0 to 256"),
        (lambda: tollproof.Linter(jobs=-1), "from 0 to 256"),
        (lambda: tollproof.Linter(facts=tmp_path / "missing.ndjson"), "missing.ndjson"),
    ]:
        with pytest.raises((tollproof.TollproofError, TypeError, OSError)) as raised:
            wrong()
        assert said in str(raised.value)


def test_values_that_change_while_they_are_read() -> None:
    class Changing(dict):  # type: ignore[type-arg]
        pass

    value: Dict[str, Any] = Changing({"a": 1, "b": 2})
    assert tollproof.check(value).documents == 1
