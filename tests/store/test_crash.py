"""A writer may end between any two things that it asks of the file system, and in the middle of a write.

Every test counts the steps of a piece of work once, and then has the work fail at each of them in turn.
"""

import errno
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ibidem.errors import NotAnIndexError, StoreError
from ibidem.store import Store, check_index
from ibidem.store.leftovers import find_leftovers
from ibidem.store.manifest import read_manifest
from ibidem.system import disk

from . import samples

# At these a process is killed; to be killed at a step and at the next one of the others is the same.
FATAL = ("write", "sync", "sync_folder", "rename", "remove", "remove_folder")
STEPS = ("create", "write", "write_at", "sync", "sync_folder", "rename", "make_folder", "remove", "remove_folder")


def build(path: Path) -> None:
    with suppress(NotAnIndexError):
        if Store.open(path).generation:
            return
    with Store.begin(path, samples.CONFIG) as (store, _), store.writer() as writer:
        samples.fill(writer.new_segment(), count=3, functions=1)
        samples.put_some_frequencies(writer)
        writer.attach(samples.ATTACHED)
        writer.commit()


def add(path: Path) -> None:
    samples.add(Store.open(path), first=10, count=2)


def remove(path: Path) -> None:
    with Store.open(path).writer() as writer:
        writer.remove({"000001": [0, 4], "000002": [1]})
        writer.commit()


def merge(path: Path) -> None:
    store = Store.open(path)
    with store.writer() as writer:
        segment = writer.new_segment()
        for old in store.segments:
            for batch in old.batches():
                segment.append_documents(*batch)
            writer.drop(old.name)
        segment.append_postings(*samples.some_postings(segment.tokens()[1], 0))
        writer.commit()


