"""Metadata that cannot be read, which no reader accepts, hides no match of a search."""

import pytest

from ibidem import DocumentIndex, PassageIndex
from ibidem.errors import DamagedError
from ibidem.text import Documents, Texts

VERSE = "tyger tyger burning bright in the forests of the night"
UNREADABLE = [b'{"n": ' + b"9" * 5000 + b"}", b"[" * 5000 + b"]" * 5000, b"{", b'"a string"', b"\xff"]


@pytest.fixture(params=range(len(UNREADABLE)))
def batch(request):
    """Two documents, the metadata of one of which cannot be read."""
    return Documents(
        ["good", "bad"], Texts.from_strings([VERSE, VERSE]), [b'{"year": 1794}', UNREADABLE[request.param]]
    )


def test_a_search_gives_the_match_without_its_metadata(tmp_path, batch) -> None:
    with PassageIndex.build(tmp_path / "index", [batch]) as index:
        for ask in (index.search, index.align):
            with pytest.warns(UserWarning, match="the metadata of document 1 .* left out"):
                matches = ask(VERSE)
            assert {match.document: match.metadata for match in matches} == {"good": {"year": 1794}, "bad": {}}
        with pytest.raises(DamagedError, match="the metadata of document 1"):
            index.segments[0].metadata(1)


def test_a_search_of_documents_gives_the_match_without_its_metadata(tmp_path, batch) -> None:
    with DocumentIndex.build(tmp_path / "index", [batch]) as index:
        with pytest.warns(UserWarning, match="the metadata of document 1 .* left out"):
            matches = index.search(VERSE)
        assert {match.document: match.metadata for match in matches} == {"good": {"year": 1794}, "bad": {}}
        assert len(index.check()) == 1
