"""Tasks are done one after another; each tells its state, and what came of it."""

import errno
import threading

import pytest

from ibidem.errors import LockedError
from ibidem.web.indexes.tasks import TaskQueue
from ibidem.web.problems import ProblemError


def test_tasks_wait_for_each_other_and_end() -> None:
    held, entered = threading.Event(), threading.Event()

    def block() -> str:
        entered.set()
        held.wait(240)
        return "done it"

    tasks = TaskQueue(limit=1)
    first = tasks.put("add", "books", 1, block)
    assert entered.wait(240)
    second = tasks.put("remove", "books", 2, lambda: "this, too")
    assert [each.state for each in (tasks.get(first.id), tasks.get(second.id)) if each] == ["running", "waiting"]
    with pytest.raises(ProblemError, match="too many tasks"):
        tasks.put("add", "books", 1, block)
    held.set()
    tasks.wait()
    listed, added = tasks.list()
    assert added == 2
    assert [(each.kind, each.state, each.detail) for each in listed] == [
        ("remove", "done", "this, too"),
        ("add", "done", "done it"),
    ]
    assert tasks.get("none") is None


def test_a_task_that_fails_says_why() -> None:
    def fail() -> str:
        raise LockedError("books: another writer is at work")

    def break_down() -> str:
        raise RuntimeError("a secret of this machine")

    def fill_disk() -> str:
        raise OSError(errno.ENOSPC, "No space left on device", "/srv/secret/books/4.seg")

    tasks = TaskQueue(limit=4)
    names = [tasks.put("add", "books", 1, work).id for work in (fail, break_down, fill_disk)]
    tasks.wait()
    tasks.close()
    failed, broken, full = (tasks.get(name) for name in names)
    assert failed is not None
    assert broken is not None
    assert full is not None
    assert full.detail == "the index 'books' could not be written, and is as it was: No space left on device"
    assert (failed.state, failed.detail) == ("failed", "books: another writer is at work")
    assert (broken.state, "secret" in broken.detail) == ("failed", False)


def test_of_many_tasks_the_oldest_that_have_ended_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.web.indexes.tasks._KEPT", 3)
    tasks = TaskQueue(limit=50)
    names = []
    for number in range(6):
        names.append(tasks.put("add", "books", number, str).id)
        tasks.wait()
    kept = [each.id for each in tasks.list()[0]]
    assert kept == names[:2:-1]
    tasks.close()
