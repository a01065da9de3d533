"""What a browser shows of the service."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from ..browser import breaches, chromium
from .samples import FERRY, SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as launched:
        yield launched


@pytest.fixture
def page(browser: "Browser", address: str) -> Iterator["Page"]:
    """The page, of which no message on the console and no request to another address may come."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(address)
    opened.wait_for_selector("#index option", state="attached")
    yield opened
    opened.close()
    assert said == []
    assert all(url.startswith((address, "data:")) for url in asked)


def find(page: "Page", text: str, job: str = "search") -> None:
    page.locator("#text").fill(text)
    page.locator("#job").select_option(job)
    page.get_by_role("button", name="Find").click()
    page.wait_for_selector(".results li")


def test_a_passage_is_found_and_shown_beside_what_was_asked(page: "Page") -> None:
    find(page, FERRY[5:95].replace("lanterns", "torches"))
    assert page.locator("#said").inner_text() == "1 passage in 1 document"
    assert not page.locator("#token").is_visible()
    assert breaches(page) == []
    page.get_by_role("button", name="Side by side").click()
    page.wait_for_selector(".pair")
    assert page.locator(".side .run.changed").all_text_contents() == ["torches", "lanterns"]
    assert breaches(page) == []


def test_the_slider_filters_without_asking_again(page: "Page") -> None:
    find(page, FERRY[5:95].replace("lanterns", "torches"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#threshold").fill("1")
    assert page.locator("#said").inner_text() == "Nothing stands again at this similarity."
    page.locator("#threshold").fill("0.7")
    assert page.locator("#said").inner_text() == "1 passage in 1 document"
    assert asked == []


def test_what_was_asked_stands_in_the_address(page: "Page") -> None:
    find(page, FERRY)
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector(".results li")
    assert page.locator("#text").input_value() == FERRY


def test_the_words_that_stand_in_the_collection_are_underlined(page: "Page") -> None:
    find(page, f"Nobody had come yet. {FERRY} So it ended.", "trace")
    assert page.locator(".traced mark").count() >= 1
    assert "lanterns and blankets" in " ".join(page.locator(".traced mark").all_text_contents())
    assert page.locator(".traced").inner_text().startswith("Nobody had come yet.")
    assert breaches(page) == []


def test_a_document_that_is_a_script_is_shown_as_one(page: "Page") -> None:
    find(page, SCRIPT)
    assert "<script>document.title='stolen'</script>" in page.locator("#text").input_value()
    assert "script" in page.locator(".excerpt").inner_text()
    page.get_by_role("button", name="Side by side").click()
    page.wait_for_selector(".pair")
    assert page.locator("main img, main script").count() == 0
    assert page.title() == "Where does it stand again?"
