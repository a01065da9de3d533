"""The folder that outlives an interrupt, and nothing else."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from ibidem.engine.workplace import finish_aside, hold_workplace, make_aside, name_aside, open_new_folder
from ibidem.errors import CorpusError, LockedError


def hold(
    output: Path, stays: Callable[[Path, Exception], bool] = lambda folder, error: False
) -> AbstractContextManager[Path]:
    return hold_workplace(name_aside(output), str(output), stays)


@pytest.mark.parametrize(("fault", "stays"), [(KeyboardInterrupt, True), (CorpusError, False)])
def test_a_workplace_stays_after_an_interrupt_and_not_after_a_failure(
    fault: type[BaseException], stays: bool, tmp_path: Path
) -> None:
    def work() -> None:
        with hold(tmp_path / "out") as folder:
            (folder / "read").write_text("half")
            raise fault

    with pytest.raises(fault):
        work()
    assert (tmp_path / "out.partial/read").exists() == stays
    with hold(tmp_path / "out") as folder:
        assert (folder / "read").exists() == stays
    assert list(tmp_path.iterdir()) == []


def test_a_failure_after_which_the_same_call_can_finish_keeps_the_workplace(tmp_path: Path) -> None:
    def work() -> None:
        with hold(tmp_path / "out", lambda folder, _: (folder / "note").exists()) as folder:
            (folder / "note").write_text("begun")
            raise CorpusError("a fault")

    with pytest.raises(CorpusError):
        work()
    assert (tmp_path / "out.partial/note").exists()


def test_only_one_process_holds_a_workplace(tmp_path: Path) -> None:
    with (
        hold(tmp_path / "out"),
        pytest.raises(LockedError, match="another process is writing to it"),
        hold(tmp_path / "out"),
    ):
        pass


def hold_shortly(output: Path) -> None:
    with hold(output):
        pass


@pytest.mark.parametrize("make", [hold_shortly, make_aside])
def test_what_someone_else_made_beside_the_output_is_left_alone(make: Callable[[Path], object], tmp_path: Path) -> None:
    aside = tmp_path / "out.partial"
    aside.mkdir()
    (aside / "mine.txt").write_text("precious")
    with pytest.raises(CorpusError, match=r"out\.partial: .* holds something else; move it away"):
        make(tmp_path / "out")
    assert (aside / "mine.txt").read_text() == "precious"
    (aside / "mine.txt").unlink()
    aside.rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/mine.txt").write_text("precious")
    aside.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CorpusError, match="holds something else"):
        make(tmp_path / "out")
    aside.unlink()
    aside.mkdir()  # what a call leaves that was killed at once
    make(tmp_path / "out")


def test_what_a_killed_call_left_is_removed_and_the_result_has_no_mark(tmp_path: Path) -> None:
    (make_aside(tmp_path / "out") / "half").write_text("half")
    folder = make_aside(tmp_path / "out")
    (folder / "whole").write_text("whole")
    finish_aside(folder, tmp_path / "out")
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "whole"]


def test_a_folder_has_its_name_only_once_it_is_whole(tmp_path: Path) -> None:
    output = tmp_path / "out"
    with open_new_folder(output) as folder:
        (folder / "file").write_text("whole")
        assert not output.exists()
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("fault", [KeyboardInterrupt, OSError])
def test_what_fails_or_is_interrupted_leaves_nothing(fault: type[BaseException], tmp_path: Path) -> None:
    def fail() -> None:
        with open_new_folder(tmp_path / "out") as folder:
            (folder / "file").write_text("half")
            raise fault

    with pytest.raises(fault):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_is_cleared_away(tmp_path: Path) -> None:
    make_aside(tmp_path / "out")
    (tmp_path / "out.partial/old").write_text("half")
    with open_new_folder(tmp_path / "out"):
        pass
    assert list((tmp_path / "out").iterdir()) == []


def test_an_output_that_exists_or_has_no_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(CorpusError, match="it exists already"), open_new_folder(tmp_path / "out"):
        pass
    with pytest.raises(CorpusError, match="there is no folder"), open_new_folder(tmp_path / "no/out"):
        pass
    assert (tmp_path / "out").read_text() == "mine"
