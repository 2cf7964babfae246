"""Drafts a second of Spark with one worker of one core, and with two.

    python cluster.py DRAFTS.parquet [--rows N]

DRAFTS.parquet has columns `id` and `draft`, as `tables.py --write` makes it. PYSPARK_PYTHON is the interpreter of the workers.
Each cluster is measured once after a first job that starts its processes.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import tollproof.spark


def measure(workers: int, drafts: Path, rows: int, apart: bool) -> float:
    master = f"local-cluster[{workers},1,2048]"
    options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "8", "spark.executor.memory": "1g"}
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
    print(f"{workers} workers, {name:12} {count} rows {taken:6.1f} s {count / taken:7.0f} rows/s", flush=True)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("drafts", type=Path)
    parser.add_argument("--rows", type=int, default=200_000)
    arguments = parser.parse_args()
    for apart in [True, False]:
        one, two = (measure(workers, arguments.drafts, arguments.rows, apart) for workers in (1, 2))
        print(f"two workers are {one / two:.2f} times as fast as one")


if __name__ == "__main__":
    main()
