"""The part that a task read is opened again, with what resembles an index."""

import pytest

from ibidem.documents.digests import Digests
from ibidem.documents.job.against import OldDocument
from ibidem.documents.job.reading import ReadDocuments, make_digests, make_spool, open_read, save_read
from ibidem.errors import DamagedError
from ibidem.resources import Resources
from ibidem.text import as_batches

from ..test_digests import CHOICES, DOCUMENTS, write_spool


def test_what_was_read_is_found_again(tmp_path):
    spool, old = make_spool(tmp_path, CHOICES), {3: OldDocument("x", "y", 0.9, False, True, False)}
    for digest in make_digests(as_batches(DOCUMENTS), CHOICES, Resources.of("64M", 1, None)):
        spool.append(digest)
    spool.counts = [4, 8]
    save_read(ReadDocuments(spool, lambda: old), tmp_path)
    read = open_read(tmp_path)
    assert read.read_old() == old
    assert read.digests.counts == [4, 8]
    assert Digests([read.digests]).ids() == [document["id"] for document in DOCUMENTS]


def test_a_part_that_was_not_finished_is_named(tmp_path):
    assert open_read(write_spool(tmp_path / "whole", DOCUMENTS)).digests.rows == len(DOCUMENTS)
    (tmp_path / "half").mkdir()
    with pytest.raises(DamagedError, match="half: not what a task writes; remove this folder"):
        open_read(tmp_path / "half")
