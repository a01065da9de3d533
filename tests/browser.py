"""The system's Chromium, for tests of what a browser shows; without one they are skipped with a word that says so.

``IBIDEM_SLOW_BROWSER=N`` makes it ``N`` times slower and delays some answers of a service by up to ``50 N`` ms, so that
a test that reads a page before the page is ready fails at once and not once in a hundred runs.
"""

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE = 240
"""Seconds until a test gives up that a page shows something: another may have the processor meanwhile."""

OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


SLOW_ANSWERS = """(() => {
  const fetched = window.fetch;
  const wait = () => new Promise((done) => setTimeout(done, Math.random() < 0.5 ? 0 : Math.random() * 25 * RATE));
  window.fetch = async (...asked) => {
    await wait();
    const answer = await fetched(...asked);
    await wait();
    return answer;
  };
})()"""


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser without a window. With ``IBIDEM_NEED_CHROMIUM`` set, one that is missing is a failure."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        if os.environ.get("IBIDEM_NEED_CHROMIUM"):
            pytest.fail("no Chromium here, and IBIDEM_NEED_CHROMIUM asks for one")
        pytest.skip("no Chromium here: install chromium to test what a browser shows")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
        yield browser
        browser.close()


def open_page(browser: "Browser", **options: Any) -> "Page":
    """A page in a context of its own, slowed down if ``IBIDEM_SLOW_BROWSER`` asks for it."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    rate = int(os.environ.get("IBIDEM_SLOW_BROWSER", "1"))
    if rate > 1:
        page.add_init_script(SLOW_ANSWERS.replace("RATE", str(rate)))
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    return page


def wait_until(page: "Page", question: str, seconds: float = PATIENCE) -> None:
    """Ask a page until a JavaScript function says yes.

    Playwright's ``wait_for_function`` asks from within the page after the first time, where a policy that forbids to
    evaluate strings refuses it: a test that used it failed whenever the first answer was no.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(question):
        if time.monotonic() > end:
            pytest.fail(f"after {seconds:g} seconds this is not so: {question}")
        page.wait_for_timeout(20)


UNSAID = """([data, names]) => {
  const said = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest(data)) said.push(node.data);
  for (const element of document.querySelectorAll("[title], [aria-label], [placeholder]"))
    for (const name of ["title", "aria-label", "placeholder"]) said.push(element.getAttribute(name) ?? "");
  return [...new Set(said)].filter((words) => {
    let left = words;
    for (let before = null; before !== left; ) [before, left] = [left, left.replace(/⟦[^⟦⟧]*⟧/g, "")];
    for (const name of names) left = left.replaceAll(name, "");
    return /\\p{L}{2}/u.test(left);
  });
}"""


def untranslated(page: "Page", data: str, names: Sequence[str] = ()) -> list[str]:
    """The words that a page shows outside of the brackets ⟦ ⟧, which a test puts around all that is translated.

    Texts of documents and their names are data, not words of the page: the elements that ``data`` selects, and
    ``names`` wherever they occur.
    """
    words: list[str] = page.evaluate(UNSAID, [data, list(names)])
    return words


def breaches(page: "Page") -> list[tuple[str, Any]]:
    """What axe-core finds against WCAG AA in a page: the rule and the first element that breaks it."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"runOnly": RULES}).response["violations"]
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in found]
