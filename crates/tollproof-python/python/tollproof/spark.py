"""tollproof in Spark: checks the rows of a data frame on its workers.

    checked = tollproof.spark.check(drafts, column="draft", key="id")
    checked.where("tollproof.verdict = 'error'").select("id", explode("tollproof.findings"))

It needs PySpark 3.5 or newer with `pyarrow`, and this package on the workers. Nothing is sent to a provider.
"""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from functools import lru_cache, partial
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Union

import pyarrow
import pyarrow.compute
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, LongType, StringType, StructField, StructType
from pyspark.sql.window import Window

from ._check import Linter, moment
from ._errors import TollproofError

_ROW, _EARLIER, _NUMBER, _RANK = "_tollproof_row", "_tollproof_earlier", "_tollproof_number", "_tollproof_rank"

_COUNTS = ["errors", "warnings", "infos"]
_TEXTS = ["rule", "severity", "field", "message", "help"]
_FINDING = StructType(
    [
        *(StructField(name, StringType()) for name in _TEXTS),
        *(StructField(name, LongType()) for name in ["span_start", "span_end"]),
        *(StructField(name, StringType()) for name in ["pointer", "fingerprint"]),
    ]
)
_RESULT = StructType(
    [
        StructField("verdict", StringType()),
        *(StructField(name, LongType()) for name in _COUNTS),
        StructField("findings", ArrayType(_FINDING)),
    ]
)


def check(
    drafts: DataFrame,
    *,
    column: Optional[str] = None,
    columns: Optional[Mapping[str, Optional[str]]] = None,
    key: Optional[str] = None,
    apart: bool = False,
    into: str = "tollproof",
    provider: Optional[str] = None,
    kind: Optional[str] = None,
    settings: Optional[Mapping[str, Any]] = None,
    now: Union[datetime, str, None] = None,
    facts: Union[Iterable[Mapping[str, Any]], str, "os.PathLike[str]", None] = None,
    readings: Union[Iterable[Mapping[str, Any]], str, "os.PathLike[str]", None] = None,
    language: str = "en",
) -> DataFrame:
    """The data frame with one more column, the struct `into`:

    - `verdict`: the severity of the worst finding, `clean`, or null for a row without a draft
    - `errors`, `warnings`, `infos`: how many findings there are of each severity (bigint)
    - `findings`: an array of structs with the columns of `TableCheck.findings`, without `row`

    `column` and `columns` say where the drafts are, as in `Linter.check_table`.

    A number that two rows have is a finding in all of them but the first, the one with the smallest `key`: a column that
    identifies rows and is not part of the draft (rows with the same key are all found). Without `key`, rows are numbered by `monotonically_increasing_id`, and the
    data frame must have the same rows in the same order when it is computed twice, as files and cached data frames do. Only
    for this, the numbers (and nothing else of the drafts) are shuffled; rows that repeat one are joined by broadcast. With
    `apart`, each row is checked alone, and nothing is shuffled.

    Each worker has one linter and one thread. `settings` is a dictionary; `facts` and `readings` are lines, or paths that
    the driver reads. Without `now`, the time is that of this call on all workers.
    """
    for name in [column, key, *(columns or {})]:
        if name is not None and name not in drafts.columns:
            raise TollproofError(f"the data frame has no column `{name}`")
    if into in drafts.columns:
        raise TollproofError(f"the data frame already has a column `{into}`", help="Pass another name as `into`.")
    arguments = json.dumps(
        {
            "settings": _settings(settings),
            "provider": provider,
            "kind": kind,
            "now": moment(now or datetime.now(timezone.utc)),
            "facts": _lines(facts),
            "readings": _lines(readings),
            "language": language,
        }
    )
    _linter(arguments)  # Wrong arguments are an error here, not on a worker.
    kept, schema = drafts.columns, StructType([*drafts.schema.fields, StructField(into, _RESULT, False)])
    # The key is not a field of the draft, unless the caller says so.
    fields = None if column is not None else {**({key: None} if key else {}), **(columns or {})}
    if not apart:
        drafts = drafts.withColumn(_ROW, drafts[f"`{key}`"] if key else F.monotonically_increasing_id())
        fields = None if fields is None else {**fields, _ROW: None}
        later = _later(drafts, partial(_numbers, arguments, column, fields))
        drafts = drafts.join(F.broadcast(later), drafts[_ROW].eqNullSafe(later[_ROW]), "left").drop(later[_ROW])
    return drafts.mapInArrow(
        partial(_check, arguments, kept, into, column, fields, None if apart else _EARLIER), schema
    )


def _later(drafts: DataFrame, numbers: Any) -> DataFrame:
    """The keys of rows with a number that a row before has, and these numbers. Rows with the same key all are."""
    schema = StructType([drafts.schema[_ROW], StructField(_NUMBER, StringType())])
    rank = F.row_number().over(Window.partitionBy(_NUMBER).orderBy(_ROW))
    repeated = drafts.mapInArrow(numbers, schema).withColumn(_RANK, rank).where(F.col(_RANK) > 1)
    return repeated.groupBy(_ROW).agg(F.collect_set(_NUMBER).alias(_EARLIER))


def _numbers(
    arguments: str,
    column: Optional[str],
    columns: Optional[Dict[str, Optional[str]]],
    batches: Iterator[pyarrow.RecordBatch],
) -> Iterator[pyarrow.RecordBatch]:
    """The keys of rows, each with a number that it names. It runs on workers."""
    linter = _linter(arguments)
    for batch in batches:
        numbers = linter.numbers(batch, column=column, columns=columns)
        lists = pyarrow.table(numbers)["numbers"].combine_chunks()
        rows = batch.column(_ROW).take(pyarrow.compute.list_parent_indices(lists))
        yield pyarrow.RecordBatch.from_arrays([rows, lists.flatten()], [_ROW, _NUMBER])


def _check(
    arguments: str,
    kept: List[str],
    into: str,
    column: Optional[str],
    columns: Optional[Dict[str, Optional[str]]],
    earlier: Optional[str],
    batches: Iterator[pyarrow.RecordBatch],
) -> Iterator[pyarrow.RecordBatch]:
    """The rows with what was found in them. It runs on workers."""
    linter = _linter(arguments)
    for batch in batches:
        checked = linter.check_table(batch, column=column, columns=columns, apart=True, earlier=earlier)
        rows = pyarrow.table(checked.rows).combine_chunks()
        names = ["verdict", *_COUNTS, "findings"]
        result = pyarrow.StructArray.from_arrays([rows[it].combine_chunks() for it in names], names)
        yield pyarrow.RecordBatch.from_arrays([*map(batch.column, kept), result], [*kept, into])


@lru_cache(maxsize=4)
def _linter(arguments: str) -> Linter:
    """The linter of a worker."""
    return Linter(**json.loads(arguments), jobs=1)


def _settings(settings: Any) -> Optional[Dict[str, Any]]:
    if settings is not None and not isinstance(settings, Mapping):
        raise TollproofError("`settings` must be a dictionary, because workers do not have the files of the driver")
    return None if settings is None else dict(settings)


def _lines(lines: Any) -> Optional[List[Any]]:
    """The lines of a store."""
    if isinstance(lines, (str, os.PathLike)):
        with open(lines, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.strip()]
    return None if lines is None else [dict(it) for it in lines]
