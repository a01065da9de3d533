"""The files that the documentation names exist, so that a file which moves does not leave its readers behind."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "ibidem"
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "decisions").glob("*.md"), ROOT / "CONTRIBUTING.md"])
NAMED_FILE = re.compile(r"`([\w./-]+\.py)`")


def exists(name: str) -> bool:
    """Whether a file is where a page says it is: below the project, the package, its passages, or by its end."""
    return any((folder / name).exists() for folder in (ROOT, SOURCE, SOURCE / "passages")) or (
        any(path.match(name) for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
    )


def test_a_file_that_is_not_there_is_noticed() -> None:
    assert exists("passages/index.py")
    assert exists("query/plan.py")
    assert not exists("passages/no_such_file.py")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_source_file_that_a_page_names_exists(page: Path) -> None:
    named = set(NAMED_FILE.findall(page.read_text(encoding="utf-8")))
    assert sorted(name for name in named if not exists(name)) == []


def test_the_index_of_decisions_lists_each_of_them_by_its_title() -> None:
    folder = ROOT / "docs" / "decisions"
    expected = []
    for page in sorted(folder.glob("[0-9]*.md")):
        number, title = page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").split(". ", 1)
        assert int(page.name[:4]) == int(number)
        expected.append((number, title, page.name))
    rows = re.findall(
        r"^\| (\d+) \| \[(.*?)\]\((.*?)\) \|", (folder / "index.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert rows == expected
    assert [int(number) for number, _, _ in rows] == list(range(1, len(rows) + 1))
