"""What a browser shows of a report: every view, by eye and by axe, in light and dark, without a network."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ibidem.comparison.shares import WordCounts
from ibidem.web.page_files import read_page_file
from ibidem.web.report import (
    Findings,
    FoundCluster,
    FoundPair,
    FoundWitness,
    ReportOptions,
    SharedDocuments,
    Source,
    write_report,
)
from ibidem.web.report.marks import Mark

from ...browser import breaches, untranslated, wait_until
from ...browser import open_page as open_slowly_if_asked
from .samples import SOURCES, found_pairs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(path, Findings(list(found_pairs())), SOURCES, ReportOptions("What stands again"))
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


def test_the_list_has_every_pair_and_the_tabs_the_rest(open_page: Open, report: Path) -> None:
    page = open_page(report)
    assert page.title() == "Pairs – What stands again"
    assert page.locator("h1 bdi").inner_text() == "What stands again"
    assert page.locator(".tabs a").all_inner_texts() == ["Pairs", "Pictures", "How it was found"]
    assert page.locator("tbody tr").count() == 6
    page.get_by_role("link", name="Pictures").click()
    page.locator(".matrix .cell").first.wait_for()
    assert page.locator(".matrix .cell").count() == 12
    assert page.locator(".timeline .arc").count() == 3
    page.locator(".matrix .cell").first.click()
    page.locator(".pair").first.wait_for()


def test_the_slider_and_the_name_filter_at_once(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator("#filter-share").fill("0.9")
    left = page.locator("tbody tr").count()
    assert 0 < left < 6
    assert all(float(text) >= 0.9 for text in page.locator("td.likeness").all_text_contents())
    page.locator("#filter-share").fill("0")
    page.locator("#filter-words").fill("QUAY")
    assert page.locator("tbody tr").count() == 2
    page.locator("#filter-words").fill("no such name")
    assert "No pair is left" in page.locator("tbody").inner_text()


def test_the_table_is_sorted_by_any_column_both_ways(open_page: Open, report: Path) -> None:
    page = open_page(report)
    for down in (True, False):
        page.get_by_role("button", name="Similarity").click()
        values = [float(text) for text in page.locator("td.likeness").all_text_contents()]
        assert values == sorted(values, reverse=down)
    page.locator("th.first button").focus()
    for order in ("ascending", "descending"):
        page.keyboard.press("Enter")
        assert page.locator("th.first:has(button:focus)").get_attribute("aria-sort") == order


def test_a_pair_shows_what_was_copied_changed_and_moved(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator(f"a[href='{number_of(page, 'ferry', 'quay')}']").first.click()
    page.wait_for_selector(".pair")
    assert page.locator("h2").first.inner_text() == "ferry and quay"
    assert (
        marked(page, 0, "moved")
        == marked(page, 1, "moved")
        == ["The captain stood at the rail and called out the names"]
    )
    assert "harbour" in marked(page, 0, "changed")
    assert "quay" in marked(page, 1, "changed")
    assert "at last" in marked(page, 0, "alone")
    assert page.locator(".side").nth(0).locator(".locator").all_text_contents() == ["1:1", "1:2", "1:3"]
    assert "1:1 – 1:3 · lines 1 to 3" in page.locator(".side .place").nth(0).inner_text()
    assert page.locator(".side").nth(0).locator(".line").count() == 3
    assert page.locator(".dots line.moved").count() == 1
    assert "captain" in page.locator(".weights").first.inner_text() or page.locator(".weights li").count() > 3


def test_texts_that_share_single_words_have_nothing_marked_as_changed(open_page: Open, tmp_path: Path) -> None:
    """Two answers to one question are not copies of each other because both have the same small words."""
    texts = {
        "a": Source("Der Krieg begann im Sommer und viele Menschen flohen aus der Stadt in die Berge."),
        "b": Source("Im Winter kam der Hunger, und niemand wusste, wann die Hilfe aus dem Norden eintraf."),
    }
    ends = [len(texts[name].text or "") for name in "ab"]
    write_report(tmp_path / "two.html", Findings([FoundPair("a", 0, ends[0], "b", 0, ends[1], 0.3)]), texts)
    page = open_page(tmp_path / "two.html", "#pair=0")
    page.locator(".pane").nth(1).wait_for()
    assert marked(page, 0, "changed") == marked(page, 1, "changed") == []
    assert page.locator(".legend").count() == 0


def test_marks_differ_by_more_than_colour(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator(f"a[href='{number_of(page, 'ferry', 'quay')}']").first.click()
    page.locator(".legend").wait_for()
    looks = page.locator(".legend .run").evaluate_all(
        "all => all.map(each => { const style = getComputedStyle(each);"
        " return [style.textDecorationLine, style.textDecorationStyle].join(' ') })"
    )
    assert len(set(looks)) == len(looks) == 4


def test_keys_walk_through_the_pairs_and_back(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator("tbody a").first.click()
    headings = []
    for key in ("j", "k"):
        page.locator(".sides").first.wait_for()
        headings.append(page.locator("h2").first.inner_text())
        page.keyboard.press(key)
        page.wait_for_function("said => document.querySelector('h2').innerText !== said", arg=headings[-1])
    assert page.locator("h2").first.inner_text() == headings[0]
    page.keyboard.press("Escape")
    page.wait_for_selector("tbody tr")
    assert page.evaluate("document.activeElement.tagName") == "H1"


def test_a_word_that_is_clicked_shows_its_counterpart(open_page: Open, report: Path) -> None:
    page = open_page(report, "#pair=0")
    page.locator(".side").nth(0).locator("[data-run]").last.click()
    assert page.locator(".side").nth(1).locator(".chosen").count() == 1
    page.get_by_text("More", exact=True).click()
    page.locator(".dots").click()
    assert page.locator(".chosen").count() == 2


def test_scrolling_one_passage_scrolls_the_other(open_page: Open, tmp_path: Path) -> None:
    words = " ".join(f"word{number}" for number in range(3000))
    texts = {"a": Source(words), "b": Source(f"{words[:9000]} {'inserted ' * 800} {words[9000:]}")}
    pair = FoundPair("a", 0, len(words), "b", 0, len(texts["b"].text or ""), 0.7)
    write_report(tmp_path / "long.html", Findings([pair]), texts)
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
    write_report(tmp_path / "long.html", Findings([pair]), texts)
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
    assert page.locator("main img, main script, h2 b, bdi b").count() == 0
    assert "stolen" not in page.title()
    # Positions count code points; the signs before them take two units each in a browser.
    assert all("words that stand again" in " ".join(marked(page, side, "equal")) for side in (0, 1))


def test_a_report_without_texts_says_so(open_page: Open, tmp_path: Path) -> None:
    options = ReportOptions(texts=False, anonymous=True)
    write_report(tmp_path / "bare.html", Findings(list(found_pairs())), SOURCES, options)
    page = open_page(tmp_path / "bare.html", "#pair=0")
    assert "The text is not included" in page.locator(".side .note").first.inner_text()
    assert page.locator(".pane, .legend").count() == 0  # no empty boxes
    assert breaches(page) == []
    assert page.locator("h2").first.inner_text() == "Document 1 and Document 2"
    notes = page.locator("main > .note").all_inner_texts()
    assert notes == ["Documents have numbers in the place of names.", "The texts of the passages are not included."]


def test_a_pair_whose_texts_are_not_known_has_neither_an_empty_picture_nor_reasons(
    open_page: Open, tmp_path: Path
) -> None:
    write_report(tmp_path / "unknown.html", Findings([FoundPair("a", 0, 60, "b", 9, 70, 1.0)]), {})
    page = open_page(tmp_path / "unknown.html", "#pair=0")
    assert page.locator(".side .note").all_inner_texts() == [
        "The text is not included (60 characters).",
        "The text is not included (61 characters).",
    ]
    assert page.locator(".dots, .pair details, .pane").count() == 0
    assert breaches(page) == []


LEFT_OUT = [
    {"reason": "frequent", "a": "ferry", "b": name, "a_start": 4, "a_text": "a notice that all have"}
    for name in ("quay", "again", "script")
] + [{"reason": "chance", "a": "ferry", "b": "quay", "a_start": 9, "a_text": "some words"}]


def test_every_report_says_what_it_rests_on(open_page: Open, tmp_path: Path) -> None:
    findings = Findings(list(found_pairs()), omitted=1, set_aside={"frequent": 3, "chance": 1}, left_out=LEFT_OUT)
    settings = {"threshold": 0.4, "within": False}
    findings = findings._replace(settings=settings, not_read=[("old.doc", "the file is empty")])
    write_report(tmp_path / "report.html", findings, SOURCES)
    for address in ("", "#pair=0", "#part=leftout"):
        page = open_page(tmp_path / "report.html", address)
        said = page.locator(".basis").inner_text()
        for words in ("What the numbers do not say", "1 file was not read", "old.doc: the file is empty", "0.4"):
            assert words in said
    assert page.locator("main > .note").all_inner_texts() == ["1 more pair of passages had no room in this file."]
    rows = page.locator("tbody tr").all_inner_texts()
    assert ["a group of 4 documents" in row for row in rows] == [True, False]  # and no partner of anyone
    assert "quay" not in rows[0]
    assert page.locator("footer").inner_text().startswith("Made by ibidem")


_BRACKET = """
function bracket(words) {
  return words.split(/(\\{\\w+\\})/).map((part, at) => (at % 2 ? part : `⟦${part}⟧`)).join("");
}
"""


def bracket_words(name: str) -> bytes:
    """A module of the page; brackets are around all words that it has."""
    source = read_page_file(name).decode()
    if name == "words.js":
        plain = "return many === undefined || values.n === 1 ? one : many;"
        assert source.count(plain) == 1
        bracketed = plain.replace("return ", "return bracket(").replace(";", ");")
        source = source.replace(plain, bracketed) + _BRACKET
    return source.encode()


DATA = "bdi, [dir=auto], .words, .weights, .locator, noscript, script, svg text, svg title, dd"
"""The elements that show texts, names, labels and values."""


def test_every_word_of_every_view_is_there_in_german(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ibidem.web.report.html.read_page_file", bracket_words)
    shared = [SharedDocuments("ferry", "quay", 1, (WordCounts(40, 20, 10, 4, 2, 3), WordCounts(38, 20, 10, 3, 1)))]
    witnesses = [FoundWitness(name, 0, 150, date=SOURCES[name].date, source="ferry") for name in ("ferry", "quay")]
    clusters = [FoundCluster("c", 0.62, witnesses), FoundCluster("d", 0.9, witnesses, boilerplate="frequent")]
    pairs = [each._replace(label="leak") if at == 1 else each for at, each in enumerate(found_pairs())]
    findings = Findings(pairs, clusters, (), omitted=3, set_aside={"frequent": 3, "chance": 1}, left_out=LEFT_OUT)
    findings = findings._replace(settings={"threshold": 0.4}, not_read=[("a.doc", "the file is empty")])
    options = ReportOptions(None, language="de")
    made = {
        "found": (findings, replace(options, marks=[Mark("ferry", "quay", "quotation", "note")])),
        "counted": (findings._replace(document_pairs=shared), options),
        "bare": (findings, replace(options, texts=False, anonymous=True)),
    }
    unsaid = {}
    for name, (found, chosen) in made.items():
        path = tmp_path / f"{name}.html"
        write_report(path, found, SOURCES, chosen)
        for address in ("", "#part=pictures", "#part=clusters", "#part=leftout", "#pair=0"):
            page = open_page(path, address)
            page.locator(".basis, .clusters, .pictures").first.wait_for()
            page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
            assert page.locator("html").get_attribute("lang") == "de"
            assert "⟦" in page.locator("main").inner_text()
            unsaid[f"{name} {address}"] = untranslated(
                page, DATA, ["a.doc", "ibidem", "die Datei ist leer", "note", "Escape", *SOURCES, "<b>markup</b>"]
            )
    assert not any(unsaid.values()), "\n".join(f"{at}: {said!r}" for at, said in unsaid.items() if said)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_of_pairs_fits_on_a_phone(open_page: Open, tmp_path: Path, language: Any) -> None:
    """Without scrolling sideways, with names that have no place to break."""
    pairs = [FoundPair("a" * 60 + ".txt", 0, 40, "letters to a friend", 0, 40, 0.9)]
    write_report(tmp_path / "report.html", Findings(pairs), {}, ReportOptions(language=language))
    page = open_page(tmp_path / "report.html", viewport={"width": 390, "height": 844})
    scroller = page.locator(".scroller")
    assert scroller.evaluate("box => box.scrollWidth <= box.clientWidth")
    heights = page.locator("th button:visible").evaluate_all("all => all.map(each => each.offsetHeight)")
    assert max(heights) < 50  # no heading is cut into letters


ADDRESSES = ("", "#part=pictures", "#part=leftout", *(f"#pair={at}" for at in range(6)))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_keeps_wcag_aa(open_page: Open, report: Path, scheme: str) -> None:
    page = open_page(report, color_scheme=scheme)
    for address in ADDRESSES:
        page.evaluate("address => { location.hash = address }", address)
        page.locator(".basis, .pictures").first.wait_for()
        page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
        assert breaches(page) == []


@pytest.mark.parametrize("width", [390, 800])
def test_nothing_is_wider_than_a_small_screen(open_page: Open, report: Path, width: int) -> None:
    for address in ("", "#part=pictures", "#pair=0"):
        page = open_page(report, address, viewport={"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_print_shows_whole_passages_and_no_controls(open_page: Open, report: Path) -> None:
    page = open_page(report, "#pair=0")
    page.emulate_media(media="print")
    assert not page.locator(".steps").is_visible()
    assert page.locator(".basis").is_visible()
    assert page.locator(".pane").first.evaluate("pane => pane.scrollHeight <= pane.clientHeight + 1")


def test_clusters_that_were_found_have_a_column_for_each_witness(open_page: Open, tmp_path: Path) -> None:
    names = ("ferry", "quay", "again")
    witnesses = [FoundWitness(name, 0, 150, date=SOURCES[name].date) for name in names]
    clusters = [FoundCluster("c", 0.62, witnesses), FoundCluster("d", 0.9, witnesses[:2])]
    write_report(tmp_path / "report.html", Findings(list(found_pairs()), clusters), SOURCES)
    page = open_page(tmp_path / "report.html", "#part=clusters")
    assert page.locator(".clusters details").count() == 2
    first = page.locator(".clusters details").first
    assert first.locator(".title").inner_text().startswith("When the ferry came in at last")
    first.locator("summary").click()
    first.locator(".witness").nth(2).wait_for()
    assert first.locator(".witness h3").all_inner_texts() == ["ferry", "quay", "again"]
    assert "1911" in first.locator("tbody tr").nth(1).inner_text()
    assert first.locator(".witness").nth(2).locator(".run.changed").all_text_contents() == ["torches"]
    assert breaches(page) == []
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_ten_thousand_pairs_open(open_page: Open, tmp_path: Path) -> None:
    texts = tuple(" ".join(f"word{number % 97}" for number in range(start, start + 60)) for start in (0, 3))
    pairs = [
        FoundPair(
            f"doc{at % 500}", at, at + len(texts[0]), f"other{at}", 0, len(texts[1]), (at % 100) / 100, passages=texts
        )
        for at in range(10_000)
    ]
    assert write_report(tmp_path / "many.html", Findings(pairs), {}).pairs == 10_000
    page = open_page(tmp_path / "many.html")
    assert page.locator(".counts").first.inner_text() == "10,000 pairs of documents share passages."
    assert page.locator("tbody tr").count() == 100
    page.get_by_role("button", name="Next page").click()
    assert "2 / 100" in page.locator(".pages").inner_text()


def test_pairs_of_documents_say_how_many_words_they_share(tmp_path: Path, open_page: Open) -> None:
    strong = SharedDocuments("ferry", "quay", 1, (WordCounts(34, 20, 4, 2, 2, 3), WordCounts(33, 20, 4, 1, 1)))
    weak = SharedDocuments("ferry", "again", 1, (WordCounts(34, 0, 0, 3, 2), WordCounts(34, 0, 0, 3, 1)))
    path = tmp_path / "shares.html"
    write_report(path, Findings(list(found_pairs()), document_pairs=[weak, strong]), SOURCES)
    page = open_page(path)
    rows = [" ".join(row.split()) for row in page.locator("tbody tr").all_inner_texts()]
    assert rows[0].startswith("ferry quay 71 % · 73 %")
    assert rows[1].startswith("Outside of quotation marks, the pairs below this line share no five words in a row")
    assert rows[2].startswith("ferry again 0 % · 0 %")
    assert page.locator(".counts").first.inner_text() == "1 pair of documents shares passages."
    assert breaches(page) == []
    page.get_by_role("link", name="ferry").first.click()
    page.locator(".shares").wait_for()
    assert page.locator(".shares li").first.inner_text() == (
        "ferry: 24 of 34 words (71 %) are in quay, too, in runs of five or more; 2 more changed, or in shorter runs; "
        "3 more in quotation marks."
    )
