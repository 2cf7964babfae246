"""Threads, fork, interrupts, and the end of the interpreter."""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict, Iterator, List

import pyarrow
import pytest

import tollproof
from conftest import NOW


def test_threads_share_a_linter(drafts: List[Dict[str, Any]]) -> None:
    linter = tollproof.Linter(now=NOW)
    expected = [linter.check(it).to_json() for it in drafts[:50]]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            assert list(pool.map(lambda it: linter.check(it).to_json(), drafts[:50])) == expected


def test_results_go_to_other_processes(drafts: List[Dict[str, Any]]) -> None:
    linter = pickle.loads(pickle.dumps(tollproof.Linter({"rules": {"structure/missing-field": "off"}}, now=NOW, language="fr")))
    for draft in drafts[:3]:
        result = linter.check(json.dumps(draft))
        assert "structure/missing-field" not in {it.rule for it in result.findings}
        copied = pickle.loads(pickle.dumps(result))
        assert (copied.to_json(), copied.findings, copied.ok) == (result.to_json(), result.findings, result.ok)
        assert copied._repr_html_() == result._repr_html_()


def test_what_is_left_of_an_iterable_is_collected() -> None:
    class Source:
        pass

    def drafts_of(source: Source) -> Iterator[Dict[str, Any]]:
        yield {"a": source is None}

    source = Source()
    source.checks = tollproof.Linter().check_many(drafts_of(source))  # type: ignore[attr-defined]
    left = weakref.ref(source)
    del source
    gc.collect()
    assert left() is None


def test_other_threads_run_during_a_check(drafts: List[Dict[str, Any]]) -> None:
    text = "".join(json.dumps(it) + "\n" for it in drafts * 3)
    steps = 0
    is_done = threading.Event()

    def count() -> None:
        nonlocal steps
        while not is_done.is_set():
            steps += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    tollproof.check(text, name="drafts.ndjson")
    before = steps
    is_done.set()
    thread.join()
    assert before > 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_checks_too(drafts: List[Dict[str, Any]]) -> None:
    linter = tollproof.Linter()
    results = linter.check_many(drafts)
    next(results)
    child = os.fork()
    if child == 0:
        is_same = linter.check(drafts[0]).errors == tollproof.check(drafts[0]).errors
        is_same = is_same and len(list(linter.check_many(drafts))) == len(drafts)
        os._exit(0 if is_same else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert len(list(results)) == len(drafts) - 1


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_the_interpreter_ends_during_a_check() -> None:
    code = """
import sys, threading, tollproof
text = '{"businessName": "a"}\\n' * 20000
for target in (
    lambda: tollproof.check(text, name="a.ndjson"),
    lambda: list(tollproof.Linter().check_many(['{"businessName": "a"}'] * 20000)),
):
    threading.Thread(target=target, daemon=True).start()
results = tollproof.Linter().check_many(iter(lambda: {"businessName": "a"}, None))
next(results)
print("over")
"""
    ran = run(code)
    assert (ran.returncode, ran.stdout) == (0, "over\n"), ran.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Windows are others")
def test_an_interrupt_ends_a_check() -> None:
    code = """
import os, signal, threading, time, pyarrow, tollproof
# It is ignored in what a script runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
table = pyarrow.table({"draft": ['{"businessName": "a"}'] * 2_000_000})
threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
began = time.monotonic()
try:
    tollproof.check_table(table, column="draft")
except KeyboardInterrupt:
    print(time.monotonic() - began < 5)
"""
    ran = run(code)
    assert (ran.returncode, ran.stdout) == (0, "True\n"), ran.stderr


def test_a_table_of_another_thread() -> None:
    table = pyarrow.table({"draft": ["{}"] * 100})
    handler = signal.getsignal(signal.SIGINT)
    found: List[int] = []
    thread = threading.Thread(target=lambda: found.append(len(tollproof.check_table(table, column="draft").summary)))
    thread.start()
    thread.join()
    assert found == [100]
    assert signal.getsignal(signal.SIGINT) is handler, "tollproof sets no handlers"
