"""Take the pictures of the gallery, on Python's own library: ``.venv/bin/python docs/pictures.py``.

Those of ``ibidem app`` are made by its tests, which compare its screens with the guide's.
"""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

DOCS = Path(__file__).resolve().parent
REPORT = Path(tempfile.gettempdir(), "ibidem-demo.html")  # which the tour writes
IBIDEM = [sys.executable, "-m", "ibidem.cli"]
MODULES = ("*.py", "asyncio/*.py", "concurrent/futures/*.py", "importlib/*.py", "json/*.py", "logging/*.py")
PASSAGE = """\
Variables used in this class: the user reaches them though appropriate methods of this class: _file -- the open file \
with methods read(), close(), and seek() set through the __init__() method _nchannels -- the number of audio channels \
available through the getnchannels() method _nframes -- the number of audio frames"""


def main() -> None:
    """Take all of them."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("this needs Chromium")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        texts, index = folder / "texts.jsonl", folder / "books.ibidem"
        write_modules(texts)
        run("index", texts, "-o", index)
        run("demo")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take_report(browser, REPORT.as_uri())
        with served(index) as address:
            take_service(browser, address)
        browser.close()


def write_modules(path: Path) -> None:
    """Write the sources of Python's library as JSON lines."""
    library = Path(sysconfig.get_path("stdlib"))
    with path.open("w", encoding="utf-8") as file:
        for module in sorted(module for pattern in MODULES for module in library.glob(pattern)):
            record = {"id": str(module.relative_to(library)), "text": module.read_text(encoding="utf-8")}
            print(json.dumps(record), file=file)


def run(*arguments: str | Path) -> None:
    """Run a command to its end."""
    subprocess.run([*IBIDEM, *map(str, arguments)], check=True)


@contextmanager
def served(index: Path) -> Iterator[str]:
    """Serve an index; the value is the page's address."""
    command = [*IBIDEM, "serve", str(index), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as service:
        assert service.stdout is not None
        try:
            yield next(found[0] for line in service.stdout if (found := re.search(r"http://[\d.]+:\d+/?", line)))
        finally:
            service.terminate()


def take_report(browser: Browser, report: str) -> None:
    """Take a pair of passages, bright, and dark on a telephone, and the list of all pairs."""
    page = browser.new_page(viewport={"width": 1120, "height": 640})
    page.goto(f"{report}#pair=0")
    page.locator(".pair").wait_for()
    page.screenshot(path=DOCS / "report.png")
    page.goto(report)
    page.get_by_role("table").first.wait_for()
    page.set_viewport_size({"width": 1120, "height": 1000})
    page.screenshot(path=DOCS / "gallery-pairs.png")
    phone = browser.new_page(viewport={"width": 390, "height": 760}, color_scheme="dark")
    phone.goto(f"{report}#pair=0")
    phone.locator(".pair").wait_for()
    phone.screenshot(path=DOCS / "gallery-phone.png")


def take_service(browser: Browser, address: str) -> None:
    """Take the results of a search for a passage."""
    page = browser.new_page(viewport={"width": 1120, "height": 800})
    page.goto(address)
    page.get_by_role("textbox").first.fill(PASSAGE)
    page.get_by_role("button", name="Find", exact=True).click()
    page.locator(".results").first.wait_for()
    page.screenshot(path=DOCS / "gallery-search.png")


if __name__ == "__main__":
    main()
