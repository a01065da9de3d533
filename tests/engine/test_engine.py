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
    assert [path.name for path in tmp_path.iterdir()] == ["squares-00000"]


def test_what_a_process_that_died_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "squares-00000.0123.partial").mkdir()
    (tmp_path / "squares-00001.4567.partial").write_text("half")
    Here(make_resources()).map("squaring", partial(write_square, []), [1], tmp_path / "squares")
    assert [path.name for path in tmp_path.iterdir()] == ["squares-00000"]


@pytest.mark.parametrize("is_durable", [False, True])
def test_an_output_may_be_one_file(tmp_path: Path, is_durable: bool) -> None:
    def write_file(number: int, path: Path, resources: Resources) -> None:
        path.write_text(str(number * number))
        if number == 3:
            raise ValueError

    engine = Here(make_resources(), is_durable=is_durable)
    with pytest.raises(ValueError, match=r"^$"):
        engine.map_files("squaring", write_file, [1, 2, 3], tmp_path / "squares")
    outputs = engine.map_files("squaring", write_file, [1, 2], tmp_path / "squares")
    assert [path.read_text() for path in outputs] == ["1", "4"]
    assert sorted(tmp_path.iterdir()) == outputs


def test_of_two_that_do_one_task_the_first_counts(tmp_path: Path) -> None:
    def write_first(number: int, folder: Path, resources: Resources) -> None:
        folder.mkdir()
        write_square([], number, folder, resources)

    def write_after_another(number: int, folder: Path, resources: Resources) -> None:
        do_task(write_first, 5, tmp_path / "00000", resources, is_durable=True)
        write_first(number, folder, resources)

    do_task(write_after_another, 4, tmp_path / "00000", make_resources(), is_durable=True)
    assert read_square(tmp_path / "00000") == "25"
    assert [path.name for path in tmp_path.iterdir()] == ["00000"]


def test_progress_is_told_of_several_tasks_and_left_to_the_step_of_one(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    engine = Here(make_resources(told))
    engine.map("squaring", partial(write_square, []), [1], tmp_path / "one")
    engine.map("squaring", partial(write_square, []), [1, 2], tmp_path / "two")
    assert told == [("squaring", 1, 2), ("squaring", 2, 2)]


def test_of_several_tasks_the_map_alone_tells(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []

    def tell(number: int, folder: Path, resources: Resources) -> None:
        resources.tell("telling", number, 9)

    engine = Here(make_resources(told))
    engine.map("telling", tell, [3, 4], tmp_path / "two")
    engine.map("telling", tell, [5], tmp_path / "one")
    assert told == [("telling", 1, 2), ("telling", 2, 2), ("telling", 5, 9)]