class Failure:
    """Stands in for the functions of ``disk``: counts calls, and at one of them does something worse."""

    def __init__(self, patch: pytest.MonkeyPatch, step: int, fail: Callable[[], None], names: tuple[str, ...] = STEPS):
        self.calls = 0
        self.step = step
        self.fail = fail
        for name in STEPS:
            patch.setattr(disk, name, self.guard(name, getattr(disk, name), name in names))

    def guard(self, name: str, real: Callable[..., Any], counted: bool) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if counted:
                self.calls += 1
                if self.calls == self.step:
                    if name == "write":
                        os.write(arguments[0], memoryview(arguments[1])[: len(arguments[1]) // 2])
                    self.fail()
            # Nothing here survives a loss of power but by the order of the steps, which has a test of its own.
            return None if name in ("sync", "sync_folder") else real(*arguments)

        return call


def nothing() -> None:
    pass


class Killed(BaseException):
    """Raised by a step at which the writer is killed, and by all that its clean-up then asks of the file system."""


@pytest.fixture
def disturbed(tmp_path: Path, request: pytest.FixtureRequest) -> "Disturbed":
    return Disturbed(tmp_path, request.param)


class Disturbed:
    """A piece of work on an index, to be done again and again from the same beginning."""

    def __init__(self, folder: Path, work: Callable[[Path], None]) -> None:
        self.work = work
        self.path = folder / "index"
        self.base = folder / "base"
        with pytest.MonkeyPatch.context() as patch:
            if work is not build:
                Failure(patch, -1, nothing)
                self.prepare()
            self.before = self.state(self.base)
            self.begin()
            failure = Failure(patch, -1, nothing)
            work(self.path)
            self.steps = failure.calls
        self.after = self.state(self.path)
        self.tree = samples.tree(self.path)

    def prepare(self) -> None:
        store = Store.create(self.base, samples.CONFIG)
        samples.add(store)
        samples.add(store, first=5, count=3)
        with store.writer() as writer:
            writer.remove({"000001": [2]})
            writer.commit()

    def begin(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        if self.base.exists():
            # Links and not copies: a committed file that was written to would change in the base too.
            shutil.copytree(self.base, self.path, copy_function=os.link)

    def state(self, path: Path) -> Any:
        try:
            return samples.contents(Store.open(path))
        except NotAnIndexError:
            return None

    def require_a_whole_generation(self, step: int) -> bool:
        """Whether the index is as the work should leave it; it must be so, or as it was before."""
        state = self.state(self.path)
        empty = self.work is build and state is not None and not state["segments"]
        assert empty or state in (self.before, self.after), f"step {step}"
        if state is not None:
            assert check_index(self.path).problems == [], f"step {step}"
        return state == self.after

    def finish(self, done: bool) -> None:
        """Do the work, or whatever next thing a writer does if the work is done; the bytes must be the same."""
        if not done:
            self.work(self.path)
        with Store.open(self.path).writer():
            pass
        assert samples.tree(self.path) == self.tree
        assert find_leftovers(self.path, read_manifest(self.path)) == []


@pytest.mark.parametrize("disturbed", [build, add, remove, merge], indirect=True)
def test_a_writer_killed_at_any_step_leaves_a_whole_generation(
    disturbed: Disturbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die() -> None:
        failure.step = failure.calls + 1  # the next call fails, too: a process that is dead changes nothing more
        raise Killed

    outcomes: list[bool] = []
    while True:
        step = len(outcomes) + 1
        disturbed.begin()
        with monkeypatch.context() as patch:
            failure = Failure(patch, step, die, FATAL)
            try:
                disturbed.work(disturbed.path)
                break
            except Killed:
                pass
        with monkeypatch.context() as patch:
            Failure(patch, -1, nothing)
            outcomes.append(disturbed.require_a_whole_generation(step))
            disturbed.finish(outcomes[-1])
    assert outcomes == sorted(outcomes)
    assert outcomes[0] is False
    assert outcomes[-1] is True


@pytest.mark.parametrize("disturbed", [build, remove, merge], indirect=True)
def test_an_interrupt_at_any_step_leaves_a_whole_generation_and_no_lock(
    disturbed: Disturbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    for step in range(1, disturbed.steps + 1):
        disturbed.begin()
        with monkeypatch.context() as patch:
            Failure(patch, step, interrupt)
            with pytest.raises(KeyboardInterrupt):
                disturbed.work(disturbed.path)
            done = disturbed.require_a_whole_generation(step)
            disturbed.finish(done)


@pytest.mark.parametrize("disturbed", [build, remove, merge], indirect=True)
def test_a_disk_that_fills_up_at_any_step_leaves_the_last_commit_and_nothing_aside(
    disturbed: Disturbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        failure.step += 1
        raise OSError(errno.ENOSPC, "No space left on device")

    names = ("create", "write", "make_folder")
    step = 0
    while True:
        step += 1
        disturbed.begin()
        with monkeypatch.context() as patch:
            failure = Failure(patch, step, full, names)
            if not fails_for_want_of_space(disturbed):
                break
            assert not disturbed.require_a_whole_generation(step)
            if disturbed.path.exists() and disturbed.state(disturbed.path) is not None:
                assert find_leftovers(disturbed.path, read_manifest(disturbed.path)) == []
        with monkeypatch.context() as patch:
            Failure(patch, -1, nothing)
            disturbed.finish(False)
    assert step > 2


def fails_for_want_of_space(disturbed: Disturbed) -> bool:
    try:
        disturbed.work(disturbed.path)
    except OSError as error:
        return error.errno == errno.ENOSPC
    return False


def test_everything_is_on_the_disk_before_the_manifest_is_replaced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unsynced: set[Path] = set()
    replaced = []
    open_files: dict[int, Path] = {}

    def watch(name: str, note: Callable[..., None]) -> None:
        real = getattr(disk, name)

        def call(*arguments: Any) -> Any:
            result = real(*arguments)
            note(result, *arguments)
            return result

        monkeypatch.setattr(disk, name, call)

    def created(descriptor: int, file: Path) -> None:
        open_files[descriptor] = file
        unsynced.update((file, file.parent))

    def renamed(_: None, source: Path, target: Path) -> None:
        if target.name == "manifest.json":
            replaced.append(unsynced - {path})
        unsynced.update({source.parent, target.parent} | ({target} if source in unsynced else set()))
        unsynced.discard(source)

    watch("create", created)
    watch("reopen", lambda descriptor, file: open_files.update({descriptor: file}))
    watch("write", lambda _, descriptor, __: unsynced.add(open_files[descriptor]))
    watch("write_at", lambda _, descriptor, *__: unsynced.add(open_files[descriptor]))
    watch("sync", lambda _, descriptor: unsynced.discard(open_files[descriptor]))
    watch("sync_folder", lambda _, folder: unsynced.discard(folder))
    watch("make_folder", lambda _, folder: unsynced.update({folder, folder.parent}))
    watch("rename", renamed)

    store = Store.create(path, samples.CONFIG)
    samples.add(store)
    with store.writer() as writer:
        samples.fill(writer.new_segment())
        samples.put_some_frequencies(writer)
        writer.attach(samples.ATTACHED)
        writer.remove({"000001": [1]})
        writer.commit()
    assert replaced == [set(), set(), set()]
    assert unsynced == set()


def test_a_commit_that_fails_after_its_instant_keeps_the_files_of_both_generations(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new manifest is in place, but it is not sure that it would be after a loss of power."""

    def fail(folder: Path) -> None:
        if read_manifest(store.path).generation == 3:
            raise OSError(errno.EIO, "Input/output error")

    def commit() -> None:
        with store.writer() as writer:
            samples.fill(writer.new_segment())
            writer.drop("000001")
            writer.commit()

    with monkeypatch.context() as patch:
        patch.setattr(disk, "sync_folder", fail)
        with pytest.raises(StoreError, match="the commit is complete, but the disk has not confirmed it: Input/output"):
            commit()
    assert sorted(folder.name for folder in (store.path / "segments").iterdir()) == ["000001", "000002", "000003"]
    with store.writer() as writer:
        assert "segments/000001" in writer.recovered
    assert [segment.name for segment in store.segments] == ["000002", "000003"]
    assert store.check().problems == []


def test_files_that_cannot_be_removed_after_a_commit_are_no_failure_of_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> None:
        raise OSError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as patch, store.writer() as writer:
        samples.fill(writer.new_segment(), first=20)
        writer.drop("000001")
        patch.setattr(disk, "remove_tree", fail)
        with pytest.warns(UserWarning, match="the commit is complete, but what it has replaced could not be removed"):
            writer.commit()
    assert [segment.name for segment in store.segments] == ["000002", "000003"]
    with store.writer() as writer:
        assert writer.recovered == ["segments/000001", "tombstones/000001-000002.npy"]
