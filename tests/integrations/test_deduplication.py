"""Blocks that are digested one by one give the decisions of one call and of the command."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ibidem
from ibidem.engine import Here
from ibidem.errors import CorpusError
from ibidem.integrations.deduplication import Blocks, RemovedNames
from ibidem.resources import Resources

from .samples import make_documents

OPTIONS: list[dict[str, Any]] = [
    {},
    {"keep": "max(n)", "threshold": 0.6, "cluster_mode": "connected"},
    {"keep": "longest", "shingle": "characters:9"},
]


def make_table() -> pa.Table:
    return pa.Table.from_pylist([row | {"id": f"d{row['n']}"} for row in make_documents()])


def deduplicate(table: pa.Table, folder: Path, **options: Any) -> pa.Table:
    """As the pipelines do it: in blocks of five rows, which are read again from a pickled copy of what keeps them."""
    blocks = Blocks.of(folder, "text", "id", "64M", **options)
    batches = table.to_batches(max_chunksize=5)
    names = [pickle.loads(pickle.dumps(blocks)).digest([batch]) for batch in batches]
    keep_rows = pickle.loads(pickle.dumps(blocks.decide(Here(Resources.of("64M", 1, None)), names)))
    return pa.Table.from_batches([keep_rows(batch) for batch in batches])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_blocks_keep_what_the_command_keeps_and_list_the_same_clusters(tmp_path: Path, options: dict[str, Any]) -> None:
    table = make_table()
    pq.write_table(table, tmp_path / "a.parquet")
    ibidem.deduplicate_files(tmp_path / "a.parquet", tmp_path / "out", **options)
    kept = deduplicate(table, tmp_path / "work", **options)
    assert kept == pq.read_table(tmp_path / "out/kept/a.parquet")
    assert kept.num_rows == 10
    ours, theirs = (pq.read_table(tmp_path / f"{name}/clusters.parquet") for name in ("work", "out"))
    assert ours == theirs
    assert ours.num_rows == 4


@pytest.mark.parametrize("null", ["keep", "drop"])
def test_rows_without_a_text_stay_or_go_as_those_of_the_command(tmp_path: Path, null: Any) -> None:
    rows = make_table().to_pylist()
    for number in (0, 7, 8):
        rows.insert(number, rows[number] | {"id": f"null-{number}", "text": None})
    rows.insert(12, {**rows[1], "text": None})  # with the id of another, which may be removed
    table = pa.Table.from_pylist([*rows, *({"id": f"end-{n}", "text": None} for n in range(5))])
    pq.write_table(table, tmp_path / "a.parquet")
    ibidem.deduplicate_files(tmp_path / "a.parquet", tmp_path / "out", null=null)
    assert deduplicate(table, tmp_path / "work", null=null) == pq.read_table(tmp_path / "out/kept/a.parquet")
    with pytest.raises(CorpusError, match="null"):
        deduplicate(table, tmp_path / "again")


def test_what_cannot_be_decided_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no column 'name'"):
        Blocks.of(tmp_path / "a", "text", "name", "64M").digest([make_table()])
    repeated = pa.Table.from_pylist(make_documents())
    with pytest.raises(CorpusError, match="id"):
        deduplicate(repeated, tmp_path / "b")
    with pytest.raises(FileExistsError):
        deduplicate(make_table(), tmp_path / "b")


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=9), st.data())
def test_names_are_found_by_all_of_their_bits(names: list[tuple[int, int]], data: st.DataObject) -> None:
    removed = np.array(data.draw(st.lists(st.sampled_from(names), unique=True)) if names else [], np.uint64)
    removed = removed.reshape(-1, 2)
    ordered = RemovedNames(removed[np.lexsort(removed.T)])
    expected = [name in set(map(tuple, removed.tolist())) for name in names]
    assert ordered.find(np.array(names, np.uint64).reshape(-1, 2)).tolist() == expected
