"""An engine runs each task once, whole or not at all, and gives the outputs in the order of the tasks."""

from functools import partial
from pathlib import Path

import pytest

from ibidem.engine import Here
from ibidem.engine.engine import do_task
from ibidem.resources import Resources


def make_resources(told: list[tuple[str, int, int | None]] | None = None) -> Resources:
    return Resources.of("64M", 1, None if told is None else lambda *progress: told.append(progress))


def write_square(words: list[str], number: int, folder: Path, resources: Resources) -> None:
    words.append(str(number))
    (folder / "square").write_text(str(number * number))


def read_square(folder: Path) -> str:
    return (folder / "square").read_text()


def test_outputs_come_in_the_order_of_the_tasks(tmp_path: Path) -> None:
    outputs = Here(make_resources()).map("squaring", partial(write_square, []), [3, 1, 2], tmp_path / "squares")
    assert [read_square(output) for output in outputs] == ["9", "1", "4"]


def test_a_task_whose_output_is_there_is_not_run_again(tmp_path: Path) -> None:
    words: list[str] = []
    engine = Here(make_resources())
    engine.map("squaring", partial(write_square, words), [3, 1], tmp_path / "squares")
    assert [
        read_square(output)
        for output in engine.map("squaring", partial(write_square, words), [3, 1, 2], tmp_path / "squares")
    ] == ["9", "1", "4"]
    assert words == ["3", "1", "2"]


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError])
def test_a_task_that_fails_leaves_nothing(fault: type[BaseException], tmp_path: Path) -> None:
    def fail(number: int, folder: Path, resources: Resources) -> None:
        write_square([], number, folder, resources)
        if number == 2:
            raise fault

    engine = Here(make_resources())
    with pytest.raises(fault):
        engine.map("squaring", fail, [1, 2, 3], tmp_path / "squares")
    assert [path.name for path in (tmp_path / "squares").iterdir()] == ["00000"]


def test_what_a_process_that_died_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "squares" / "00000.0123.partial").mkdir(parents=True)
    Here(make_resources()).map("squaring", partial(write_square, []), [1], tmp_path / "squares")
    assert [path.name for path in (tmp_path / "squares").iterdir()] == ["00000"]


def test_of_two_that_do_one_task_the_first_counts(tmp_path: Path) -> None:
    def write_after_another(number: int, folder: Path, resources: Resources) -> None:
        do_task(partial(write_square, []), 5, tmp_path / "00000", resources, is_durable=True)
        write_square([], number, folder, resources)

    do_task(write_after_another, 4, tmp_path / "00000", make_resources(), is_durable=True)
    assert read_square(tmp_path / "00000") == "25"
    assert [path.name for path in tmp_path.iterdir()] == ["00000"]


def test_progress_is_told_of_several_tasks_and_left_to_the_step_of_one(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    engine = Here(make_resources(told))
    engine.map("squaring", partial(write_square, []), [1], tmp_path / "one")
    engine.map("squaring", partial(write_square, []), [1, 2], tmp_path / "two")
    assert told == [("squaring", 1, 2), ("squaring", 2, 2)]
