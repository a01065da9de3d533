"""merge: many segments become one, and removed documents take no more room."""

from pathlib import Path

from .samples import Run, documents_with_passage, lines_of


def test_merging_makes_one_segment_and_frees_the_removed(run: Run, folder: Path) -> None:
    run("add", "books.ibidem", "more")
    run("remove", "books.ibidem", "bees.txt")
    result = run("merge", "books.ibidem")
    assert result.stderr.startswith("books.ibidem: 2 segments became 1, without 1 removed document, in ")
    facts = lines_of(run("info", "books.ibidem"))[0]
    assert (facts["segments"], facts["documents"], facts["removed"]) == (1, 3, 0)
    assert documents_with_passage("books.ibidem") == {"ferry.txt", "again.txt"}
    assert "nothing to merge" in run("merge", "books.ibidem").stderr
