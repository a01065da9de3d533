"""The way of a teacher by keyboard alone: each control is reached, the focus is seen and follows the work."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ...browser import PATIENCE, open_page, wait_until
from .conftest import SECRET
from .samples import FILES, PLANTED, UNREADABLE, pack, write_words
from .test_page import enter, rows_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FileChooser, Page

MOST = 200
"""Stops between two that a person goes to, at most."""

STOPS = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter(
  (each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility() && (each.type !== "radio" || each.checked)
)"""

NAME = """(each) => each.ariaLabel
  || [...(each.labels ?? [])].map((label) => label.textContent).join(" ") || each.textContent"""

FOCUS = f"""() => {{
  const each = document.activeElement;
  const shown = each.matches(".hidden-field") ? each.closest("label") : each;
  const {{ outlineStyle, outlineWidth }} = getComputedStyle(shown);
  const place = shown.getBoundingClientRect();
  const message = document.getElementById("said");
  const said = message.getBoundingClientRect();
  const covered = message.textContent && place.top > said.top && place.bottom < said.bottom;
  const fits = place.bottom > 0 && place.top < innerHeight && place.right > 0 && place.left < innerWidth;
  return {{
    name: ({NAME})(each),
    tag: each.tagName,
    at: ({STOPS})().indexOf(each),
    seen: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    in_view: fits && !covered,
  }};
}}"""


