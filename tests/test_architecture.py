"""The ways on the first page of ARCHITECTURE lead where they say: each name stands in a file that is named with it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
SOURCES = ROOT / "src" / "ibidem"

_NAME = re.compile(r"`([A-Za-z_]+(?:\.[a-z_]+)?)`")


def ways() -> Iterator[tuple[str, Path, list[str]]]:
    """The heading of each way, its room, and its steps and paragraphs."""
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        if heading.startswith(("How does a", "How do two")):
            room = re.search(r"Paths are\s+under `(\w+)/`", text)
            assert room, heading
            yield heading, SOURCES / room[1], re.split(r"\n\n|\n(?=\d\. )", text)


def files_of(step: str, room: Path) -> list[Path]:
    """The files that a step names."""
    named = re.findall(r"`([\w/]+\.py)`", step)
    return [room / name if (room / name).exists() else SOURCES / name for name in named]


def defines(file: Path, name: str) -> bool:
    """Whether a file defines a function, a class, or a method of a class of its own."""
    text = file.read_text(encoding="utf-8")
    return all(re.search(rf"^ *(?:async )?(?:def|class) {part}\b", text, re.MULTILINE) for part in name.split("."))


@pytest.mark.parametrize(("room", "steps"), [pytest.param(room, steps, id=heading) for heading, room, steps in ways()])
def test_each_name_of_a_step_is_defined_in_a_file_that_the_step_names(room: Path, steps: list[str]) -> None:
    assert sum(step.startswith(tuple("123456")) for step in steps) == 6
    for step in steps:
        files = files_of(step, room)
        assert all(file.exists() for file in files), step
        if step[:1].isdigit():
            functions = [name for name in _NAME.findall(step) if re.search(r"[_.]", name) and not name.endswith(".py")]
            assert not [name for name in functions if not any(defines(file, name) for file in files)], step
