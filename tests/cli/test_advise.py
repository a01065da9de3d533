"""advise: the command that suits the files, as a person reads it and as JSON."""

from pathlib import Path

from .samples import Run, lines_of

PROSE = "The old mill by the river had not turned for years, and nobody in the town could say why. " * 20


def test_advice_is_a_command_with_its_reasons(run: Run, folder: Path) -> None:
    Path("old.txt").write_text(PROSE + "He came vnto them. " * 20)
    Path("new.txt").write_text(PROSE + "He came unto them. " * 30)
    [advice] = lines_of(run("advise", "old.txt", "new.txt"))
    assert advice["command"] == "ibidem align old.txt new.txt --normalize latin"
    assert "vnto beside unto" in advice["reasons"][0]
    result = run("align", *advice["command"].split()[2:])
    assert result.exit_code == 0


def test_more_texts_are_compared_with_each_other(run: Run, folder: Path) -> None:
    [advice] = lines_of(run("advise", "books"))
    assert advice["command"] == "ibidem reuse books -o found"
    assert advice["options"] == []


def test_a_file_that_is_not_there_is_named(run: Run, folder: Path) -> None:
    result = run("advise", "nowhere.txt")
    assert result.exit_code == 2
    assert "nowhere.txt" in result.stderr
