"""What became of documents is read back part by part."""

import numpy as np
import pytest

from ibidem.documents.job import chosen
from ibidem.documents.job.chosen import ChosenDocuments, ChosenWriter

from ..test_digests import DOCUMENTS, open_spools, write_spool


@pytest.fixture
def digests(tmp_path):
    parts = [DOCUMENTS[:5], DOCUMENTS[5:]]
    return open_spools([write_spool(tmp_path / str(number), part) for number, part in enumerate(parts)])


DECIDED = {
    "clusters": np.array([0, 0, 2, 2, 2]),
    "duplicate_of": np.array([0, 0, 3, 3, 3]),
    "similarity": np.array([1.0, 0.9, 0.8, 1.0, 1.0]),
    "weakest": np.array([0.9, 0.9, 0.8, 0.8, 0.8]),
    "kept": np.array([True, False, False, True, False]),
    "exact": np.array([False, False, False, False, True]),
}


@pytest.fixture(params=[1 << 20, 1])
def written(request, digests, tmp_path):
    """Documents 2 and 6 are a cluster, and 4, 9 and 11 are one of which 11 copies 9; memory for all or for one."""
    for name in ("aside", "target"):
        (tmp_path / name).mkdir()
    writer = ChosenWriter(digests, tmp_path / "aside", tmp_path / "target", request.param)
    rows = np.array([2, 6, 4, 9, 11])
    second = {name: values[2:] - 2 * (values.dtype == np.int64) for name, values in DECIDED.items()}
    writer.append(rows[2:], second)
    writer.append(rows[:2], {name: values[:2] for name, values in DECIDED.items()})
    return writer


def test_what_was_decided_is_counted(written):
    assert (written.removed, written.exact, written.clusters) == (3, 1, 2)


def test_clusters_come_in_the_order_of_their_first_documents(written):
    ids = [document["id"] for document in DOCUMENTS]
    rows = list(written.read_clusters())
    assert [(row.cluster, row.id, row.kept, row.duplicate_of) for row in rows] == [
        (ids[2], ids[2], True, ids[2]),
        (ids[2], ids[6], False, ids[2]),
        (ids[4], ids[4], False, ids[9]),
        (ids[4], ids[9], True, ids[9]),
        (ids[4], ids[11], False, ids[9]),
    ]
    assert [(row.similarity, row.exact, row.weakest_link) for row in rows[1:3]] == [
        (0.9, False, 0.9),
        (0.8, False, 0.8),
    ]


@pytest.mark.parametrize("block", [1, 2, 100])
def test_each_part_has_its_own_rows_and_the_ids_of_all(written, digests, tmp_path, monkeypatch, block):
    monkeypatch.setattr(chosen, "_BLOCK", block)
    ids = [document["id"] for document in DOCUMENTS]
    first, second = (ChosenDocuments(tmp_path / "target", digests, part) for part in range(2))
    assert [first.id_of(row) for row in range(5)] == ids[:5]
    assert [second.id_of(row) for row in range(7)] == ids[5:]
    assert first.kept.tolist() == [True, True, True, True, False]
    assert np.flatnonzero(~second.kept).tolist() == [1, 6]
    assert first.relation(4) == (ids[9], 0.8, False)
    assert second.relation(1) == (ids[2], 0.9, False)
    assert second.relation(6) == (ids[9], 1.0, True)
