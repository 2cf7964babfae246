"""Drafts a second of the command line, of tables and of DuckDB, and of checks of the structure alone, side by side.

    python tables.py PROGRAM DRAFTS.ndjson SCHEMA.json [--rows N]

PROGRAM is `tollproof` of the same build as the package. DRAFTS.ndjson has one draft a line, and is repeated up to N rows.
SCHEMA.json is what `tollproof schema` prints. It needs duckdb, jsonschema-rs, numpy, pyarrow and pydantic. Each way runs in a
process of its own; memory is the most that it had, in MB, and time is that of all cores together.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator

BATCH = 8_192


def write_parquet(drafts: Path, into: Path, rows: int) -> int:
    """Repeats drafts as Parquet and NDJSON, and returns the number of bytes of NDJSON."""
    import pyarrow
    import pyarrow.parquet

    lines = [it for it in drafts.read_text(encoding="utf-8").split("\n") if it.strip()]
    schema = pyarrow.schema({"id": pyarrow.int64(), "draft": pyarrow.string()})
    size = 0
    with pyarrow.parquet.ParquetWriter(into / "drafts.parquet", schema) as parquet, open(
        into / "drafts.ndjson", "w", encoding="utf-8"
    ) as text:
        for first in range(0, rows, BATCH):
            ids = range(first, min(first + BATCH, rows))
            batch = [lines[it % len(lines)] for it in ids]
            parquet.write_batch(pyarrow.record_batch([list(ids), batch], schema=schema))
            size += text.write("".join(it + "\n" for it in batch))
    return size


def batches(folder: Path) -> Iterator[Any]:
    import pyarrow.parquet

    # `iter_batches` keeps what it has read.
    file = pyarrow.parquet.ParquetFile(folder / "drafts.parquet")
    for group in range(file.num_row_groups):
        yield from file.read_row_group(group, columns=["draft"]).to_batches()


def check_table(folder: Path) -> int:
    """`Linter.check_batches` on Parquet."""
    import pyarrow

    import tollproof

    schema = pyarrow.schema({"draft": pyarrow.string()})
    reader = pyarrow.RecordBatchReader.from_batches(schema, batches(folder))
    return sum(len(it.findings) for it in tollproof.Linter().check_batches(reader, column="draft", batch_size=BATCH))


def duckdb_function(folder: Path) -> int:
    """`tollproof(draft)` in DuckDB on Parquet."""
    return _duckdb(folder, "SELECT sum(len(tollproof(draft))) FROM '{}'")


def duckdb_table(folder: Path) -> int:
    """`tollproof_table` in DuckDB on Parquet."""
    return _duckdb(folder, "SELECT sum(len(tollproof.findings)) FROM tollproof_table('{}', draft)")


def _duckdb(folder: Path, query: str) -> int:
    import duckdb

    import tollproof.duckdb

    connection = duckdb.connect(config={"memory_limit": "150MB", "temp_directory": str(folder)})
    tollproof.duckdb.register(connection)
    (row,) = connection.execute(query.format(folder / "drafts.parquet")).fetchall()
    return int(row[0])


def json_schema(folder: Path) -> int:
    """`jsonschema_rs` on the structure."""
    import jsonschema_rs

    validator = jsonschema_rs.validator_for(json.loads((folder / "schema.json").read_text()))
    found = 0
    for batch in batches(folder):
        for text in batch.column(0).to_pylist():
            found += sum(1 for _ in validator.iter_errors(json.loads(text)))
    return found


def pydantic_loop(folder: Path) -> int:
    """A model of `pydantic` for the required texts, in a loop."""
    import pydantic

    schema = json.loads((folder / "schema.json").read_text())
    fields: Dict[str, Any] = {it: (Any, ...) for it in schema["required"]}
    model = pydantic.create_model("Submission", **fields)
    found = 0
    for batch in batches(folder):
        for text in batch.column(0).to_pylist():
            try:
                model.model_validate_json(text)
            except pydantic.ValidationError as error:
                found += error.error_count()
    return found


def command_line(program: str, folder: Path) -> None:
    """The program on NDJSON."""
    options = ["--no-config", "--min-severity", "info", "--output-format", "json"]
    with open(os.devnull, "wb") as nowhere:
        subprocess.run([program, "check", *options, str(folder / "drafts.ndjson")], stdout=nowhere, check=False)


WAYS: Dict[str, Callable[[Path], int]] = {
    it.__name__: it for it in (check_table, duckdb_function, duckdb_table, json_schema, pydantic_loop)
}


def measure(name: str, program: str, folder: Path, rows: int) -> float:
    began = time.monotonic()
    if name == "command_line":
        command = [sys.executable, __file__, "--run", name, str(folder), program]
    else:
        command = [sys.executable, __file__, "--run", name, str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    wall = time.monotonic() - began
    cpu, memory, found = ran.stdout.split()
    rate = rows / float(cpu)
    print(f"{name:16} {wall:8.1f} s {float(cpu):8.1f} s of cores {rate:9.0f} rows/s and core {float(memory):6.0f} MB  {found}")
    return rate


def run(name: str, folder: Path, program: str) -> None:
    found: Any = command_line(program, folder) or "-" if name == "command_line" else WAYS[name](folder)
    who = resource.RUSAGE_CHILDREN if name == "command_line" else resource.RUSAGE_SELF
    used = resource.getrusage(who)
    print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, found)


def main() -> None:
    if sys.argv[1:2] == ["--run"]:
        run(sys.argv[2], Path(sys.argv[3]), "".join(sys.argv[4:]))
        return
    if sys.argv[1:2] == ["--write"]:
        print(write_parquet(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("drafts", type=Path)
    parser.add_argument("schema", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        # In a process of its own, so that its memory is not that of the others.
        command = [sys.executable, __file__, "--write", str(arguments.drafts), made, str(arguments.rows)]
        size = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        (folder / "schema.json").write_bytes(arguments.schema.read_bytes())
        print(f"{arguments.rows} rows, {size / 1e6:.0f} MB of NDJSON; the last column is how much was found")
        of_program = measure("command_line", arguments.program, folder, arguments.rows)
        for name in WAYS:
            rate = measure(name, arguments.program, folder, arguments.rows)
            print(f"{'':16} {rate / of_program:8.2f} of the command line")


if __name__ == "__main__":
    main()
