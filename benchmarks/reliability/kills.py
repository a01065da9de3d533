"""Writers that are killed, or whose disk fails, at every operation; and power that fails: unsynced writes are lost."""

import errno
import os
import random
import shutil
import signal
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any, Self

from outcomes import Outcomes, Share
from works import Work, start_anew, start_empty, workplace

from ibidem.errors import IbidemError
from ibidem.store import check_index
from ibidem.system import disk

OPERATIONS = ("create", "write", "write_at", "sync", "sync_folder", "rename", "make_folder", "remove", "remove_folder")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)


class Interposed:
    """Stands in for functions by which the store asks for the disk, while a block runs."""

    def __init__(self, names: Iterable[str]) -> None:
        self._real = {name: getattr(disk, name) for name in names}

    def __enter__(self) -> Self:
        for name, real in self._real.items():
            setattr(disk, name, self._guard(name, real))
        return self

    def __exit__(self, *_: object) -> None:
        for name, real in self._real.items():
            setattr(disk, name, real)

    def _guard(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """What is called in place of ``real``."""
        raise NotImplementedError


class Shim(Interposed):
    """Does something else at one of the calls.

    Args:
        step: the call, numbered from 0.
        act: what is done.
        after: do it when the call has done its work. Else it is done before, and a write has written a part.
    """

    def __init__(self, step: int = -1, act: Callable[[], None] = lambda: None, *, after: bool = False) -> None:
        super().__init__(OPERATIONS)
        self.calls = 0
        self._step, self._act, self._after = step, act, after

    def _guard(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            reached = self.calls == self._step
            self.calls += 1
            if reached and not self._after:
                if name == "write":
                    os.write(arguments[0], memoryview(arguments[1]).cast("B")[: len(arguments[1]) // 2])
                self._act()
            result = None if name in ("sync", "sync_folder") else real(*arguments)
            if reached and self._after:
                self._act()
            return result

        return call


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Verdicts:
    """What was found wrong with each state of a folder. A state that comes again is not judged again."""

    def __init__(self) -> None:
        self._found: dict[Hashable, str | None] = {}

    def find(self, state: Hashable, judge: Callable[[], str | None]) -> str | None:
        """The verdict on a state, which ``judge`` gives if it is the first time."""
        if state not in self._found:
            self._found[state] = judge()
        return self._found[state]


def read_tree(folder: Path) -> Hashable:
    """All that stands in a folder: the names of folders and files, and the bytes of the files."""
    return frozenset(
        (str(path.relative_to(folder)), None if path.is_dir() else path.read_bytes()) for path in folder.rglob("*")
    )


def run_kills(work: Work, outcomes: Outcomes, share: Share) -> None:
    """Kill in and after each operation; what stands is what was before or what the work makes, and it can go on."""
    with workplace() as place:
        base, sound, folder = place / "base", place / "sound", place / "again"
        base.mkdir()
        work.prepare(base)
        before = work.see(base)
        with Shim() as shim:
            work.run(start_anew(sound, base))
        after = work.see(sound)
        verdicts = Verdicts()
        for number in share.take(2 * shim.calls):
            step, past = divmod(number, 2)
            start_anew(folder, base)
            child = os.fork()
            if not child:
                with Shim(step, die, after=bool(past)):
                    work.run(folder)
                os._exit(0)
            os.waitpid(child, 0)
            place = f"{'after' if past else 'in'} step {step}"
            problem = verdicts.find(read_tree(folder), lambda: _judge(work, folder, before, after))
            outcomes.note(f"kills: {work.name}", problem, place)


def run_faults(work: Work, outcomes: Outcomes, share: Share) -> None:
    """The disk refuses each operation in turn, for each of the reasons."""
    with workplace() as place:
        base, folder = place / "base", place / "again"
        base.mkdir()
        work.prepare(base)
        before = work.see(base)
        with Shim() as shim:
            work.run(start_anew(folder, base))
        after = work.see(folder)
        verdicts = Verdicts()
        for trial in share.take(len(ERRORS) * shim.calls):
            step, which = divmod(trial, len(ERRORS))

            def fail(number: int = ERRORS[which]) -> None:
                raise OSError(number, os.strerror(number))

            start_anew(folder, base)
            problem = None
            try:
                with Shim(step, fail):
                    work.run(folder)
            except (OSError, IbidemError):
                pass
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
            problem = problem or verdicts.find(read_tree(folder), lambda: _judge(work, folder, before, after))
            outcomes.note(f"faults: {work.name}", problem, f"step {step}, {errno.errorcode[ERRORS[which]]}")


def _judge(work: Work, folder: Path, before: Any, after: Any) -> str | None:
    """What is wrong with the state in which the work was left, if anything."""
    try:
        state = work.see(folder)
        if work.name.startswith("dedup"):
            if state[0] is not None and state != after:
                return "a whole output without its addition"
        elif state not in (before, after):
            return "a partial commit"
        if state != after:
            with Shim():
                work.run(folder)
        if work.see(folder) != after:
            return "the same command does not make it good"
        index = folder / ("seen" if work.name.startswith("dedup") else "index")
        problems = check_index(index).problems
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return problems[0] if problems else None


class Recorder(Interposed):
    """Records what is asked of the disk, so that what a loss of power leaves can be made from any part of it.

    A file that was written by other means is recorded when it is opened again to be synced.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__((*OPERATIONS, "reopen"))
        self.operations: list[tuple[str, Any]] = []
        self._folder = folder
        self._files: dict[int, Path] = {}
        self._known: set[Path] = set()

    def _guard(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if name == "reopen" and arguments[0] not in self._known:
                self._add("create", arguments[0])
                self._add("data", arguments[0], 0, arguments[0].read_bytes())
            self._note(name, arguments)
            result = None if name in ("sync", "sync_folder") else real(*arguments)
            if name in ("create", "reopen"):
                self._files[result] = arguments[0]
                self._known.add(arguments[0])
            return result

        return call

    def _note(self, name: str, arguments: tuple[Any, ...]) -> None:
        if name == "write":
            place = os.lseek(arguments[0], 0, os.SEEK_CUR)
            self._add("data", self._files[arguments[0]], place, bytes(memoryview(arguments[1]).cast("B")))
        elif name == "write_at":
            self._add("data", self._files[arguments[0]], arguments[2], bytes(arguments[1]))
        elif name == "sync":
            self._add("sync", self._files[arguments[0]])
        elif name != "reopen":
            self._add(name, *arguments)

    def _add(self, name: str, *arguments: Any) -> None:
        relative = tuple(
            os.path.relpath(os.path.abspath(each), self._folder) if isinstance(each, Path) else each
            for each in arguments
        )
        self.operations.append((name, relative))


class Disk:
    """What a disk holds after a loss of power: a file system in which each name and each write may be lost alone.

    A file is a number, so that a rename moves what was written before and after it alike.
    """

    def __init__(self, base: Path) -> None:
        self.names: dict[str, int | None] = {}
        self.data: dict[int, bytearray] = {}
        for path in sorted(base.rglob("*")):
            name = str(path.relative_to(base))
            self.names[name] = None if path.is_dir() else len(self.data)
            if path.is_file():
                self.data[len(self.data)] = bytearray(path.read_bytes())

    def apply(self, name: str, arguments: tuple[Any, ...], file: int | None = None) -> None:
        if name == "create":
            self.names[arguments[0]] = file
            self.data.setdefault(file, bytearray())
        elif name == "make_folder":
            self.names.setdefault(arguments[0], None)
        elif name == "data":
            held = self.data.setdefault(file, bytearray())
            held.extend(bytes(max(0, arguments[1] - len(held))))
            held[arguments[1] : arguments[1] + len(arguments[2])] = arguments[2]
        elif name == "rename":
            source, target = arguments
            moved = {old: each for old, each in self.names.items() if old == source or old.startswith(source + "/")}
            for old, each in moved.items():
                del self.names[old]
                self.names[target + old[len(source) :]] = each
        elif name in ("remove", "remove_folder"):
            self.names.pop(arguments[0], None)

    def read_state(self) -> Hashable:
        """All that the disk holds, whatever the numbers of its files."""
        return frozenset(
            (name, None if file is None else bytes(self.data.get(file, b""))) for name, file in self.names.items()
        )

    def write(self, folder: Path, base: Path) -> None:
        """Write all of it to a folder; what ``base`` has too is as old as it is there."""
        for name, file in sorted(self.names.items()):
            place = folder / name
            if file is None:
                place.mkdir(parents=True, exist_ok=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(self.data.get(file, b""))
                if (base / name).is_file():
                    shutil.copystat(base / name, place)


SUBSETS = 6
"""Of what was not synced, none, all, and so many parts by chance less two."""


def run_power_losses(work: Work, outcomes: Outcomes, share: Share) -> None:
    """Lose power after each operation: of what was not synced, nothing, everything or any part has reached the disk."""
    with workplace() as place:
        base, folder = place / "base", place / "work"
        base.mkdir()
        work.prepare(base)
        before = work.see(base)
        start_anew(folder, base)
        with Recorder(folder) as recorder:
            work.run(folder)
        after = work.see(folder)
        operations = _number_files(recorder.operations, Disk(base))
        verdicts = Verdicts()
        for trial in share.take(SUBSETS * len(operations)):
            end, choice = 1 + trial // SUBSETS, trial % SUBSETS
            held = Disk(base)
            for operation in _choose_durable(operations[:end], choice):
                held.apply(*operation)
            confirmed = end == len(operations)

            def judge(held: Disk = held, confirmed: bool = confirmed) -> str | None:
                held.write(start_empty(folder), base)
                return _judge_loss(work, folder, before, after, confirmed)

            problem = verdicts.find((confirmed, held.read_state()), judge)
            outcomes.note(f"power: {work.name}", problem, f"{end}/{choice}")


def _number_files(operations: list[tuple[str, Any]], held: Disk) -> list[tuple[str, Any, int | None]]:
    """The operations, each with the number of the file that it is about."""
    numbered: list[tuple[str, Any, int | None]] = []
    for name, arguments in operations:
        file = None
        if name == "create":
            file = len(held.data)
        elif name in ("data", "sync"):
            file = held.names.get(arguments[0])
        held.apply(name, arguments, file)
        numbered.append((name, arguments, file))
    return numbered


def _choose_durable(operations: list[tuple[str, Any, int | None]], choice: int) -> list[tuple[str, Any, int | None]]:
    """Those that are on the disk for sure, and all, none or some of the others, by the number of the choice."""
    chosen = []
    for place, (name, arguments, file) in enumerate(operations):
        rest = operations[place + 1 :]
        if name == "data":
            sure = any(other == "sync" and which == file for other, _, which in rest)
        elif name in ("create", "make_folder", "rename", "remove", "remove_folder"):
            folders = {os.path.dirname(each) or "." for each in arguments}
            synced = {given[0] for other, given, _ in rest if other == "sync_folder"}
            sure = bool(folders & synced)
        else:
            continue
        if sure or choice == 1 or (choice > 1 and random.random() < 0.5):
            chosen.append((name, arguments, file))
    return chosen


def _judge_loss(work: Work, folder: Path, before: Any, after: Any, confirmed: bool) -> str | None:
    try:
        if confirmed and work.see(folder) != after:
            return "a confirmed commit is lost"
        if work.name.startswith("dedup"):
            return _judge(work, folder, before, after)
        state = work.see(folder)
        if state not in (before, after):
            return "a partial commit"
        if state is not None:
            problems = check_index(folder / "index").problems
            return problems[0] if problems else None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None
