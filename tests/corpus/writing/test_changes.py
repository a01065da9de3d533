"""Changes of documents as changes of the rows of a file, some of which are no documents."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.failures import Failure, Failures
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.changes import Changes, FileRows

KINDS = ("document", "dropped", "left out", "kept")


@given(kinds=st.lists(st.sampled_from(KINDS), max_size=9))
def test_each_row_is_that_of_its_document_or_of_none(kinds: list[str]) -> None:
    failures = Failures(
        Failure("a", 0, row, "why", is_kept=kind == "kept")
        for row, kind in enumerate(kinds)
        if kind in ("left out", "kept")
    )
    documents = [kind for kind in kinds if kind in ("document", "dropped")]
    dropped: list[int] = []
    changes = Changes(np.array([kind == "document" for kind in documents], bool), edits={1: str.upper})
    rows = FileRows(Source("a", "a", failures=failures), changes, lambda document, row: dropped.append(document))
    assert [rows.keeps(row) for row in range(len(kinds) + 1)] == [
        *(kind in ("document", "kept") for kind in kinds),
        False,
    ]
    expected = -np.ones(len(kinds), int)
    expected[[kind in ("document", "dropped") for kind in kinds]] = np.arange(len(documents))
    assert rows.documents.tolist() == expected.tolist()
    for row in range(len(kinds) + 1):
        if not rows.keeps(row):
            rows.drop(row, lambda: lambda note: iter(()))
    assert dropped == [number for number, kind in enumerate(documents) if kind == "dropped"]
    edited = [row for row in range(len(kinds)) if rows.find_edit(row) is not None]
    assert edited == [row for row, document in enumerate(expected) if document == 1]
