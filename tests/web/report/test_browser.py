"""What a browser shows of a report: every view, by eye and by axe, in light and dark, without a network."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ibidem.comparison.shares import WordCounts
from ibidem.web.report import FoundCluster, FoundPair, FoundWitness, ReportOptions, Source, write_report
from ibidem.web.report.html import page_file
from ibidem.web.report.marks import PairMark
from ibidem.web.report.shares import SharedDocuments

from ...browser import breaches, chromium, untranslated, wait_until
from ...browser import open_page as open_slowly_if_asked
from .samples import SOURCES, found_pairs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as launched:
        yield launched


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(path, list(found_pairs()), SOURCES, ReportOptions("What stands again"))
    return path


@pytest.fixture
def open_page(browser: "Browser") -> Iterator[Open]:
    """Opens a file with the network off; an error on the page, or a request for anything else, fails the test."""
    contexts: list[Any] = []
    said: list[str] = []
    asked: list[str] = []

    def opening(path: Path, address: str = "", **options: Any) -> "Page":
        page = open_slowly_if_asked(browser, **{"offline": True, "viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(page.context)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{path.as_uri()}{address}")
        return page

    yield opening
    for context in contexts:
        context.close()
    assert said == []
    assert all(url.startswith(("file:", "data:")) for url in asked)
    assert len([url for url in asked if url.startswith("file:")]) == len(contexts)


ALIGNED = """() => {
  const [first, second] = document.querySelectorAll('.pane');
  const top = (element) => element.getBoundingClientRect().top;
  const isInView = (element) => element.getBoundingClientRect().bottom > top(first);
  const piece = [...first.querySelectorAll('.run.equal')].find(isInView);
  const pieces = (pane) => [...pane.querySelectorAll(`[data-run="${piece.dataset.run}"]`)];
  return second.scrollTop > 1000 && Math.abs(top(piece) - top(pieces(second)[pieces(first).indexOf(piece)])) < 2;
}"""
"""Whether the first words in view of the one passage are beside those of the other."""


def number_of(page: "Page", a: str, b: str) -> str:
    """The address of the pair of two documents."""
    row = page.locator("tbody tr", has=page.get_by_text(a, exact=True)).filter(has=page.get_by_text(b, exact=True))
    return str(row.locator("a").first.get_attribute("href"))


def marked(page: "Page", side: int, kind: str) -> list[str]:
    return page.locator(".side").nth(side).locator(f".run.{kind}").all_text_contents()


def test_the_overview_has_the_numbers_the_pictures_and_the_table(open_page: Open, report: Path) -> None:
    page = open_page(report)
    assert page.title() == "What stands again"
    assert page.locator(".counts").inner_text() == "6 pairs of passages in 9 documents"
    assert page.locator("tbody tr").count() == 6
    assert page.locator(".histogram .bar:not([height='0'])").count() > 1
    assert page.locator(".matrix .cell").count() == 12
    assert page.locator(".timeline .arc").count() == 3
    assert page.locator(".timeline .date").count() == 3
    assert page.locator(".clusters details").count() == 1


def test_the_slider_filters_at_once_and_stands_in_the_address(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator("#threshold").fill("0.9")
    left = page.locator("tbody tr").count()
    assert 0 < left < 6
    assert all(float(text) >= 0.9 for text in page.locator("td.similarity a").all_text_contents())
    page.wait_for_url("**#*threshold=0.9*")
    again = open_page(report, page.url.removeprefix(report.as_uri()))
    assert again.locator("tbody tr").count() == left
    page.locator("#threshold").fill("1")
    page.locator("#words").fill("no such name")
    assert "No pair is left" in page.locator("tbody").inner_text()


def test_a_bar_of_the_histogram_sets_the_threshold(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator(".histogram .bin").nth(19).click()
    assert page.locator("output").inner_text() == "0.95"


def test_the_table_is_sorted_by_any_column_both_ways(open_page: Open, report: Path) -> None:
    page = open_page(report)
    for down in (True, False):
        page.get_by_role("button", name="Similarity").click()
        values = [float(text) for text in page.locator("td.similarity a").all_text_contents()]
        assert values == sorted(values, reverse=down)
    page.get_by_role("button", name="First document").click()
    assert page.locator("th.a").get_attribute("aria-sort") == "ascending"


def test_documents_are_found_by_name(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator("#words").fill("QUAY")
    assert page.locator("tbody tr").count() == 2


def test_a_pair_shows_what_was_copied_changed_and_moved(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator(f"a[href='{number_of(page, 'ferry', 'quay')}']").first.click()
    page.wait_for_selector(".pair")
    assert page.locator("h2").inner_text() == "ferry and quay"
    assert (
        marked(page, 0, "moved")
        == marked(page, 1, "moved")
        == ["The captain stood at the rail and called out the names"]
    )
    assert "harbour" in marked(page, 0, "changed")
    assert "quay" in marked(page, 1, "changed")
    assert "at last" in marked(page, 0, "dropped")
    assert page.locator(".side").nth(0).locator(".locator").all_text_contents() == ["1:1", "1:2", "1:3"]
    assert "1:1 – 1:3 · lines 1 to 3" in page.locator(".side .place").nth(0).inner_text()
    assert "of it stands" not in page.locator(".side").nth(0).inner_text()  # no share of a union of passages
    assert page.locator(".side").nth(0).locator(".line").count() == 3
    assert page.locator(".dots line.moved").count() == 1
    assert "captain" in page.locator(".weights").first.inner_text() or page.locator(".weights li").count() > 3


def test_marks_differ_by_more_than_colour(open_page: Open, report: Path) -> None:
    page = open_page(report, "#pair=0")
    looks = page.locator(".legend .run").evaluate_all(
        "all => all.map(each => { const style = getComputedStyle(each);"
        " return [style.textDecorationLine, style.textDecorationStyle].join(' ') })"
    )
    assert len(set(looks[:3])) == 3
    assert looks[3] not in looks[:3]


def test_keys_walk_through_the_pairs_and_back(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator("#threshold").fill("0.3")
    page.locator("tbody a").first.click()
    page.get_by_text("1 of 6", exact=True).wait_for()
    page.keyboard.press("j")
    page.get_by_text("2 of 6", exact=True).wait_for()
    page.keyboard.press("k")
    page.get_by_text("1 of 6", exact=True).wait_for()
    page.keyboard.press("Escape")
    page.wait_for_selector("tbody tr")
    assert page.locator("tbody tr").count() == 6
    assert page.locator("output").inner_text() == "0.30"
    assert page.locator("tbody a:focus").get_attribute("href") == page.locator("tbody a").first.get_attribute("href")
    page.locator("th.b button").focus()
    for order in ("ascending", "descending"):
        page.keyboard.press("Enter")
        assert page.locator("th.b:has(button:focus)").get_attribute("aria-sort") == order


def test_a_word_that_is_clicked_shows_its_counterpart(open_page: Open, report: Path) -> None:
    page = open_page(report, "#pair=0")
    page.locator(".side").nth(0).locator("[data-run]").last.click()
    assert page.locator(".side").nth(1).locator(".chosen").count() == 1
    page.locator(".dots").click()
    assert page.locator(".chosen").count() == 2


def test_scrolling_one_passage_scrolls_the_other(open_page: Open, tmp_path: Path) -> None:
    words = " ".join(f"word{number}" for number in range(3000))
    texts = {"a": Source(words), "b": Source(f"{words[:9000]} {'inserted ' * 800} {words[9000:]}")}
    pair = FoundPair("a", 0, len(words), "b", 0, len(texts["b"].text or ""), 0.7)
    write_report(tmp_path / "long.html", [pair], texts)
    page = open_page(tmp_path / "long.html", "#pair=0")
    panes = page.locator(".pane")
    # The other pane has followed when the frame after the next is drawn.
    frame = "() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
    panes.nth(0).evaluate("pane => { pane.scrollTop = pane.scrollHeight / 2 }")
    page.evaluate(frame)
    assert panes.nth(1).evaluate("pane => pane.scrollTop") > 0
    tops = "panes => panes.map(pane => [...pane.querySelectorAll('.run.equal')].pop().getBoundingClientRect().top)"
    first, second = panes.evaluate_all(tops)
    assert abs(first - second) < 2


def test_a_long_passage_is_laid_out_in_parts_that_hold_all_of_it(open_page: Open, tmp_path: Path) -> None:
    """As one paragraph, two passages of 200,000 letters from right to left take a browser seconds."""
    words = [f"كلمة{number}" for number in range(8000)]
    words[500] = "مكتبة"
    changed = [*words[:4000], "جديد", *words[4001:7000], "\U0001f4da", *words[7000:]]
    texts = {"a": Source(" ".join(words)), "b": Source("\n".join(changed))}
    pair = FoundPair("a", 0, len(texts["a"].text or ""), "b", 0, len(texts["b"].text or ""), 0.9)
    write_report(tmp_path / "long.html", [pair], texts)
    page = open_page(tmp_path / "long.html", "#pair=0")
    for name, pane in zip("ab", page.locator(".pane").all(), strict=True):
        parts = pane.locator(".part").all_text_contents()
        assert "".join(parts) == texts[name].text
        assert max(map(len, parts)) < 8200
        assert not any(part.startswith(tuple(" \n")) for part in parts)
    page.locator(".side").nth(1).locator(".run.changed").scroll_into_view_if_needed()
    page.locator(".side").nth(1).locator(".run.changed").click()
    other = page.locator(".side").nth(0).locator(".run.changed")
    assert "chosen" in str(other.get_attribute("class"))
    assert other.evaluate("run => getComputedStyle(run).direction") == "rtl"
    assert breaches(page) == []
    panes = page.locator(".pane")
    panes.nth(0).evaluate("pane => { pane.scrollTop = pane.scrollHeight / 3 }")
    wait_until(page, ALIGNED)
    page.emulate_media(media="print")
    assert panes.first.evaluate("pane => pane.scrollHeight <= pane.clientHeight + 1")


def test_scripts_of_any_direction_and_combining_signs_are_shown(open_page: Open, report: Path) -> None:
    page = open_page(report)
    addresses = [number_of(page, "حكاية أولى", "حكاية ثانية"), number_of(page, "論語 甲", "論語 乙")]
    page.goto(report.as_uri() + addresses[0])
    page.get_by_role("heading", name="حكاية أولى and").wait_for()
    assert page.locator(".words").first.evaluate("words => getComputedStyle(words).direction") == "rtl"
    assert marked(page, 0, "changed") == ["ثلاثة"]
    assert marked(page, 1, "changed") == ["سبعة"]
    page.goto(report.as_uri() + addresses[1])
    page.get_by_role("heading", name="論語 甲 and").wait_for()
    assert marked(page, 1, "changed") == ["識"]
    assert marked(page, 0, "moved") == marked(page, 1, "moved")


def test_a_text_that_is_a_script_is_shown_as_one(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator(f"a[href='{number_of(page, '<b>markup</b>', 'script')}']").first.click()
    page.wait_for_selector(".pair")
    assert "<script>document.title='stolen'</script><img src=x" in page.locator(".side .words").first.inner_text()
    assert page.locator("main img, main script, h2 b").count() == 0
    assert "stolen" not in page.title()
    # Positions count code points; the signs before them take two units each in a browser.
    assert all("words that stand again" in " ".join(marked(page, side, "equal")) for side in (0, 1))


def test_a_report_without_texts_says_so(open_page: Open, tmp_path: Path) -> None:
    write_report(tmp_path / "bare.html", list(found_pairs()), SOURCES, ReportOptions(texts=False, anonymous=True))
    page = open_page(tmp_path / "bare.html", "#pair=0")
    assert "The text was left out" in page.locator(".side .note").first.inner_text()
    assert page.locator(".pane, .legend").count() == 0  # no empty boxes
    assert breaches(page) == []
    assert page.locator("h2").inner_text() == "Document 1 and Document 2"
    assert page.locator(".dots line").count() > 0


def test_a_pair_whose_texts_are_not_known_has_neither_an_empty_picture_nor_reasons(
    open_page: Open, tmp_path: Path
) -> None:
    write_report(tmp_path / "unknown.html", [FoundPair("a", 0, 60, "b", 9, 70, 1.0)], {}, ReportOptions())
    page = open_page(tmp_path / "unknown.html", "#pair=0")
    assert page.locator(".side .note").all_inner_texts() == [
        "The text was left out (60 characters).",
        "The text was left out (61 characters).",
    ]
    assert page.locator(".dots, .pair details, .pane").count() == 0
    assert "Dot plot" not in page.locator("main").inner_text()
    assert breaches(page) == []


def test_notes_say_what_is_not_in_the_report(open_page: Open, tmp_path: Path) -> None:
    options = ReportOptions(rest="found.reuse", left_out=1, set_aside={"frequent": 1_200, "trivial": 1})
    write_report(tmp_path / "report.html", list(found_pairs()), SOURCES, options)
    page = open_page(tmp_path / "report.html")
    assert page.locator("header .note").all_inner_texts() == [
        "1 more is in found.reuse: the most important are shown here.",
        "1,201 pairs are left out (1,200 frequent, 1 trivial): see left_out in found.reuse.",
    ]
    assert page.locator("h1").inner_text() == "Matching passages"
    assert page.locator("footer").inner_text().startswith("Made by ibidem")


DATA = "bdi, [dir=auto], .words, .witness li, .weights, .locator, noscript, script, svg text, svg title"
"""The elements that show texts, names and labels of documents."""


def bracket_phrases(name: str) -> str:
    """A module of the report; brackets are around all that ``phrases.js`` has, and around MISSING what it lacks."""
    source = page_file(name)
    if name != "phrases.js":
        return source
    plain = "PHRASES[language]?.[words] ?? words"
    assert source.count(plain) == 1
    bracketed = f"({plain.replace('?? words', '?? `MISSING ${words}`')})"
    return source.replace(plain, f'{bracketed}.split("|").map((part) => `⟦${{part}}⟧`).join("|")')


def test_every_word_of_every_view_is_there_in_german(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ibidem.web.report.html.page_file", bracket_phrases)
    shared = [SharedDocuments("ferry", "quay", 1, (WordCounts(40, 20, 10, 4, 2), WordCounts(38, 20, 10, 3, 1)))]
    witnesses = [FoundWitness(name, 0, 150, date=SOURCES[name].date, source="ferry") for name in ("ferry", "quay")]
    clusters = [FoundCluster("c", 0.62, witnesses), FoundCluster("d", 0.9, witnesses, boilerplate="frequent")]
    aside = dict.fromkeys(["frequent", "ignored", "series", "trivial", "crowded", "chance"], 2)
    options = ReportOptions(None, left_out=3, set_aside=aside, language="de", rest="the file of results")
    pairs = [each._replace(label="summary") if at == 1 else each for at, each in enumerate(found_pairs())]
    marks = [PairMark("ferry", "quay", mark, "note") for mark in ("quotation",)]
    made = {
        "whole": (clusters, replace(options, marks=marks)),
        "no-clusters": ([], options),
        "bare": (clusters, replace(options, texts=False, anonymous=True)),
    }
    unsaid = {}
    for name, (found, chosen) in made.items():
        path = tmp_path / f"{name}.html"
        write_report(path, pairs, SOURCES, chosen, clusters=found, document_pairs=shared)
        for address in ("", "#words=no such name", "#pair=0", "#pair=1"):
            page = open_page(path, address)
            page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
            assert page.locator("html").get_attribute("lang") == "de"
            assert "MISSING" not in page.locator("body").inner_text()
            assert "⟦" in page.locator("main").inner_text()
            unsaid[f"{name} {address}"] = untranslated(page, DATA)
    assert not any(unsaid.values()), "\n".join(f"{at}: {said!r}" for at, said in unsaid.items() if said)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_of_pairs_fits_on_a_phone(open_page: Open, tmp_path: Path, language: Any) -> None:
    """Without scrolling sideways, with names that have no place to break."""
    pairs = [FoundPair("a" * 60 + ".txt", 0, 40, "letters to a friend", 0, 40, 0.9)]
    options = ReportOptions(language=language)
    write_report(tmp_path / "report.html", pairs, {}, options)
    page = open_page(tmp_path / "report.html", viewport={"width": 390, "height": 844})
    scroller = page.locator(".scroller")
    assert scroller.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert page.locator(".scroller td:visible").count() == 3
    heights = page.locator("th button:visible").evaluate_all("all => all.map(each => each.offsetHeight)")
    assert max(heights) < 50  # no heading is cut into letters


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_keeps_wcag_aa(open_page: Open, report: Path, scheme: str) -> None:
    for address in ("", "#threshold=1", *(f"#pair={at}" for at in range(6))):
        page = open_page(report, address, color_scheme=scheme)
        page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
        assert breaches(page) == []


@pytest.mark.parametrize("width", [390, 800])
def test_nothing_is_wider_than_a_small_screen(open_page: Open, report: Path, width: int) -> None:
    for address in ("", "#pair=0"):
        page = open_page(report, address, viewport={"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_print_shows_whole_passages_and_no_controls(open_page: Open, report: Path) -> None:
    page = open_page(report, "#pair=0")
    page.emulate_media(media="print")
    assert not page.locator(".steps").is_visible()
    assert page.locator(".pane").first.evaluate("pane => pane.scrollHeight <= pane.clientHeight + 1")


def test_clusters_that_were_found_have_a_column_for_each_witness(open_page: Open, tmp_path: Path) -> None:
    names = ("ferry", "quay", "again")
    witnesses = [FoundWitness(name, 0, 150, date=SOURCES[name].date) for name in names]
    clusters = [FoundCluster("c", 0.62, witnesses), FoundCluster("d", 0.9, witnesses[:2])]
    write_report(tmp_path / "report.html", list(found_pairs()), SOURCES, clusters=clusters)
    page = open_page(tmp_path / "report.html")
    assert page.locator(".clusters details").count() == 2
    first = page.locator(".clusters details").first
    words = " ".join((SOURCES["ferry"].text or "").split())[:60]
    assert first.locator("summary").inner_text().startswith(f"1. 3 documents, 3 passages, weakest link 0.620: {words}")
    assert first.locator(".witness h3").all_inner_texts() == ["ferry", "quay", "again"]
    assert "1911" in first.locator(".witness .note").nth(1).inner_text()
    assert first.locator(".witness").nth(2).locator(".run.changed").all_text_contents() == ["torches"]
    page.locator(".clusters summary").nth(1).click()
    shown = page.locator(".clusters details").nth(1).locator(".witness .words")
    shown.nth(1).wait_for()
    assert shown.count() == 2
    assert breaches(page) == []
    page.locator("#threshold").fill("0.7")
    assert page.locator(".clusters details").count() == 1
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_clusters_without_texts_are_told_by_the_place_of_a_passage(open_page: Open, tmp_path: Path) -> None:
    """Names of files do not: two clusters are often in the same files."""
    clusters = [
        FoundCluster(
            f"c{start}", 0.9, [FoundWitness("ferry", start, start + 80), FoundWitness("quay", start, start + 80)]
        )
        for start in (0, 90)
    ]
    for anonymous, name in ((False, "ferry"), (True, "Document 1")):
        options = ReportOptions(texts=False, anonymous=anonymous)
        write_report(tmp_path / f"{anonymous}.html", list(found_pairs()), SOURCES, options, clusters=clusters)
        titles = open_page(tmp_path / f"{anonymous}.html").locator(".clusters .title").all_inner_texts()
        assert all(title.startswith(f"{name} · ") for title in titles), titles
        assert [title.rpartition(" · ")[2] for title in titles] == ["characters 0 to 80", "characters 90 to 170"]


def test_a_phone_shows_the_first_of_many_pairs(open_page: Open, tmp_path: Path) -> None:
    names = [f"document {number}" for number in range(60)]
    pairs = [FoundPair(a, 0, 40, b, 0, 40, 0.9) for a in names[:30] for b in names[30:]]
    counts = WordCounts(*(10 for _ in WordCounts._fields))
    shared = [SharedDocuments(a, b, 1, (counts, counts)) for a in names[:30] for b in names[30:]]
    sources = {name: Source("the same words in each of them " * 3) for name in names}
    write_report(tmp_path / "report.html", pairs, sources, document_pairs=shared)
    page = open_page(tmp_path / "report.html", viewport={"width": 390, "height": 844})
    page.get_by_text("page 1 of 45").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") < 6000


def test_ten_thousand_pairs_open(open_page: Open, tmp_path: Path) -> None:
    texts = tuple(" ".join(f"word{number % 97}" for number in range(start, start + 60)) for start in (0, 3))
    pairs = [
        FoundPair(
            f"doc{at % 500}", at, at + len(texts[0]), f"other{at}", 0, len(texts[1]), (at % 100) / 100, passages=texts
        )
        for at in range(10_000)
    ]
    written = write_report(tmp_path / "many.html", pairs, {})
    assert written.pairs == 10_000
    page = open_page(tmp_path / "many.html")
    assert page.locator(".counts").inner_text().startswith("10,000 pairs of passages in 10,500 documents")
    assert page.locator("tbody tr").count() == 100
    page.get_by_role("button", name="Next page").click()
    assert "page 2 of 100" in page.locator(".pages").inner_text()


def test_pairs_of_documents_say_how_many_words_they_share(tmp_path: Path, open_page: Open) -> None:
    shared = SharedDocuments("ferry", "quay", 1, (WordCounts(40, 20, 10, 4, 2), WordCounts(38, 20, 10, 1, 1)))
    path = tmp_path / "shares.html"
    write_report(path, list(found_pairs()), SOURCES, document_pairs=[shared])
    page = open_page(path)
    rows = [" ".join(row.split()) for row in page.locator(".shares tbody tr").all_inner_texts()]
    assert rows == [
        "ferry 75 % 85 % 30 of 40 words are word for word those of quay, 4 more are changed",
        "quay 79 % 82 % 30 of 38 words are word for word those of ferry, 1 more is changed",
    ]
    assert breaches(page) == []
    page.locator(f"a[href='{number_of(page, 'ferry', 'quay')}']").first.click()
    page.wait_for_selector(".pair")
    said = page.locator(".side .counted").all_inner_texts()
    assert said[0] == "Of the whole document, 30 of 40 words are word for word those of quay, 4 more are changed"
    assert "30 of 38 words" in said[1]
