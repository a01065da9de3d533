"""What became of documents is read back part by part."""

from types import SimpleNamespace

import numpy as np
import pytest

from ibidem.plans.dedup.chosen import ChosenDocuments
from ibidem.plans.dedup.digests import open_spools

from .test_digests import DOCUMENTS, write_spool


@pytest.fixture
def digests(tmp_path):
    parts = [DOCUMENTS[:5], DOCUMENTS[5:]]
    return open_spools([write_spool(tmp_path / str(number), part) for number, part in enumerate(parts)])


def test_each_part_has_its_own_rows_and_the_ids_of_all(digests, tmp_path):
    kept = np.ones(12, np.bool_)
    kept[[4, 6, 11]] = False
    duplicate_of = np.full(12, -1)
    duplicate_of[[4, 6, 11]] = [9, 0, 5]  # in the other part, in the other part, in its own
    found = SimpleNamespace(
        kept=kept, duplicate_of=duplicate_of, similarity=np.linspace(0, 1, 12), exact=np.arange(12) == 6
    )
    ChosenDocuments.write(tmp_path, found)
    first, second = (ChosenDocuments.read(tmp_path, digests, part) for part in range(2))
    assert [first.id_of(row) for row in range(5)] == [document["id"] for document in DOCUMENTS[:5]]
    assert second.id_of(0) == DOCUMENTS[5]["id"]
    assert (first.kept.tolist(), second.kept.tolist()) == (kept[:5].tolist(), kept[5:].tolist())
    assert first.relation(4) == (DOCUMENTS[9]["id"], pytest.approx(4 / 11), False)
    assert second.relation(1) == (DOCUMENTS[0]["id"], pytest.approx(6 / 11), True)
    assert second.relation(6) == (DOCUMENTS[5]["id"], 1.0, False)
    assert (first.relations.keys(), second.relations.keys()) == ({4}, {1, 6})
