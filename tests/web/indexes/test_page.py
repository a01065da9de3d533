"""What a browser shows of the service."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import pytest

import ibidem
from ibidem.web.access import Access

from ...browser import breaches, open_page, wait_until
from ..conftest import Serve
from ..projects.samples import write_words
from ..samples import DOCUMENTS, EVALS, FERRY, OTHER, REUSED, SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


@pytest.fixture
def page(browser: "Browser", address: str) -> Iterator["Page"]:
    """The page, of which no message on the console and no request to another address may come."""
    opened = open_page(browser, viewport={"width": 1280, "height": 900})
    said: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(address)
    opened.wait_for_selector("#text")
    yield opened
    opened.context.close()
    assert said == []
    assert all(url.startswith((address, "data:")) for url in asked)


def find(page: "Page", text: str, job: str = "search") -> None:
    page.locator("#text").fill(text)
    page.locator("#job").select_option(job)
    page.get_by_role("button", name="Find", exact=True).click()
    # What stands in the list may still be the answer to what was typed: the last one that was asked for is awaited.
    wait_for_address(page, text=text, job=job)
    page.wait_for_selector("#results:not([aria-busy=true]) .results li")


def wait_for_address(page: "Page", **fields: str | None) -> None:
    """Until the address has these fields, and lacks those of which the value is None."""

    def is_there(address: str) -> bool:
        said = dict(parse_qsl(urlsplit(address).fragment, keep_blank_values=True))
        return all(said.get(name) == value for name, value in fields.items())

    page.wait_for_url(is_there)


def test_a_passage_is_found_and_shown_beside_what_was_asked(page: "Page") -> None:
    find(page, FERRY[5:95].replace("lanterns", "torches"))
    assert page.locator("#found").inner_text() == "1 place · 1 document"
    assert page.locator("#token").count() == 0
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
    assert page.locator("#found").inner_text() == "No passage is this similar."
    page.locator("#threshold").fill("0.7")
    assert page.locator("#found").inner_text() == "1 place · 1 document"
    assert asked == []


def test_a_passage_is_shown_with_what_stands_around_it(page: "Page") -> None:
    find(page, FERRY[30:120])
    assert page.locator(".excerpt mark").inner_text() in FERRY
    assert page.locator(".excerpt").inner_text().startswith("… When the ferry came in at last, the whole")
    assert page.locator(".excerpt").inner_text().endswith("out the names one after the other. …")


def test_a_pair_that_is_open_stands_in_the_address_and_stays_open(page: "Page") -> None:
    find(page, FERRY[5:95].replace("lanterns", "torches"))
    wait_for_address(page, open=None)
    page.get_by_role("button", name="Side by side").click()
    page.wait_for_selector(".pair")
    page.wait_for_url("**#*open=5-*")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#threshold").fill("0.7")
    assert page.locator(".pair").count() == 1
    assert asked == []
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector(".pair")
    page.get_by_role("button", name="Side by side").click()
    page.wait_for_selector(".pair", state="detached")
    wait_for_address(page, open=None)


def test_what_was_asked_stands_in_the_address(page: "Page") -> None:
    find(page, FERRY)
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector(".results li")
    assert page.locator("#text").input_value() == FERRY


def test_a_file_is_chosen_or_dropped(page: "Page") -> None:
    passage = {"name": "passage.txt", "mimeType": "text/plain", "buffer": FERRY.encode()}
    page.locator("#file").set_input_files(passage)
    page.wait_for_selector(".results li")
    assert page.locator("#text").input_value() == FERRY
    page.locator("#file").set_input_files(passage | {"buffer": b" " * 4_000_000})
    page.get_by_text("passage.txt is too large.").wait_for()
    page.locator("#file").set_input_files(passage | {"buffer": "Müller kam über die Brücke".encode("cp1252")})
    wait_until(page, "() => document.getElementById('text').value == 'Müller kam über die Brücke'")
    page.locator("#file").set_input_files(passage | {"name": "a.docx", "buffer": b"PK\x03\x04 and more"})
    page.get_by_text("a.docx is no plain text.").wait_for()
    page.locator("#text").evaluate(
        "(box, text) => { const dataTransfer = new DataTransfer();"
        " dataTransfer.items.add(new File([text], 'dropped.txt'));"
        " box.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true })) }",
        OTHER,
    )
    page.get_by_role("link", name="bees").wait_for()


def test_a_document_that_is_a_script_is_shown_as_one(page: "Page") -> None:
    find(page, SCRIPT)
    assert "<script>document.title='stolen'</script>" in page.locator("#text").input_value()
    assert "script" in page.locator(".excerpt").inner_text()
    page.get_by_role("button", name="Side by side").click()
    page.wait_for_selector(".pair")
    assert page.locator("main img, main script").count() == 0
    assert page.title() == "Find matching passages"


def test_a_passage_is_searched_while_it_is_typed(page: "Page") -> None:
    page.locator("#text").press_sequentially("When the ferry came in at last, the whole street")
    page.wait_for_selector(".results li")
    assert page.locator(".results h2").inner_text() == "ferry"
    page.locator("#text").fill("nothing like it stands anywhere in here at all")
    page.get_by_text("No passage is this similar.").wait_for()


def test_what_a_search_left_out_is_shown(page: "Page") -> None:
    find(page, "When the ferry came in at last, the whole")
    assert "shorter ones are not found" in page.locator("#found .warning").inner_text()
    assert breaches(page) == []


def test_a_document_that_found_nothing_as_a_whole_leads_to_its_parts(page: "Page") -> None:
    page.locator("#text").fill(f"{write_words(1, 150)} {FERRY} {write_words(2, 150)}")
    page.get_by_role("button", name="Find", exact=True).click()
    found = page.get_by_role("button", name="Look for parts of it")
    found.wait_for()
    warning = page.locator("#found .warning").last.inner_text()
    assert "PassageIndex" not in warning
    assert page.locator("#job option[value=align]").inner_text() in warning
    assert breaches(page) == []
    found.click()
    page.wait_for_selector("#results .results li")
    assert page.locator(".results h2").inner_text() == "ferry"
    wait_for_address(page, job="align")


def test_more_passages_come_when_they_are_asked_for(page: "Page") -> None:
    def answer(route: "Route") -> None:
        found = range(3 if route.request.post_data_json["limit"] < 1000 else 6)
        route.fulfill(json={"index": "letters", "matches": [match(number) for number in found], "total": 6})

    page.route("**/v1/search", answer)
    find(page, FERRY)
    page.locator("#more").click()
    page.locator(".results li").nth(5).wait_for()
    assert page.locator("#more").count() == 0


def match(number: int) -> dict[str, object]:
    places = {"query_start": 0, "query_end": 9, "start": number, "end": number + 9}
    return {"document": f"d{number}", "similarity": 0.9, "text": "a passage", **places}


@pytest.mark.parametrize("width", [390, 800])
def test_no_view_is_wider_than_a_small_screen(page: "Page", address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for view in ("", "document=gray&index=songs&start=5&end=60"):
        page.goto(f"{address}/#{view}")
        page.locator("main[aria-busy=false] > :nth-child(2)").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_document_is_looked_through_for_items_of_evals(browser: "Browser", serve: Serve) -> None:
    question = EVALS[0]["question"]
    served = serve(paths=[], evals=ibidem.EvalIndex(EVALS, DOCUMENTS))
    page = open_page(browser, viewport={"width": 1280, "height": 900})
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(str(served.base_url))
    page.get_by_text("Minimum share of an item").wait_for()
    assert page.locator("#job, #index").count() == 0
    words = question.split()
    text = f"A quiz. {' '.join([*words[:3], 'nice', *words[3:]])} Good luck."
    page.locator("#text").fill(text)
    page.get_by_role("button", name="Find").click()
    page.wait_for_selector(".results li.leak")
    assert page.locator("#found").inner_text() == "1 leak"
    assert page.locator(".results h2").inner_text() == "evals · 0 · question"
    assert page.locator(".whole mark").inner_text() in text
    assert breaches(page) == []
    page.get_by_role("button", name="Side by side").click()
    page.wait_for_selector(".pair")
    assert "nice" in page.locator(".side .run").all_text_contents()
    page.locator("#text").fill("Nothing of the kind is asked in this text.")
    page.get_by_role("button", name="Find").click()
    page.get_by_text("No leak.").wait_for()
    page.context.close()
    assert said == []


def test_a_match_leads_to_its_document_and_that_to_where_else_it_occurs(page: "Page") -> None:
    page.locator("#index").select_option("songs")
    find(page, REUSED[0].text)
    page.get_by_role("link", name="gray").click()
    page.locator(".whole .asked").wait_for()
    assert page.locator(".whole").inner_text() == REUSED[0].text
    assert breaches(page) == []
    page.get_by_role("button", name="Find where else this occurs").click()
    page.locator(".results li").nth(2).wait_for()
    assert {"gray", "letter", "reader"} == set(page.locator(".results h2").all_inner_texts())


def test_what_is_not_there_is_told(browser: "Browser", address: str) -> None:
    page = open_page(browser)
    page.goto(f"{address}/#document=none")
    page.reload()
    page.locator("main", has_text="no document").wait_for()
    page.goto(f"{address}/#part=constructor&job=constructor&index=__proto__&threshold=x")
    page.reload()
    page.wait_for_selector("#text")
    page.context.close()


def test_a_token_is_asked_for_and_kept_for_the_tab(browser: "Browser", serve: Serve) -> None:
    page = open_page(browser)
    page.goto(str(serve(access=Access("sesame")).base_url))
    page.get_by_label("Token").fill("sesame")
    page.keyboard.press("Enter")
    find(page, FERRY)
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_view_keeps_wcag_aa(page: "Page", scheme: str, width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    assert breaches(page) == []
    for job in ("search", "align"):
        find(page, FERRY[5:95].replace("lanterns", "torches"), job)
        page.get_by_role("button", name="Side by side").first.click()
        page.wait_for_selector(".pair")
        assert breaches(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_role("button", name="Side by side").first.click()


def test_the_page_speaks_german(browser: "Browser", address: str) -> None:
    page = open_page(browser, locale="de-DE")
    page.goto(address)
    page.get_by_role("heading", name="Gleiche Stellen finden").wait_for()
    assert page.get_by_label("Finden").is_visible()
    page.context.close()
