"""Each download by a click: its name, its type, what it holds, and that no name is left in a report without names."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import pytest

from ibidem.web.projects.processes import ProjectProcesses
from ibidem.web.projects.projects import Project, Projects
from ibidem.web.projects.server import make_app
from ibidem.web.report.marks import Mark

from ...browser import open_page, wait_until
from ..conftest import running
from .conftest import MEMORY, SECONDS, SECRET, answer_here, bring
from .samples import write_words
from .test_page import enter, rows_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AUTHORS = {"Anna_Schmidt": "Anna Schmidt", "Jörg-Müller": "Jörg Müller", "Łukasz Żak (2)": "Łukasz Żak"}
NAMES = {word for name in AUTHORS.values() for word in name.split()}
SHARED = write_words(700, 120)


def write_class() -> dict[str, bytes]:
    """Essays that name their authors, in files that do, as a Mac spells them; two have a passage of a book."""
    found = {}
    for number, (file, author) in enumerate(AUTHORS.items()):
        copied = SHARED if number < 2 else write_words(720, 120)
        first = author.split()[0]
        text = f"{author}\n{write_words(710 + number, 60)}\n{copied} by {first}, {first}s. {normalize('NFD', author)}"
        found[normalize("NFD", f"class/{file}.txt")] = text.encode()
    found["class/sources/book.txt"] = f"{write_words(730, 60)} {SHARED}".encode()
    rows = "".join(f"{file}.txt;{author};2020\n" for file, author in AUTHORS.items())
    return found | {"class/authors.csv": f"file;author;year\n{rows}".encode()}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = Projects(tmp_path_factory.mktemp("downloads") / "projects").create("Class 9b")
    bring(made, write_class())
    return made


@pytest.fixture(scope="module")
def answers(project: Project) -> Iterator[str]:
    """The address of what was found of the class, of which a pair has a note that names somebody."""
    run = answer_here(project, "reuse")
    a, b = (normalize("NFD", f"class/{file}.txt") for file in list(AUTHORS)[:2])
    project.put_mark(Mark(a, b, "nothing to discuss", "said Jörg Müller, page 3"))
    workers = ProjectProcesses(Projects(project.folder.parent), SECONDS, MEMORY)
    with running(make_app(Projects(project.folder.parent), workers, SECRET)) as address:
        yield f"{address}/#p={project.id}&run={run.id}"
    workers.close()


@pytest.fixture
def page(browser: "Browser", answers: str) -> Iterator["Page"]:
    opened = enter(browser, answers)
    yield opened
    opened.context.close()


def save(page: "Page", button: str, folder: Path) -> Path:
    """Click a button, and keep the file under the name that the browser gives it."""
    with page.expect_download(timeout=240_000) as saving:
        page.get_by_role("button", name=button, exact=True).click()
    path = folder / saving.value.suggested_filename
    saving.value.save_as(path)
    page.get_by_role("status").get_by_text(f"{path.name} was saved.").wait_for()
    return path


def read_table(page: "Page", answers: str) -> list[list[str]]:
    """The rows of the table of pairs: names, shares, the longest run, passages, mark."""
    page.goto(answers)
    table = page.get_by_role("table", name="Pairs")
    table.wait_for()
    return [row.split("\t") for row in rows_of(table)]


def percents(row: dict[str, str]) -> str:
    return " · ".join(f"{100 * float(row[f'{side}_share_of_all_words']):.0f} %" for side in "ab")


def test_tables_agree_with_the_page(page: "Page", answers: str, tmp_path: Path) -> None:
    shown = read_table(page, answers)
    assert len(shown) == 3
    page.get_by_label("Name or author").fill("Jörg-M")  # the table names the files of a Mac in another spelling
    assert len(rows_of(page.get_by_role("table", name="Pairs"))) == 2
    page.goto(f"{answers}&part=save")
    files = {path.name: path for path in (save(page, name, tmp_path) for name in listed(page))}
    rows = list(csv.DictReader(io.StringIO(files["document_pairs.csv"].read_text("utf-8-sig"), newline="")))
    assert [[row["a"], row["b"], percents(row)] for row in rows] == [row[:3] for row in shown]
    assert [row["mark"] for row in rows] == [row[7].removesuffix(" ✎") for row in shown]
    assert [row["note"] for row in rows if row["mark"]] == ["said Jörg Müller, page 3"]
    passages = list(csv.DictReader(io.StringIO(files["pairs.csv"].read_text("utf-8-sig"), newline="")))
    for row in shown:
        assert sum({each["a"], each["b"]} == {row[0], row[1]} for each in passages) == int(row[6].split()[0])
    assert set(files) == set(listed(page))
    assert all(path.read_bytes().startswith(b"\xef\xbb\xbf") for name, path in files.items() if name.endswith(".csv"))
    documents = list(csv.DictReader(io.StringIO(files["documents.csv"].read_text("utf-8-sig"), newline="")))
    page.goto(f"{answers}&part=documents")
    page.reload()  # without the filter
    page.get_by_role("table", name="Documents").wait_for()
    listed_documents = [row.split("\t") for row in rows_of(page.get_by_role("table", name="Documents"))]
    assert sorted(
        [each["document"], each["shares_with_documents"], each["words"], each["author"]] for each in documents
    ) == (
        sorted(
            [name.removesuffix(" Sources"), partners, words, rest[-1]]
            for name, _, partners, words, *rest in listed_documents
        )
    )
    groups = list(csv.DictReader(io.StringIO(files["groups.csv"].read_text("utf-8-sig"), newline="")))
    assert [(row["group"], row["documents"]) for row in groups] == [("1", "3")] * 3
    assert {row["document"] for row in groups} == {name for row in shown for name in row[:2]}
    with zipfile.ZipFile(files["reuse.zip"]) as packed:
        assert packed.testzip() is None
        assert "reuse/summary.json" in packed.namelist()


def listed(page: "Page") -> list[str]:
    page.get_by_role("heading", name="For other programs").wait_for()
    for more in page.locator("main details.more:not([open]) summary").all():
        more.click()
    return page.locator("main ul button.link").all_inner_texts()


def read_report(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8").partition('id="report">')[2].partition("</script>")[0])
    return found


def test_a_report_without_names_has_no_name_anywhere(
    browser: "Browser", page: "Page", answers: str, tmp_path: Path
) -> None:
    shown = read_table(page, answers)
    page.goto(f"{answers}&part=save")
    named = save(page, "Save the report", tmp_path).rename(tmp_path / "named.html")
    assert not page.get_by_role("button", name="Save the key").is_visible()
    page.get_by_label("with the names of documents").uncheck()
    guessed = page.get_by_label("Names to blank").input_value().split("\n")
    assert set(guessed) >= NAMES | set(AUTHORS.values())
    path = save(page, "Save the report", tmp_path)
    key = save(page, "Save the key", tmp_path)
    assert [path.name, key.name] == ["Class 9b.html", "Class 9b key.csv"]
    whole = normalize("NFC", path.read_text("utf-8")).casefold()
    assert [name for name in NAMES if re.search(rf"\b{name.casefold()}", whole)] == []
    assert [each for each in ("class/", "book.txt", "authors.csv", str(tmp_path.parent)) if each in whole] == []
    assert "█" in whole
    assert all(name in normalize("NFC", named.read_text("utf-8")) for name in ("Anna", "Schmidt", "Jörg", "Müller"))
    number = {
        row["document"]: int(row["number"]) - 1 for row in csv.DictReader(io.StringIO(key.read_text("utf-8-sig")))
    }
    with_names, without = read_report(named), read_report(path)
    assert [each["name"] for each in with_names["documents"]] == sorted(number, key=lambda name: number[name])
    assert without["columns"] == with_names["columns"]
    assert {(each["date"], each["name"]) for each in without["documents"]} == {(None, None)}
    pairs = [(each["a"], each["b"]) for each in without["documentPairs"]]
    assert pairs == [(number[row[0]], number[row[1]]) for row in shown]
    for name, rows in (("Class 9b.html", "Document 1"), ("named.html", "class/")):
        opened = open_page(browser, offline=True)
        opened.goto((tmp_path / name).as_uri())
        opened.locator("td.a").first.wait_for()
        assert rows in opened.locator("table.pairs").inner_text()
        assert opened.locator("table.pairs tbody tr:not(.weak)").count() == len(shown)
        opened.context.close()


def test_the_page_of_a_case_is_printed_with_all_that_it_shows(page: "Page", answers: str, tmp_path: Path) -> None:
    from pypdf import PdfReader

    page.goto(f"{answers}&pair=0")
    page.locator(".sides .run.equal").first.wait_for()
    a, b = page.locator("h2 bdi").all_inner_texts()
    page.evaluate("() => { window.print = () => { document.body.dataset.printed = 'yes'; }; }")
    page.get_by_role("button", name="Print").click()
    wait_until(page, "() => document.body.dataset.printed === 'yes'")
    page.pdf(path=tmp_path / "case.pdf")
    printed = " ".join(each.extract_text() for each in PdfReader(tmp_path / "case.pdf").pages)
    words = normalize("NFC", " ".join(printed.split()))
    for needed in (
        a,
        b,
        *SHARED.split()[3:8],
        "in runs of",
        "longest run",
        "What the numbers do not say",
        "Your mark",
    ):
        assert normalize("NFC", needed) in words, needed
