"""Take the picture of a report for the README: after ``./dev demo``, ``.venv/bin/python docs/picture.py``."""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

REPORT = Path(tempfile.gettempdir(), "ibidem-demo.html")
PICTURE = Path(__file__).with_name("report.png")


def main() -> None:
    """Take it."""
    chromium = shutil.which("chromium")
    if chromium is None or not REPORT.is_file():
        sys.exit("this needs Chromium, and the report of ./dev demo")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1120, "height": 640})
        page.goto(f"{REPORT.as_uri()}#pair=0")
        page.locator(".pair").wait_for()
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
