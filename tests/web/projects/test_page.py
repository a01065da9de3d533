"""What a browser shows of the app: the ways of a teacher, an editor and a committee, each screen as a picture.

``IBIDEM_PICTURES`` names a folder that keeps the pictures. Those of the guide are true as long as the labels of their
screens are those of ``pictures.json``; with ``IBIDEM_RENEW_GUIDE`` set, both are made anew.
"""

import json
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ibidem.web.page_files import read_page_file
from ibidem.web.projects.processes import ProjectProcesses
from ibidem.web.projects.projects import Project, Projects
from ibidem.web.projects.server import make_app

from ...browser import breaches, open_page, untranslated, wait_until
from ...corpus.readers.samples import pdf
from ..conftest import running
from .conftest import SECRET, answer_here, bring
from .samples import AUTHORS, FILES, PLANTED, UNREADABLE, make_docx, pack, write_words

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

Screen = Callable[["Page", str], None]

OFFICE = {
    "class/report.pdf": pdf([write_words(77, 90)]),
    "class/letter.docx": make_docx(write_words(78, 160)),
}
"""Files that are no plain text, with words of their own."""


GUIDE = ("files", "case")
"""The screens of which the guide has pictures."""

TRUE_WORDS = Path(__file__).with_name("pictures.json")

WORDS = """() => {
  const labels = document.querySelectorAll("main :is(h1, h2, h3, h4, legend, label, button, .button, summary, th, p)");
  const said = [...labels].filter((label) => label.checkVisibility()).map((label) => {
    const words = label.cloneNode(true);
    words.querySelectorAll("bdi, select, textarea").forEach((part) => part.remove());
    return words.textContent.replace(/\\d[\\d.,]*/g, "0").replace(/\\s+/g, " ").trim();
  });
  return [...new Set(said)].filter((words) => words && !words.startsWith("ibidem 0"));
}"""
"""The labels of a screen: what is on it whatever the files are, on any version of Python."""


def compare_with_guide(name: str, words: list[str], picture: Path) -> None:
    """Fail if the words of a screen are not those that its picture in the guide shows."""
    known = json.loads(TRUE_WORDS.read_text("utf-8"))
    if os.environ.get("IBIDEM_RENEW_GUIDE"):
        shutil.copy(picture, Path(__file__).parents[3] / "docs" / picture.name)
        TRUE_WORDS.write_text(json.dumps(known | {name: words}, ensure_ascii=False, indent=1) + "\n", "utf-8")
    else:
        assert words == known[name], "the guide shows another screen: renew its pictures with IBIDEM_RENEW_GUIDE=1"


@pytest.fixture
def screen(tmp_path: Path) -> Screen:
    """Takes a picture of a screen, on which axe finds no fault and nothing is wider than it."""
    folder = Path(os.environ.get("IBIDEM_PICTURES") or tmp_path)

    def take(page: "Page", name: str) -> None:
        page.screenshot(path=folder / f"app-{name}.png")
        if name in GUIDE:
            compare_with_guide(name, page.evaluate(WORDS), folder / f"app-{name}.png")
        assert breaches(page) == []
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.evaluate("window.innerWidth"), name

    return take


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
    wait_until(page, "() => document.querySelectorAll('.files tbody tr').length == 21", seconds=240)
    wait_until(page, "() => !document.querySelector('button.main[type=submit]').disabled", seconds=240)
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
    page.get_by_role("link", name="Which texts share passages?").click(timeout=400_000)
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
    page.emulate_media(media="print")
    assert page.locator(".printed").inner_text() == "Your mark: quotation page 3 of the book"
    assert not page.locator(".mark").is_visible()
    page.emulate_media(media="screen")
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
    assert "quotation" in page.locator("table.pairs").inner_text()
    assert "3 files were not read" in page.locator(".basis").inner_text()
    screen(page, "report-phone")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("td.a a").first.click()
    page.locator(".sides .run.equal").first.wait_for()
    assert "Your mark: quotation" in page.locator(".mark-said").inner_text()
    screen(page, "report-case")
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
        "pictures": "Which documents share passages",
        "leftout": "what is like a template",
        "save": "document_pairs.csv",
        "pair": "Passage 1 / 1",
        "doc": "class/",
    }
    page.get_by_text(expected.get(part, "class/essay5.txt")).first.wait_for()
    if part == "clusters":
        page.locator(".clusters summary").first.click()
        page.locator(".clusters .witness").first.wait_for()
    screen(page, f"{part}-{look}")
    page.context.close()


def test_the_page_ends_the_server_and_says_so(
    browser: "Browser", projects: Projects, workers: ProjectProcesses, screen: Screen
) -> None:
    stopped = threading.Event()
    with running(make_app(projects, workers, SECRET, stopped.set)) as address:
        page = enter(browser, address)
        page.get_by_role("button", name="Quit").click()
        page.get_by_role("heading", name="ibidem has ended").wait_for()
        assert stopped.is_set()
        screen(page, "ended")
        page.context.close()


