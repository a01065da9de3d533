"""Data frames of Spark; skipped unless pyspark and a Java are there."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ibidem.integrations.spark import add_leaks, add_matches, deduplicate

from .samples import (
    EVALS,
    KEPT,
    build_index,
    make_documents,
    make_leaking,
    require_leak,
    require_marked,
    sample_of_texts,
)

sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java"),
]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    with builder.config("spark.driver.host", "127.0.0.1").getOrCreate() as started:
        yield started


def test_partitions_get_the_column_of_matches(session: Any, tmp_path: Path) -> None:
    frame = session.createDataFrame(make_documents()).repartition(3)
    marked = add_matches(frame, build_index(tmp_path), min_pair_length=10)
    assert marked.columns == [*frame.columns, "matches"]
    require_marked([row.asDict(recursive=True) for row in marked.collect()])


def test_partitions_get_the_column_of_leaks(session: Any) -> None:
    frame = session.createDataFrame(make_leaking()).repartition(2)
    marked = add_leaks(frame, EVALS, sample_of_texts())
    require_leak([row.asDict(recursive=True) for row in marked.collect()])


def test_a_frame_loses_its_near_duplicates(session: Any, tmp_path: Path) -> None:
    rows = [row | {"id": f"d{row['n']}"} for row in make_documents()]
    frame = session.createDataFrame(session.sparkContext.parallelize(rows, 3))
    kept = deduplicate(frame, tmp_path / "work", threshold=0.6)
    assert kept.schema == frame.schema
    assert [row["n"] for row in kept.collect()] == KEPT
    assert pq.read_table(tmp_path / "work/clusters.parquet").num_rows == 4
