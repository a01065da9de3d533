"""What a browser shows of the service."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import pytest

import ibidem

from ..browser import breaches, chromium, open_page, wait_until
from .conftest import Serve
from .projects.samples import write_words
from .samples import DOCUMENTS, EVALS, FERRY, OTHER, REUSED, SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as launched:
        yield launched


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
    opened.wait_for_selector("#index option", state="attached")
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
    assert page.locator("#said").inner_text() == "No passage is this similar."
    page.locator("#threshold").fill("0.7")
    assert page.locator("#said").inner_text() == "1 passage in 1 document"
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


def test_a_measure_is_chosen_after_the_fact(page: "Page") -> None:
    find(page, FERRY[5:95].replace("lanterns", "torches"))
    assert not page.locator("#weights").is_visible()
    seen = {page.locator(".results .place").inner_text()}
    page.locator("#family").select_option("weighted")
    page.get_by_text("Searched by this measure: words by weight (repeats count each time").wait_for()
    seen.add(page.locator(".results .place").inner_text())
    page.locator("#idf").select_option("unary")
    page.locator("#tf").select_option("squared")
    page.get_by_text("repeats count more each time, rare words weigh more: not").wait_for()
    seen.add(page.locator(".results .place").inner_text())
    assert len(seen) == 3
    wait_for_address(page, family="weighted", tf="squared", idf="unary")
    assert breaches(page) == []
    page.goto("about:blank")
    page.go_back()
    page.get_by_text("repeats count more each time, rare words weigh more: not").wait_for()


def test_what_an_alignment_found_is_measured_again_without_another(page: "Page") -> None:
    find(page, f"Nobody had come yet. {FERRY.replace('lanterns', 'torches')} So it ended.", "align")
    before = page.locator(".results .place").inner_text()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#family").select_option("set")
    page.get_by_text("Found by an alignment, and measured again by distinct words.").wait_for()
    assert page.locator(".results .place").inner_text() != before
    assert [url.rpartition("/")[2] for url in asked] == ["measure"]
    page.locator("#family").select_option("")
    page.get_by_text("measured again").wait_for(state="detached")
    assert page.locator(".results .place").inner_text() == before
    page.locator("#family").select_option("set")
    page.get_by_text("measured again").wait_for()
    page.goto("about:blank")
    page.go_back()
    page.get_by_text("measured again by distinct words.").wait_for()


def test_a_file_is_chosen_or_dropped(page: "Page") -> None:
    passage = {"name": "passage.txt", "mimeType": "text/plain", "buffer": FERRY.encode()}
    page.locator("#file").set_input_files(passage)
    page.wait_for_selector(".results li")
    assert page.locator("#text").input_value() == FERRY
    page.locator("#file").set_input_files(passage | {"buffer": b" " * 4_000_000})
    page.get_by_text("passage.txt is too large").wait_for()
    page.locator("#file").set_input_files(passage | {"buffer": "Müller kam über die Brücke".encode("cp1252")})
    wait_until(page, "() => document.getElementById('text').value == 'Müller kam über die Brücke'")
    page.locator("#file").set_input_files(passage | {"name": "a.docx", "buffer": b"PK\x03\x04 and more"})
    page.get_by_text("a.docx is no plain text").wait_for()
    page.locator("#text").evaluate(
        "(box, text) => { const dataTransfer = new DataTransfer();"
        " dataTransfer.items.add(new File([text], 'dropped.txt'));"
        " box.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true })) }",
        OTHER,
    )
    page.get_by_role("link", name="bees").wait_for()


def test_words_that_are_clicked_show_the_documents_that_have_them(page: "Page") -> None:
    find(page, f"{FERRY} Nobody had come yet. {OTHER}", "trace")
    assert page.locator(".results li").count() == 2
    mark = page.locator(".traced mark", has_text="beekeeper")
    mark.click()
    assert page.locator(".results li:visible h2").all_inner_texts() == ["bees"]
    assert "” occurs in 1 document." in page.locator("#results [role=status]").inner_text()
    assert breaches(page) == []
    page.get_by_role("button", name="All documents").click()
    assert page.locator(".results li:visible").count() == 2
    mark.press("Enter")
    assert mark.get_attribute("aria-pressed") == "true"
    mark.press(" ")
    assert page.locator(".results li:visible").count() == 2


def test_words_that_several_documents_share_with_others_around_them_are_all_underlined(
    browser: "Browser", serve: Serve, tmp_path: Path
) -> None:
    documents = [("ferry", FERRY), ("again", FERRY.replace("lanterns", "torches"))]
    ibidem.PassageIndex.build(tmp_path / "twice.ibidem", documents, min_length=8).close()
    opened = open_page(browser)
    opened.goto(str(serve(path=tmp_path / "twice.ibidem").base_url))
    find(opened, f"Nobody had come yet. {FERRY} So it ended.", "trace")
    marks = opened.locator(".traced mark")
    assert "".join(marks.all_text_contents()) == FERRY.rstrip(".")
    marks.filter(has_text="lanterns").click()
    assert opened.locator(".results li:visible h2").all_inner_texts() == ["ferry"]
    marks.filter(has_text="captain").click()
    assert opened.locator(".results li:visible").count() == 2
    opened.context.close()


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
    assert page.title() == "Find matching passages"


def test_a_passage_is_searched_while_it_is_typed(page: "Page") -> None:
    page.locator("#text").press_sequentially("When the ferry came in at last, the whole street")
    page.wait_for_selector(".results li")
    assert page.locator(".results h2").inner_text() == "ferry"
    page.locator("#text").fill("nothing like it stands anywhere in here at all")
    page.get_by_text("No passage is this similar.").wait_for()


def test_what_a_search_left_out_is_shown(page: "Page") -> None:
    find(page, "When the ferry came in at last, the whole")
    assert "shorter ones are not found" in page.locator("#said .warning").inner_text()
    assert breaches(page) == []


def test_a_document_that_found_nothing_as_a_whole_leads_to_its_parts(page: "Page") -> None:
    page.locator("#text").fill(f"{write_words(1, 150)} {FERRY} {write_words(2, 150)}")
    page.get_by_role("button", name="Find", exact=True).click()
    found = page.get_by_role("button", name="Find what parts of it share")
    found.wait_for()
    warning = page.locator("#said .warning").last.inner_text()
    assert "PassageIndex" not in warning
    assert page.locator("#job option[value=align]").inner_text() in warning
    assert breaches(page) == []
    found.click()
    page.wait_for_selector("#results .results li")
    assert page.locator(".results h2").inner_text() == "ferry"
    wait_for_address(page, job="align")


def test_more_passages_come_when_they_are_asked_for(page: "Page") -> None:
    def answer(route: "Route") -> None:
        part = 0 if route.request.post_data_json.get("cursor") is None else 3
        found = {"matches": [match(number) for number in range(part, part + 3)], "total": 6}
        route.fulfill(json={"index": "letters", "cursor": None if part else "next", **found})

    page.route("**/v1/search", answer)
    find(page, FERRY)
    page.locator("#more").click()
    page.locator(".results li").nth(5).wait_for()
    assert page.locator("#more").count() == 0


def match(number: int) -> dict[str, object]:
    places = {"query_start": 0, "query_end": 9, "start": number, "end": number + 9}
    return {"document": f"d{number}", "similarity": 0.9, "text": "a passage", **places}


def test_clusters_are_browsed_down_to_a_document(page: "Page") -> None:
    page.get_by_role("link", name="Clusters of songs").click()
    page.wait_for_selector("#browse .results li")
    assert page.locator("#browse .counts").inner_text() == "1 cluster of matching passages"
    assert not page.locator("#asking").is_visible()
    assert breaches(page) == []
    page.get_by_role("link", name="3 documents, 3 passages").click()
    page.locator(".witness .words").nth(2).wait_for()
    page.locator(".witness .run.changed").first.wait_for()
    assert page.locator(".witness h3").all_inner_texts() == ["gray", "letter", "reader"]
    assert "1790" in page.locator(".witness .note").nth(1).inner_text()
    marked = page.locator(".witness .run.changed").all_text_contents()
    assert set(marked) & {"winds", "wind", "parting", "passing"}
    assert breaches(page) == []
    page.get_by_role("link", name="letter").click()
    page.wait_for_selector(".others h3")
    assert sorted(page.locator(".others h3").all_inner_texts()) == ["gray", "reader"]
    assert "the knell of" in page.locator(".traced .asked").inner_text()
    assert page.locator(".traced").inner_text() == REUSED[1].text
    assert breaches(page) == []
    page.go_back()
    page.wait_for_selector(".witness")


def test_a_document_of_a_match_shows_what_else_of_it_stands_elsewhere(page: "Page") -> None:
    page.locator("#index").select_option("songs")
    find(page, REUSED[0].text)
    page.get_by_role("link", name="gray").click()
    page.wait_for_selector(".others h3")
    assert sorted(page.locator(".others h3").all_inner_texts()) == ["letter", "reader"]
    page.locator(".others a").first.click()
    page.get_by_role("heading", name="letter", level=2).or_(
        page.get_by_role("heading", name="reader", level=2)
    ).wait_for()


def test_a_cluster_or_document_that_is_not_there_is_told(browser: "Browser", address: str) -> None:
    page = open_page(browser)
    for view, words in (("cluster&cluster=none", "no cluster is called"), ("document&document=none", "no document")):
        page.goto(f"{address}/#view={view}")
        page.reload()
        page.locator("#browse [role=alert]", has_text=words).wait_for()
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_keeps_wcag_aa(page: "Page", address: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    assert breaches(page) == []
    page.locator("#family").select_option("weighted")
    find(page, FERRY[5:95].replace("lanterns", "torches"))
    page.get_by_role("button", name="Side by side").click()
    page.wait_for_selector(".pair")
    assert breaches(page) == []
    find(page, f"Nobody had come yet. {FERRY} So it ended.", "trace")
    page.locator(".traced mark").first.click()
    assert breaches(page) == []
    for view, shown in (
        ("view=clusters&reuse=songs", "#browse .results li"),
        ("view=document&index=songs&document=gray&start=9&end=90", ".others h3"),
    ):
        page.goto(f"{address}/#{view}")
        page.wait_for_selector(shown)
        assert breaches(page) == []
    page.goto(f"{address}/#view=clusters&reuse=songs")
    page.get_by_role("link", name="3 documents, 3 passages").click()
    page.locator(".witness .run.changed").first.wait_for()
    assert breaches(page) == []


@pytest.mark.parametrize("width", [390, 800])
def test_no_view_is_wider_than_a_small_screen(page: "Page", address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for view in ("", "view=clusters", "view=document&index=songs&document=gray&start=5&end=60"):
        page.goto(f"{address}/#{view}")
        page.locator("#browse h2, #ask").first.wait_for(state="attached")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("view", ["constructor", "__proto__", "toString", "none", ""])
def test_an_address_with_a_view_or_a_choice_that_is_none_leads_to_the_box(
    page: "Page", address: str, view: str
) -> None:
    page.goto(f"{address}/#view=clusters&reuse=songs")
    page.wait_for_selector("#browse .results li")
    page.goto(f"{address}/#view={view}&job=constructor&index=__proto__&family=toString&threshold=x")
    page.wait_for_selector("#ask", state="visible")
    assert not page.locator("#browse").is_visible()
    find(page, FERRY)
    assert page.locator("#said").inner_text() == "1 passage in 1 document"


def test_a_view_that_answers_late_does_not_come_in_the_place_of_a_later_one(page: "Page", address: str) -> None:
    held: list[Route] = []
    page.route("**/v1/documents/**", lambda route: held.insert(0, route))
    with page.expect_request("**/v1/documents/**"):
        page.goto(f"{address}/#view=document&index=songs&document=gray&start=9&end=90")
    page.goto(f"{address}/#view=clusters&reuse=songs")
    page.wait_for_selector("#browse .results li")
    with page.expect_request("**/v1/indexes"):  # of the view that was left, once it has shown the text
        held[0].continue_()
    assert page.locator("#browse .traced").count() == 0
    assert page.locator("#browse .results li").count() == 1


def test_a_question_that_is_sent_before_the_indexes_are_known_is_asked_when_they_are(
    browser: "Browser", address: str
) -> None:
    opened = open_page(browser)
    held: list[Route] = []
    opened.route("**/v1/indexes", lambda route: held.insert(0, route))
    with opened.expect_request("**/v1/indexes"):
        opened.goto(address)
    opened.locator("#text").fill(FERRY)
    opened.locator("#job").select_option("trace")
    opened.get_by_role("button", name="Find", exact=True).click()
    held[0].continue_()
    opened.locator(".traced mark").first.wait_for()
    assert opened.locator("#text").input_value() == FERRY
    opened.context.close()


def test_a_document_is_looked_through_for_items_of_evals(browser: "Browser", serve: Serve) -> None:
    question = EVALS[0]["question"]
    served = serve(paths=[], evals=ibidem.EvalIndex(EVALS, DOCUMENTS))
    page = open_page(browser, viewport={"width": 1280, "height": 900})
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(str(served.base_url))
    page.wait_for_selector("#job option[value=contamination]", state="attached")
    assert page.locator("#job option").count() == 1
    assert not page.locator("#index").is_visible()
    assert page.locator("#least").inner_text() == "Least share of an item"
    words = question.split()
    text = f"A quiz. {' '.join([*words[:3], 'nice', *words[3:]])} Good luck."
    page.locator("#text").fill(text)
    page.get_by_role("button", name="Find").click()
    page.wait_for_selector(".results li.leak")
    assert page.locator("#said").inner_text() == "1 leak"
    assert page.locator(".results h2").inner_text() == "evals · 0 · question"
    assert page.locator(".traced mark").inner_text() in text
    assert breaches(page) == []
    page.get_by_role("button", name="Side by side").click()
    page.wait_for_selector(".pair")
    assert "nice" in page.locator(".side .run").all_text_contents()
    page.locator("#text").fill("Nothing of the kind is asked in this text.")
    page.get_by_role("button", name="Find").click()
    page.get_by_text("No leak.").wait_for()
    page.context.close()
    assert said == []