class Keyboard:
    """A person without a mouse."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self._choosers: list[FileChooser] = []
        page.on("filechooser", self._note)  # from the begin: playwright misses one right after it was told to expect it

    def _note(self, chooser: "FileChooser") -> None:
        self._choosers.append(chooser)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def go_to(self, name: str, key: str = "Tab") -> None:
        """Press Tab until a control of this name has the focus, which is seen all the way."""
        passed = []
        for _ in range(MOST):
            self.press(key)
            focus = self.page.evaluate(FOCUS)
            passed.append(focus["name"])
            if focus["tag"] != "BODY":
                assert focus["seen"], focus
                assert focus["in_view"], focus
            if name in focus["name"] and focus["tag"] != "BODY":
                return
        pytest.fail(f"no stop is named {name}: {passed}")

    def choose(self, key: str, name: str, data: bytes) -> None:
        """Press a key that opens the chooser of files, for several, and choose one."""
        self.press(key)
        end = time.monotonic() + PATIENCE
        while not self._choosers and time.monotonic() < end:
            self.page.wait_for_timeout(20)
        chooser = self._choosers.pop()
        assert chooser.is_multiple()
        chooser.set_files({"name": name, "mimeType": "", "buffer": data})

    def back_to(self, name: str) -> None:
        self.go_to(name, "Shift+Tab")

    def is_on(self, tag: str, words: str) -> None:
        """Wait until the focus is on an element of this tag that has these words."""
        wait_until(
            self.page,
            f"() => document.activeElement.tagName === {tag!r} && ({NAME})(document.activeElement).includes({words!r})",
            240,
        )

    def hears(self, words: str) -> None:
        """Wait until a screen reader says so."""
        said = f"[...document.querySelectorAll('[role=status]')].some((each) => each.textContent.includes({words!r}))"
        wait_until(self.page, f"() => {said}", 240)

    def walk(self) -> None:
        """Go once through the page: every control is reached, and after the last the first comes."""
        self.page.locator("main[aria-busy=false]").wait_for()
        self.page.evaluate(f"() => ({STOPS})()[0].focus()")
        count, reached = self.page.evaluate(f"() => ({STOPS})().length"), {0}
        for _ in range(count + 2):
            self.press("Tab")
            focus = self.page.evaluate(FOCUS)
            assert focus["tag"] == "BODY" or focus["seen"], focus
            reached.add(focus["at"])
        assert reached >= set(range(count)), self.page.evaluate(
            f"(reached) => ({STOPS})().filter((_, at) => !reached.includes(at)).map((each) => each.outerHTML)",
            sorted(reached),
        )


def test_the_way_of_a_teacher_by_keyboard(browser: "Browser", address: str, tmp_path: Path) -> None:
    page = enter(browser, address)
    keys = Keyboard(page)
    keys.walk()
    keys.go_to("New project")
    page.keyboard.type("Class 9b")
    keys.press("Enter")
    keys.is_on("H1", "Class 9b")
    bring(keys)
    compare(keys)
    look_at_pairs(keys)
    look_at_the_rest(keys)
    save(keys, tmp_path)
    page.context.close()


def bring(keys: Keyboard) -> None:
    """Choose a zip, a source and a template, give a file another role, and take one away."""
    page, count = keys.page, len(FILES | UNREADABLE)
    keys.go_to("Choose files")
    keys.choose("Enter", "class.zip", pack(FILES | UNREADABLE))
    keys.hears(f"{count} files · {len(UNREADABLE)} not read")
    keys.is_on("INPUT", "Choose files")
    keys.go_to("Choose sources")
    keys.choose("Space", "another source.txt", write_words(600, 300).encode())
    keys.hears(f"{count + 1} files")
    keys.go_to("Choose templates")
    keys.choose("Enter", "another template.txt", write_words(601, 30).encode())
    keys.hears(f"{count + 2} files")
    page.get_by_role("heading", name="Templates (2)").wait_for()
    keys.go_to("Role: class/essay12.txt")
    for key, sources in (("ArrowDown", 5), ("ArrowUp", 4)):
        keys.press(key)
        page.get_by_role("heading", name=f"Sources ({sources})").wait_for()
        keys.is_on("SELECT", "Role: class/essay12.txt")
    keys.back_to("Remove class/scan.png")
    page.once("dialog", lambda asked: asked.accept())  # it says that the answers are found again, and what stays
    keys.press("Enter")
    keys.hears(f"{count + 1} files · {len(UNREADABLE) - 1} not read")
    assert page.evaluate("document.activeElement.closest('table')") is not None  # at the next row


def compare(keys: Keyboard) -> None:
    """Change a setting, which a change of the files does not take back, and ask."""
    page = keys.page
    keys.go_to("More settings")
    keys.press("Enter")
    keys.go_to("Least length")
    page.keyboard.type("20")
    for role, sources in (("source", 5), ("text", 4)):
        page.get_by_label("Role: class/essay1.txt", exact=True).select_option(role)
        page.get_by_role("heading", name=f"Sources ({sources})").wait_for()
    keys.walk()
    assert page.get_by_label("Least length").input_value() == "20"
    keys.back_to("Compare")
    keys.press("Enter")
    keys.hears("Which texts share passages?")
    keys.is_on("H1", "Pairs")
    assert page.title().startswith("Pairs – Which texts share passages? – Class 9b")


def look_at_pairs(keys: Keyboard) -> None:
    """Sort, filter, open, mark, note and print."""
    page, table = keys.page, keys.page.get_by_role("table", name="Pairs")
    keys.walk()
    keys.back_to("Second document")
    keys.press("Enter")
    keys.is_on("BUTTON", "Second document ▴")
    keys.back_to("Name or author")
    page.keyboard.type("book1")
    keys.hears("1 of 2 is shown.")
    assert len(rows_of(table)) == 1
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    wait_until(page, "() => document.querySelectorAll('table.pairs tbody tr').length == 2")
    keys.go_to("class/essay5.txt")
    keys.press("Enter")
    a, b = sorted(PLANTED)[-1]
    keys.is_on("H2", f"{a} and {b}")
    keys.walk()
    keys.back_to("Note")
    page.keyboard.type("page 3")
    keys.back_to("Your mark")
    keys.hears("Your mark and note are saved.")
    keys.press("q")
    page.locator(".printed", has_text="quotation page 3").wait_for(state="attached")
    page.evaluate("() => { window.print = () => document.body.dataset.printed = 'yes'; }")
    keys.back_to("Print")
    keys.press("Enter")
    page.locator("body[data-printed]").wait_for()
    keys.back_to("All pairs")
    keys.press("Enter")
    keys.is_on("H1", "Pairs")
    page.get_by_role("row", name="quotation").wait_for()


def look_at_the_rest(keys: Keyboard) -> None:
    """Every other part of the answer."""
    page = keys.page
    keys.back_to("Documents")
    keys.press("Enter")
    keys.is_on("H1", "Documents")
    keys.walk()
    keys.go_to("Name or author")
    page.keyboard.type("essay5")
    keys.hears("1 of 16 is shown.")
    keys.go_to("class/essay5.txt")
    keys.press("Enter")
    keys.is_on("H2", "class/essay5.txt")
    keys.walk()
    for part in ("Search", "Groups", "Pictures", "How it was found"):
        keys.back_to(part)
        keys.press("Enter")
        keys.is_on("H1", part)
        if part == "Groups":
            keys.go_to("2 documents")
            keys.press("Enter")
            page.locator(".clusters .witness").first.wait_for()
        if part == "Search":
            keys.go_to("A passage, or a whole")
            page.keyboard.type("describe in your own words what you have")
            keys.hears("12 places")
        keys.walk()
    keys.go_to("Reason")
    keys.press("ArrowDown")
    chosen = page.locator("#reason option:checked").inner_text()
    assert {row.partition("\t")[0] for row in rows_of(page.get_by_role("table", name="How it was found"))} == {chosen}


def save(keys: Keyboard, folder: Path) -> None:
    """A report without names."""
    page = keys.page
    keys.back_to("Save")
    keys.press("Enter")
    keys.is_on("H1", "Save")
    keys.go_to("with the names of documents")
    keys.press("Space")
    keys.walk()
    keys.go_to("Save the report")
    with page.expect_download(timeout=240_000) as saving:
        keys.press("Enter")
    saving.value.save_as(folder / "report.html")
    assert "essay" not in (folder / "report.html").read_text("utf-8")
    keys.hears(".html was saved.")
    keys.is_on("BUTTON", "Save the report")
    keys.back_to("All projects")
    keys.press("Enter")
    keys.is_on("H1", "Compare texts")


def test_a_message_goes_and_a_problem_stays_until_the_next_thing(browser: "Browser", address: str) -> None:
    page = open_page(browser)
    page.goto(f"{address}/?key={SECRET}")
    page.get_by_label("New project").fill("Class 9b")
    page.keyboard.press("Enter")
    said = page.locator("#said")
    page.locator("input[type=file][multiple]").set_input_files([])
    page.locator("input[webkitdirectory]").dispatch_event("change")
    said.get_by_text("There are no files here").wait_for()
    page.goto(f"{address}/#p=000000000000")
    page.get_by_role("heading", name="This cannot be shown").wait_for()
    page.get_by_text("there is no such project").wait_for()
    page.get_by_role("main").get_by_role("link", name="Back to the beginning").click()
    page.get_by_role("heading", name="Compare texts").wait_for()
    page.context.close()
