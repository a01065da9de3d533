"""What a browser shows of the app: the ways of a teacher, an editor and a committee, each screen as a picture.

``IBIDEM_PICTURES`` names a folder that keeps the pictures; those of the guide are made so.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ibidem.app.projects import Project, Projects
from ibidem.app.runs import Run, Workers
from ibidem.app.server import make_app

from ..browser import breaches, chromium, open_page
from ..corpus.readers.samples import pdf
from ..service.conftest import running
from .conftest import MEMORY, SECONDS, SECRET, answer_here, bring
from .samples import AUTHORS, FILES, PLANTED, UNREADABLE, make_docx, pack, write_words

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

Screen = Callable[["Page", str], None]

OFFICE = {
    "class/report.pdf": pdf([write_words(77, 90)]),
    "class/letter.docx": make_docx(write_words(78, 160)),
}
"""Files that are no plain text, with words of their own."""


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as launched:
        yield launched


@pytest.fixture
def screen(tmp_path: Path) -> Screen:
    """Takes a picture of a screen, on which axe finds no fault and nothing is wider than it."""
    folder = Path(os.environ.get("IBIDEM_PICTURES") or tmp_path)

    def take(page: "Page", name: str) -> None:
        page.screenshot(path=folder / f"app-{name}.png")
        assert breaches(page) == []
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.evaluate("window.innerWidth"), name

    return take


@pytest.fixture(scope="module")
def answers(school: Project, answered: Run) -> Iterator[str]:
    """The address of a server of the school, without its secret, and of its answered question."""
    projects = Projects(school.folder.parent)
    workers = Workers(projects, SECONDS, MEMORY)
    with running(make_app(projects, workers, SECRET)) as address:
        yield f"{address}/#p={school.id}&run={answered.id}"
    workers.close()


def enter(browser: "Browser", address: str, **options: object) -> "Page":
    """A page that has the secret; no message comes on its console, and it asks no other server."""
    page = open_page(browser, **({"viewport": {"width": 1280, "height": 900}} | options))
    root = address.split("/#", maxsplit=1)[0]
    page.on("console", lambda message: pytest.fail(message.text))
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.on("request", lambda request: request.url.startswith((root, "data:", "blob:")) or pytest.fail(request.url))
    page.goto(f"{root}/?key={SECRET}")
    page.get_by_role("heading", name="Compare texts").or_(
        page.get_by_role("heading", name="Texte vergleichen")
    ).wait_for()
    return page


def rows_of(table: "Locator") -> list[str]:
    return table.locator("tbody tr").all_inner_texts()


def test_the_way_of_a_teacher(browser: "Browser", address: str, screen: Screen, tmp_path: Path) -> None:
    """A zip of files with a template, sources, a broken file and two that are not read; pairs, a mark, a report."""
    page = enter(browser, address)
    page.get_by_label("New project").fill("Class 9b")
    page.get_by_role("button", name="Begin").click()
    page.locator("input[type=file][multiple]").set_input_files(
        {"name": "class.zip", "mimeType": "application/zip", "buffer": pack(FILES | UNREADABLE | OFFICE)}
    )
    compare = page.get_by_role("button", name="Compare")
    files = page.get_by_role("table", name="Files")
    page.wait_for_function("() => document.querySelectorAll('.files tbody tr').length == 21", timeout=240_000)
    page.wait_for_function("() => !document.querySelector('button.main[type=submit]').disabled", timeout=240_000)
    said = [row for row in rows_of(files) if "Not read" in row]
    assert len(said) == len(UNREADABLE)
    for name, words in (("report.pdf", "90"), ("letter.docx", "160")):
        assert words in files.get_by_role("row").filter(has_text=name).inner_text().split()
    screen(page, "files")
    compare.click()
    page.locator("progress").or_(page.get_by_role("table", name="Pairs")).first.wait_for(timeout=240_000)
    page.close()  # the tab is closed, and opened again
    page = enter(browser, address)
    page.get_by_role("link", name="Class 9b").click()
    page.get_by_role("link", name="Who has text in common?").click(timeout=400_000)
    table = page.get_by_role("table", name="Pairs")
    table.wait_for()
    rows = rows_of(table)
    assert len(rows) == len(PLANTED)
    assert all(any(a in row and b in row for row in rows) for a, b in PLANTED)
    screen(page, "pairs")
    table.get_by_role("link").first.click()
    page.locator(".sides .run.equal").first.wait_for()
    page.get_by_label("Your mark").select_option("quotation")
    page.get_by_label("Note").fill("page 3 of the book")
    page.get_by_label("Your mark").focus()
    screen(page, "case")
    page.get_by_role("link", name="All pairs").click()
    page.get_by_role("row", name="quotation").wait_for()
    page.get_by_role("link", name="Save").click()
    page.get_by_label("with the names of documents").uncheck()
    screen(page, "save")
    with page.expect_download(timeout=240_000) as saving:
        page.get_by_role("button", name="Save the report").click()
    report = tmp_path / "report.html"
    saving.value.save_as(report)
    page.context.close()
    look_at_report(browser, report, screen)


def look_at_report(browser: "Browser", report: Path, screen: Screen) -> None:
    """The way of a committee: the report on a phone, without a network."""
    page = open_page(browser, viewport={"width": 390, "height": 844}, color_scheme="dark", offline=True)
    page.goto(report.as_uri())
    page.locator("td.a").first.wait_for()
    assert "essay" not in page.content()
    screen(page, "report-phone")
    page.context.close()


@pytest.mark.parametrize("look", ["wide", "phone"])
@pytest.mark.parametrize("part", ["pairs", "documents", "clusters", "pictures", "leftout", "save", "pair", "doc"])
def test_each_screen_of_an_answer(browser: "Browser", answers: str, screen: Screen, part: str, look: str) -> None:
    options = {} if look == "wide" else {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    page = enter(browser, answers, **options)
    page.goto(f"{answers}&{part}=1" if part in ("pair", "doc") else f"{answers}&part={part}")
    page.locator(".answer > *").first.wait_for()
    expected = {
        "documents": "class/essay5.txt",
        "clusters": "passages occur in several documents",
        "pictures": "Who shares with whom",
        "leftout": "what is similar to a template",
        "save": "documents.graphml",
        "pair": "Passage 1 / 1",
        "doc": "class/",
    }
    page.get_by_text(expected.get(part, "class/essay5.txt")).first.wait_for()
    if part == "clusters":
        page.locator(".clusters summary").first.click()
        page.locator(".clusters .witness").first.wait_for()
    screen(page, f"{part}-{look}")
    page.context.close()


def test_pairs_are_filtered_by_name_author_year_and_share(browser: "Browser", answers: str) -> None:
    page = enter(browser, answers)
    page.goto(answers)
    table = page.get_by_role("table", name="Pairs")
    table.wait_for()
    for label, value, count in (
        ("Name or author", "Cleo", 1),
        ("Name or author", "book1", 1),
        ("Name or author", "", 2),
    ):
        page.get_by_label(label).fill(value)
        assert len(rows_of(table)) == count
    page.get_by_label("From year").fill("2004")
    assert len(rows_of(table)) == 2
    page.get_by_label("From year").fill("2006")
    assert ["essay9" in row for row in rows_of(table)] == [True]
    page.get_by_label("From year").fill("")
    page.get_by_label("Least share").fill("0.99")
    assert rows_of(table) == ["No pair is left by these filters."]
    page.context.close()


def test_the_page_is_there_in_german(browser: "Browser", answers: str, screen: Screen) -> None:
    page = enter(browser, answers, locale="de-DE")
    page.goto(answers)
    page.get_by_role("table", name="Paare").wait_for()
    assert page.locator("html").get_attribute("lang") == "de"
    screen(page, "german")
    page.get_by_role("table", name="Paare").get_by_role("link").first.click()
    page.locator(".pair").first.wait_for()
    said = page.locator("main").inner_text()
    for words in ("Wörtern stehen wörtlich auch in", "Zeichen ", "dieselben Wörter", "Punktbild"):
        assert words in said
    for words in ("word for word", "characters", "the same words", "Dot plot", "first passage", "Why"):
        assert words not in said
    screen(page, "german-case")
    page.context.close()


def test_a_passage_is_searched_as_it_is_typed(browser: "Browser", school: Project, answers: str) -> None:
    run = answer_here(school, "search")
    page = enter(browser, answers)
    page.goto(f"{answers.partition('&')[0]}&run={run.id}")
    page.get_by_label("Passage").press_sequentially("describe in your own words what you have", delay=20)
    page.get_by_text("12 places").wait_for()
    assert page.locator(".results mark").first.inner_text().lower().startswith("describe in your own")
    page.context.close()


def test_the_way_of_an_editor(browser: "Browser", answers: str, school: Project, screen: Screen) -> None:
    """Two editions beside each other from the first word to the last."""
    first = "\n".join(
        f"{verse} And the evening and the morning were the {verse}th day, and he saw it." for verse in range(1, 30)
    )
    second = first.replace("evening", "euening").replace("he saw it", "hee saw that it was good", 3)
    project = Projects(school.folder.parent).create("Editions")
    bring(project, {"1611.txt": first.encode(), "1769.txt": second.encode()})
    run = answer_here(project, "align")
    page = enter(browser, answers)
    page.goto(f"{answers.partition('#')[0]}#p={project.id}&run={run.id}&pair=0")
    page.get_by_text("Both texts from the first word to the last").wait_for()
    assert page.locator(".run.changed").count() > 0
    screen(page, "editions")
    page.context.close()
    Projects(school.folder.parent).remove(project)


def test_the_words_of_all_languages_have_the_same_names() -> None:
    import re
    from importlib.resources import files

    text = files("ibidem.app").joinpath("page", "words.js").read_text("utf-8")
    english, german = re.split(r"\n  de: \{", text.partition("const WORDS = {")[2].partition("\n};")[0])
    names = [re.findall(r'(?:^|[{,])\s*(?:"([^"]+)"|([\w]+)):\s*"', part, re.M) for part in (english, german)]
    assert [a or b for a, b in names[0]] == [a or b for a, b in names[1]]
    assert len(names[0]) > 150


def test_every_phrase_of_the_parts_of_a_report_is_there_in_german() -> None:
    import re
    from importlib.resources import files

    said = files("ibidem.app").joinpath("page", "words.js").read_text("utf-8").partition("const PHRASES = {")[2]
    german = {a or b for a, b in re.findall(r'(?:^|[{,])\s*(?:"([^"]+)"|(\w+)): "', said, re.M)}
    modules = [
        files("ibidem.report").joinpath("page", name).read_text("utf-8")
        for name in ("pair.js", "passage.js", "dotplot.js")
    ]
    phrases = {words for module in modules for words in re.findall(r'phrase\("([^"]+)"', module)}
    kinds = set(re.findall(r'^  \w+: "([^"]+)",$', modules[1].partition("KINDS = {")[2].partition("};")[0], re.M))
    assert len(phrases) >= 20
    assert len(kinds) == 5
    assert phrases | kinds <= german


def test_authors_come_from_a_table(answers: str, browser: "Browser") -> None:
    page = enter(browser, answers)
    page.goto(f"{answers}&part=documents")
    row = page.get_by_role("row").filter(has_text="class/essay3.txt")
    row.wait_for()
    assert "Cleo" in row.inner_text()
    assert "2003" in row.inner_text()
    assert AUTHORS.count("Cleo") == 1
    page.context.close()
