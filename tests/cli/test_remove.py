"""remove: by ids, from a file or a pipe, or not at all."""

from pathlib import Path

from .samples import Run, lines_of


def test_ids_to_remove_are_read_from_a_file_or_a_pipe(run: Run, folder: Path) -> None:
    assert run("remove", "books.ibidem", "--ids-from", "withdrawn.txt").exit_code == 0
    assert run("remove", "books.ibidem", "--ids-from", "-", input="ferry.txt\r\n").exit_code == 0
    assert lines_of(run("info", "books.ibidem"))[0]["documents"] == 0


def test_an_id_that_is_not_there_removes_nothing(run: Run, folder: Path) -> None:
    result = run("remove", "books.ibidem", "bees.txt", "wasps.txt")
    assert result.exit_code == 2
    assert "'wasps.txt'" in result.stderr
    assert lines_of(run("info", "books.ibidem"))[0]["documents"] == 3


def test_removing_nothing_is_a_mistake(run: Run, folder: Path) -> None:
    assert run("remove", "books.ibidem").exit_code == 2
