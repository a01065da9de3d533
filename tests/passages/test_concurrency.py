"""One index that many threads share gives right answers while documents are added, removed and merged."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from ibidem import PassageIndex

THREADS = 4
VERSES = {
    f"verse {number}": " ".join(f"w{number * 7 + place * (1 + number % 3)}" for place in range(40))
    for number in range(12)
}

COMMITS = """
import sys
from ibidem import PassageIndex
with PassageIndex.open(sys.argv[1]) as index:
    for number in range(3):
        index.add([(f"other {number}", "w1 w2 w3 w4 w5 w6 w7 w8"), (f"gone {number}", "w5 w6 w7 w8")])
        index.remove([f"gone {number}"])
    index.merge()
"""


@pytest.fixture(params=[{}, {"family": "weighted", "idf": "smooth"}])
def index(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[PassageIndex]:
    with PassageIndex.build(tmp_path / "index", VERSES.items(), **request.param) as built:
        yield built


def answers(index: PassageIndex, verse: str) -> list[tuple[Any, ...]]:
    """What a search finds of the documents that are always there."""
    found = index.search(verse, threshold=0.7)
    return [(match.document, match.start, match.end, match.similarity) for match in found if match.document in VERSES]


@contextmanager
def searching(index: PassageIndex) -> Iterator[None]:
    """Search in many threads until the block ends; every answer is the right one."""
    expected = {verse: answers(index, verse) for verse in VERSES.values()}
    over = Event()

    def search(first: int) -> int:
        verses = list(VERSES.values())
        for number in count(first):
            verse = verses[number % len(verses)]
            assert answers(index, verse) == expected[verse]
            if over.is_set():
                return number - first + 1
        raise AssertionError

    with ThreadPoolExecutor(THREADS) as pool:
        searches = [pool.submit(search, number) for number in range(THREADS)]
        try:
            yield
        finally:
            over.set()
        assert sum(each.result() for each in searches) >= THREADS


@pytest.mark.usefixtures("warm_python")
def test_threads_keep_their_generation_while_another_process_commits(index: PassageIndex) -> None:
    before = index.generation
    with searching(index):
        subprocess.run([sys.executable, "-c", COMMITS, str(index.path)], check=True)
        assert index.generation == before
    with PassageIndex.open(index.path) as following:
        assert following.generation == before + 7
        assert index.check() == []


def test_threads_find_what_always_was_there_while_the_same_object_commits(index: PassageIndex) -> None:
    with searching(index):
        for number in range(3):
            index.add([(f"other {number}", "w1 w2 w3 w4 w5 w6 w7 w8"), (f"gone {number}", "w5 w6 w7 w8")])
            index.remove([f"gone {number}"])
        index.merge()
    assert index.ids() == {*VERSES, "other 0", "other 1", "other 2"}
