"""Spark: a cluster of two workers on this machine finds what the command line finds, also if a worker is killed."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import tollproof
import tollproof.spark
from conftest import NOW

SAME = "history/duplicate-in-batch"

Row = Dict[str, Any]


@pytest.fixture(scope="module")
def events(tmp_path_factory: Any) -> Path:
    """Where the cluster writes what its workers do."""
    folder: Path = tmp_path_factory.mktemp("events")
    return folder


@pytest.fixture(scope="module")
def spark(events: Path) -> Iterator[SparkSession]:
    options = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": events.as_uri(),
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def many(drafts: List[Row]) -> List[Row]:
    """Two thousand drafts, most of which have the number of another."""
    return drafts * 10


@pytest.fixture(scope="module")
def expected(many: List[Row], command_line: Callable[..., str], tmp_path_factory: Any) -> List[Tuple[Any, ...]]:
    text = "".join(json.dumps(it) + "\n" for it in many).encode()
    folder = tmp_path_factory.mktemp("expected")
    report = command_line("--no-config", "--stdin-filename", "a.ndjson", "-", text=text, folder=folder)
    return [essence(it["document"], it) for it in json.loads(report)["findings"]]


def essence(row: int, found: Any) -> Tuple[Any, ...]:
    return (row, *(found[name] for name in ["rule", "severity", "message", "help", "pointer"]))


def frame(spark: SparkSession, drafts: List[Row], folder: Path) -> DataFrame:
    """Drafts as files of Parquet, in eight parts."""
    rows = [(at, f"client {at % 3}", json.dumps(it)) for at, it in enumerate(drafts)]
    spark.createDataFrame(rows, "id long, client string, draft string").repartition(8).write.parquet(str(folder))
    return spark.read.parquet(str(folder))


def found_in(checked: DataFrame) -> List[Tuple[Any, ...]]:
    rows = sorted(checked.select("id", "tollproof").collect(), key=lambda it: it["id"])
    for row in rows:
        counts = row["tollproof"]
        assert counts["errors"] + counts["warnings"] + counts["infos"] == len(counts["findings"])
    return [essence(row["id"], it) for row in rows for it in row["tollproof"]["findings"]]


def test_a_data_frame_has_the_findings_of_the_command_line(
    spark: SparkSession, many: List[Row], expected: List[Tuple[Any, ...]], tmp_path: Path
) -> None:
    drafts = frame(spark, many, tmp_path / "drafts")
    checked = tollproof.spark.check(drafts, column="draft", key="id", now=NOW)
    assert checked.columns == ["id", "client", "draft", "tollproof"]
    assert found_in(checked) == expected
    assert sum(it[1] == SAME for it in expected) > 1_500
    # Which of the rows with one number is the first depends on the order of the files.
    as_they_come = found_in(tollproof.spark.check(drafts, column="draft", now=NOW))
    assert sorted(it[1:] for it in as_they_come) == sorted(it[1:] for it in expected)
    apart = tollproof.spark.check(drafts, column="draft", apart=True, now=NOW)
    assert found_in(apart) == [it for it in expected if it[1] != SAME]


def test_columns_are_payloads(spark: SparkSession, clean: Row) -> None:
    rows = [(at, "appointments", [f"9a1b2c3d-4e5f-4061-8273-{at % 2:012x}"]) for at in range(4)]
    drafts = spark.createDataFrame(rows, "id long, useCase string, phoneNumbers array<string>")
    found = found_in(tollproof.spark.check(drafts, key="id", now=NOW))
    table = tollproof.Linter(now=NOW).check_table(drafts.toPandas(), columns={"id": None})
    assert found == [essence(it["row"], it) for it in table.findings.to_pylist()]
    assert [it[0] for it in found if it[1] == SAME] == [2, 3]
    renamed = tollproof.spark.check(
        drafts.withColumnRenamed("useCase", "purpose"), columns={"purpose": "useCase"}, key="id", now=NOW
    )
    assert [it[1:] for it in found_in(renamed)] == [it[1:] for it in found]


def test_no_key_hides_a_number(spark: SparkSession) -> None:
    """Keys that are null or the same, and names of columns that are odd or ours."""
    draft = '{"useCase": "Surveys", "phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-00000000000%d"]}'
    rows = [(None, 1), (None, 1), (3, 1), (4, 2), (5, 2), (5, 2), (6, 3)]
    names = "`a b` long, tollproof_earlier int, draft string"
    drafts = spark.createDataFrame([(key, 0, draft % number) for key, number in rows], names)
    checked = tollproof.spark.check(drafts, column="draft", key="a b", now=NOW)
    assert checked.columns == ["a b", "tollproof_earlier", "draft", "tollproof"]
    found = [(it[0], SAME in {found.rule for found in it["tollproof"]["findings"]}) for it in checked.collect()]
    found = sorted(found, key=lambda it: (it[0] or 0, it[1]))
    assert found == [(None, True), (None, True), (3, True), (4, False), (5, True), (5, True), (6, False)]
    with pytest.raises(tollproof.TollproofError, match="dictionary"):
        tollproof.spark.check(drafts, column="draft", settings="tollproof.yaml")  # type: ignore[arg-type]


def test_settings_facts_and_readings_travel(spark: SparkSession, tmp_path: Path) -> None:
    drafts = spark.createDataFrame(
        [(1, '{"corporateWebsite": "https://www.quillbackkayak.com", "useCase": "Surveys"}')], "id long, draft string"
    )
    seen = {
        "address": "https://www.quillbackkayak.com/",
        "at": "2026-11-20T08:00:00Z",
        "version": 1,
        "outcome": "not-found",
    }
    (tmp_path / "facts.ndjson").write_text(json.dumps(seen) + "\n")
    settings = {"rules": {"structure/missing-field": "off"}}
    checked = tollproof.spark.check(
        drafts, column="draft", settings=settings, facts=tmp_path / "facts.ndjson", now=NOW, language="fr"
    )
    found = found_in(checked)
    assert "website/not-found" in {it[1] for it in found}
    assert "structure/missing-field" not in {it[1] for it in found}
    with pytest.raises(tollproof.SettingsError):
        tollproof.spark.check(drafts, column="draft", settings={"rules": {"no/rule": "off"}})
    for wrong in [{"column": "drafts"}, {"columns": {"Zweck": "useCase"}}, {"column": "draft", "key": "number"}]:
        with pytest.raises(tollproof.TollproofError, match="has no column"):
            tollproof.spark.check(drafts, **wrong)
    with pytest.raises(tollproof.TollproofError, match="already has a column"):
        tollproof.spark.check(checked, column="draft")


def test_the_work_divides(spark: SparkSession, many: List[Row], events: Path, tmp_path: Path) -> None:
    drafts = frame(spark, many, tmp_path / "drafts")
    plan = lambda it: it._jdf.queryExecution().toString()  # noqa: E731
    apart = tollproof.spark.check(drafts, column="draft", apart=True, now=NOW)
    assert "Exchange" not in plan(apart), plan(apart)
    whole = plan(tollproof.spark.check(drafts, column="draft", key="id", now=NOW))
    assert "BroadcastExchange" in whole and "tollproof_number" in whole and "SortMergeJoin" not in whole, whole
    before = len(tasks(events))
    apart.agg(F.sum("tollproof.errors")).collect()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        new = tasks(events)[before:]
        if len({it["Task Info"]["Executor ID"] for it in new}) >= 2:
            break
        time.sleep(0.5)
    by_worker = {it["Task Info"]["Executor ID"] for it in new}
    assert len(by_worker) == 2, by_worker
    # Only the sums of tasks were shuffled.
    written = sum(it["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"] for it in new)
    assert written < 100 * len(new), written


def tasks(events: Path) -> List[Row]:
    """The tasks that ended, as the event log has them."""
    ended = []
    for file in sorted(it for it in events.rglob("*") if it.is_file() and not it.name.endswith(".crc")):
        for line in file.read_text(encoding="utf-8").splitlines():
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if event.get("Event") == "SparkListenerTaskEnd":
                ended.append(event)
    return ended


def workers() -> List[int]:
    """The processes of the workers of this cluster."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            program, *arguments = (process / "cmdline").read_text().split("\0")
        except OSError:
            continue
        if program.endswith("java") and "org.apache.spark.executor.CoarseGrainedExecutorBackend" in arguments:
            found.append(int(process.name))
    return found


def test_a_worker_that_is_killed_changes_nothing(
    spark: SparkSession, many: List[Row], expected: List[Tuple[Any, ...]], tmp_path: Path
) -> None:
    drafts = frame(spark, many, tmp_path / "drafts")
    assert len(workers()) == 2
    killed: List[int] = []
    is_over = threading.Event()

    def kill() -> None:
        # In the middle of the check, which takes longer than this.
        if not is_over.wait(2.0):
            killed.append(workers()[0])
            os.kill(killed[0], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    found = found_in(tollproof.spark.check(drafts, column="draft", key="id", now=NOW))
    is_over.set()
    thread.join()
    assert killed, "the check ended before a worker could be killed"
    assert found == expected
