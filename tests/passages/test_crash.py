"""A process that writes an index is killed at an instant of its work."""

import signal
import subprocess
import sys

import pytest

from ibidem import PassageIndex

pytestmark = pytest.mark.usefixtures("warm_python")

TEXTS = {name: " ".join(f"{name}{number}" for number in range(30)) for name in ("old", "other", "new")}
OPTIONS = {"min_length": 4}

SCRIPT = """
import os, signal, sys
from ibidem import Document, PassageIndex
from ibidem.store.writer import Writer
from ibidem.text import Documents

path, work = sys.argv[1:]
text = " ".join(f"new{number}" for number in range(30))

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def die_at_indexing(phase, done, total):
    if phase == "indexing":
        die()

def documents():
    for number in range(9):
        yield Documents.of([Document(f"new {number}", text)])
    die()

if work == "build, reading":
    PassageIndex.build(path, documents(), min_length=4, threads=1)
elif work == "build, indexing":
    PassageIndex.build(path, [text], min_length=4, progress=die_at_indexing)
elif work == "add, reading":
    PassageIndex.open(path).add(documents(), threads=1)
elif work == "add, indexing":
    PassageIndex.open(path).add([("new", text)], progress=die_at_indexing)
elif work == "merge":
    PassageIndex.open(path).merge(progress=die_at_indexing)
elif work == "remove":
    Writer._clear = die  # the manifest has been replaced, and nothing has been cleaned up
    PassageIndex.open(path).remove(["old"])
elif work == "remove, before the manifest":
    Writer._prepare = die
    PassageIndex.open(path).remove(["old"])
"""


def kill(path, work):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path), work], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def found(index):
    """Ids of the documents that hold each of the texts."""
    return [sorted(match.document for match in index.search(text)) for text in TEXTS.values()]


@pytest.mark.parametrize("work", ["build, reading", "build, indexing"])
def test_where_a_build_was_killed_another_can_be_made_and_says_what_it_found(tmp_path, work):
    path = tmp_path / "index"
    kill(path, work)
    with PassageIndex.build(path, TEXTS.items(), **OPTIONS) as index:
        assert index.last_write.recovered == ["segments/000001.partial"]
        assert found(index) == [["old"], ["other"], ["new"]]
        assert index.check() == []
        assert [folder.name for folder in (path / "segments").iterdir()] == ["000001"]


@pytest.mark.parametrize(
    ("work", "expected", "recovered"),
    [
        ("add, reading", [["old"], ["other"], []], ["segments/000003.partial"]),
        ("add, indexing", [["old"], ["other"], []], ["segments/000003.partial"]),
        ("merge", [["old"], ["other"], []], ["segments/000003.partial"]),
        ("remove", [[], ["other"], []], []),
        ("remove, before the manifest", [["old"], ["other"], []], []),
    ],
)
def test_where_a_writer_was_killed_the_last_commit_stands(tmp_path, work, expected, recovered):
    path = tmp_path / "index"
    with PassageIndex.build(path, [("old", TEXTS["old"])], **OPTIONS) as index:
        index.add([("other", TEXTS["other"])])
    kill(path, work)
    with PassageIndex.open(path) as index:
        assert found(index) == expected
        assert index.check() == []
        assert index.add([("new", TEXTS["new"])]).recovered == recovered
        assert found(index) == [*expected[:2], ["new"]]
        index.merge()
        assert found(index) == [*expected[:2], ["new"]]
        assert index.check() == []
