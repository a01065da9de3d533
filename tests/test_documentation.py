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
    assert len({number for number, _, _ in rows}) == len(rows)


DECISIONS = {int(page.name[:4]): page.name for page in (ROOT / "docs" / "decisions").glob("[0-9]*.md")}
CITING = sorted(
    path
    for folder in ("src", "tests", "benchmarks", "docs", "release", ".")
    for path in ((ROOT / folder).glob("*") if folder == "." else (ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".md", ".toml", ".csv", ".js", ".txt") and path != Path(__file__)
)


def wrong_citations(text: str) -> list[str]:
    """Decisions that a text cites and that do not exist, or that are cited with the file of another."""
    linked = re.findall(r"\[(?:[Dd]ecisions? )?(\d+)\]\([\w./-]*?(\d{4}-[a-z0-9-]+\.md)", text)
    wrong = [f"{number}: {name}" for number, name in linked if DECISIONS.get(int(number)) != name]
    named = re.findall(r"\b[Dd]ecisions? (\d+(?:(?:, | and )\d+)*)", text)
    wrong += [number for each in named for number in re.findall(r"\d+", each) if int(number) not in DECISIONS]
    return wrong + [name for name in re.findall(r"decisions/(\d{4})\b", text) if int(name) not in DECISIONS]


def test_a_citation_of_no_decision_is_noticed() -> None:
    name = DECISIONS[1]
    assert wrong_citations(f"[decision 1](decisions/{name}), decisions 1 and 2") == []
    assert wrong_citations(f"[decision 2](decisions/{name})") == [f"2: {name}"]
    assert wrong_citations("decisions 1 and 999, docs/decisions/0998") == ["999", "0998"]


def test_every_decision_that_is_cited_exists_under_its_number() -> None:
    wrong = {str(path.relative_to(ROOT)): wrong_citations(path.read_text(encoding="utf-8")) for path in CITING}
    assert {name: found for name, found in wrong.items() if found} == {}
