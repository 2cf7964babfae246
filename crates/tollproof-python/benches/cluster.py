"""Drafts a second of Spark with one worker, and with two that have a core each.

    python cluster.py DRAFTS.parquet [--rows N]

DRAFTS.parquet has columns `id` and `draft`, as `tables.py --write` makes it. PYSPARK_PYTHON is the interpreter of the workers.
Each cluster is a process of its own, and measured once after a first job that starts its processes. A
worker is a JVM and an interpreter, so that one of them uses parts of two cores: it is measured on one core, and on all.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import tollproof.spark


def measure(workers: int, cores: int, drafts: Path, rows: int, apart: bool) -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    master = f"local-cluster[{workers},1,2048]"
    options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "8", "spark.executor.memory": "1g", "spark.ui.showConsoleProgress": "false"}
    builder = SparkSession.builder.master(master)
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    # Parts of a size that a cluster has.
    session.conf.set("spark.sql.files.maxPartitionBytes", "8m")

    def found(rows: int) -> int:
        frame = session.read.parquet(str(drafts)).where(F.col("id") < rows)
        checked = tollproof.spark.check(frame, column="draft", key="id", apart=apart)
        (row,) = checked.agg(F.sum("tollproof.errors"), F.count("*")).collect()
        return int(row[1])

    found(2_000)
    began = time.monotonic()
    count = found(rows)
    taken = time.monotonic() - began
    session.stop()
    name = "rows apart" if apart else "whole table"
    print(f"{workers} workers on {cores} cores, {name:12} {count} rows {taken:6.1f} s {count / taken:7.0f} rows/s", file=sys.stderr)
    print(taken)


def main() -> None:
    if sys.argv[1:2] == ["--run"]:
        workers, cores, rows, apart = map(int, sys.argv[3:])
        measure(workers, cores, Path(sys.argv[2]), rows, bool(apart))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("drafts", type=Path)
    parser.add_argument("--rows", type=int, default=200_000)
    arguments = parser.parse_args()
    for apart in [1, 0]:
        taken = []
        for workers, cores in [(1, 1), (1, 2), (2, 2)]:
            numbers = [str(it) for it in (workers, cores, arguments.rows, apart)]
            command = [sys.executable, __file__, "--run", str(arguments.drafts), *numbers]
            ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            taken.append(float(ran.stdout.split()[-1]))
        one, one_on_two, two = taken
        print(f"two workers are {one / two:.2f} times as fast as one on one core, {one_on_two / two:.2f} as one on two", flush=True)


if __name__ == "__main__":
    main()