def test_pairs_and_documents_are_filtered_and_searched_as_one_types(browser: "Browser", answers: str) -> None:
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
    page.get_by_role("link", name="Documents").click()  # what was chosen holds there, too
    documents = page.get_by_role("table", name="Documents")
    documents.wait_for()
    assert len(rows_of(documents)) == AUTHORS.count("\n") - 6
    page.get_by_label("From year").fill("2003")
    page.get_by_label("to", exact=True).fill("2005")
    assert [row.split("\t")[4:] for row in rows_of(documents)] == [["2003", "Cleo"], ["2005", "Eva"], ["2004", "Dan"]]
    page.get_by_label("Name or author").fill("EVA")
    assert len(rows_of(documents)) == 1
    page.get_by_label("Minimum share").fill("0.99")
    assert rows_of(documents) == ["No document is left by these filters."]
    page.get_by_role("link", name="Search").click()
    page.get_by_label("A passage, or a whole").press_sequentially("describe in your own words what you have", delay=20)
    page.get_by_text("12 places · 12 documents").wait_for(timeout=240_000)  # kernels may have to be compiled
    page.locator(".results mark").filter(has_text="Describe in your own").first.wait_for()  # the last of what was typed
    page.context.close()


def go(page: "Page", address: str) -> None:
    """Go to a view of the page, until all of it is there."""
    page.evaluate("document.querySelector('main').setAttribute('aria-busy', 'true')")
    page.goto(address)
    page.locator("main[aria-busy=false]").wait_for()


_BRACKETED = [
    (
        "return many === undefined || values.n === 1 ? one : many;",
        "return bracket(many === undefined || values.n === 1 ? one : many);",
    ),
    ("return words.replaceAll(", "return bracket(words).replaceAll("),
]
"""Where words come from, and the same in brackets."""


_BRACKET = """
function bracket(words) {
  return words.split(/(\\{\\w*\\})/).map((part, at) => (at % 2 ? part : `⟦${part}⟧`)).join("");
}
"""


def bracket_words(route: "Route") -> None:
    """Serve the words of the page so that brackets are around all that comes from them."""
    source = read_page_file("words.js").decode()
    for plain, bracketed in _BRACKETED:
        assert source.count(plain) == 1, plain
        source = source.replace(plain, bracketed)
    source += _BRACKET
    route.fulfill(body=source, content_type="text/javascript; charset=utf-8")


DATA = "bdi, [dir=auto], #language, textarea, script, .name, button.link, svg text, svg title, dd, .tabs a:first-child"
"""What shows texts of documents and names of files."""


def test_every_word_of_every_screen_is_there_in_german(
    browser: "Browser", answers: str, school: Project, screen: Screen
) -> None:
    page = enter(browser, answers, locale="de-DE")
    root, _, place = answers.partition("#")
    project = place.partition("&")[0]
    names = [name for file in FILES for name in (file, file.replace("class/essay", "essay"))] + [
        "class/authors.csv",
        school.about.name,
        "ibidem",
        "Escape",
    ]
    chosen = [item.id for item in school.items() if item.name in ("class/essay3.txt", "class/essay9.txt")]
    runs = [answer_here(school, "align", chosen), answer_here(school, "dedup", remove="passages")]
    runs.append(answer_here(school, "dedup"))
    page.route("**/page/words.js", bracket_words)
    page.goto(f"{root}#{project}")
    page.reload()
    page.locator(".files tbody tr").first.wait_for()
    assert page.locator("html").get_attribute("lang") == "de"
    unsaid = {}
    for question in page.locator("input[name=kind]").all():
        question.check()
        page.locator(".settings .setting").first.wait_for(state="attached")
        unsaid[f"question {question.get_attribute('value')}"] = untranslated(page, DATA, names)
    screen(page, "german-project")
    parts = ["pairs", "documents", "search", "clusters", "pictures", "leftout", "save"]
    places = [f"{place}&{at}" for at in [*(f"part={part}" for part in parts), "pair=1", "doc=1"]]
    for run in runs:
        places += [f"{project}&run={run.id}{at}" for at in ("", "&part=leftout", "&part=save", "&pair=0")]
    for at in ["", *places]:
        go(page, f"{root}#{at}")
        for summary in page.locator(".clusters summary").all():
            summary.click()
        assert "⟦" in page.locator("main").inner_text(), at
        unsaid[at] = untranslated(page, DATA, names)
        if at.endswith("pair=1"):
            screen(page, "german-case")
    assert not any(unsaid.values()), "\n".join(f"{at}: {words!r}" for at, said in unsaid.items() for words in said)
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
    page.locator(".run.changed").first.wait_for()
    screen(page, "editions")
    page.context.close()
    Projects(school.folder.parent).remove(project)
