"""The file of a report: what is in it, what is not, and how large it is."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ibidem.comparison import Comparison
from ibidem.web.page_files import read_page_file
from ibidem.web.report import Findings, FoundCluster, FoundPair, FoundWitness, ReportOptions, Source, write_report
from ibidem.web.report.html import MODULES

from .samples import FERRY, SOURCES, found_pairs


def held(page: str, name: str) -> str:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return found[1]


def report_of(page: str) -> Any:
    return json.loads(held(page, "report"))


def notes_of(page: str) -> Any:
    return report_of(page)["notes"]


def comparisons_of(page: str) -> list[Comparison]:
    return [msgspec.json.decode(line, type=Comparison) for line in held(page, "comparisons").splitlines()]


def test_a_report_says_what_was_left_out_why_and_by_which_settings(tmp_path: Path) -> None:
    row = {"reason": "series", "a": "ferry", "b": "quay", "a_start": 3, "a_text": "1 2 3"}
    findings = Findings(list(found_pairs()), set_aside={"series": 1, "frequent": 1_200}, left_out=[row])
    findings = findings._replace(settings={"threshold": 0.5}, not_read=[("a.doc", "an old Office file")])
    write_report(tmp_path / "report.html", findings, SOURCES)
    report = report_of((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert report["setAside"] == {"frequent": 1_200, "series": 1}
    assert report["leftOut"] == [row]
    assert (report["settings"], report["notRead"]) == ({"threshold": 0.5}, [["a.doc", "an old Office file"]])
    assert report["notes"] == []


def test_a_report_holds_every_pair_and_its_comparison(tmp_path: Path) -> None:
    pairs = list(found_pairs())
    written = write_report(tmp_path / "report.html", Findings(pairs), SOURCES)
    page = (tmp_path / "report.html").read_text("utf-8")
    report = report_of(page)
    assert written.pairs == len(pairs) == len(report["columns"]["a"]) == len(comparisons_of(page))
    assert written.left_out == 0
    assert written.size == (tmp_path / "report.html").stat().st_size
    names = [document["name"] for document in report["documents"]]
    assert set(names) == set(SOURCES)
    for at, found in enumerate(comparisons_of(page)):
        assert names[report["columns"]["a"][at]] == found.a.document
        text = SOURCES[found.a.document].text
        assert text is not None
        assert text[found.a.start : found.a.end] == found.a.text


def test_the_most_important_pairs_come_first_and_the_rest_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ibidem.web.report.html._MOST_BYTES", 9_000)
    pairs = [FoundPair(str(n), 0, 99, "b", 0, 99, n / 100, passages=("word " * 20, "word " * 20)) for n in range(100)]
    written = write_report(tmp_path / "report.html", Findings(pairs), {})
    page = (tmp_path / "report.html").read_text("utf-8")
    similarities = report_of(page)["columns"]["similarity"]
    assert 0 < written.pairs < 100
    assert written.pairs + written.left_out == 100
    assert similarities == sorted(similarities, reverse=True)
    assert similarities[0] == 0.99
    (note,) = notes_of(page)
    assert note == ["report-more-pairs", {"n": written.left_out}]
    assert sum(map(len, held(page, "comparisons").splitlines())) <= 9_000


def test_an_anonymous_report_has_no_name_date_or_locator(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", Findings(list(found_pairs())), SOURCES, ReportOptions(anonymous=True))
    page = (tmp_path / "report.html").read_text("utf-8")
    for name in ("quay", "論語 甲", "1911", "1950", "1:2", "markup"):
        # Words of the texts themselves stay.
        assert name not in held(page, "report")
    assert all(found.a.document == found.b.document == "" for found in comparisons_of(page))
    assert all(not found.a.locators for found in comparisons_of(page))
    assert {document["name"] for document in report_of(page)["documents"]} == {None}
    assert len(report_of(page)["documents"]) == len(SOURCES)


def test_texts_can_be_left_out(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", Findings(list(found_pairs())), SOURCES, ReportOptions(texts=False))
    page = (tmp_path / "report.html").read_text("utf-8")
    for word in ("ferry came", "harbour", "captain", "子曰", "ملك"):
        assert word not in page


def test_no_text_of_a_document_is_markup(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", Findings(list(found_pairs())), SOURCES, ReportOptions("<i>Title</i>"))
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "stolen" in page
    assert "<script>document" not in page
    assert "<img" not in page
    assert "<i>" not in page
    assert page.count("<script") == page.count("</script>") == 3


def test_the_page_names_no_other_host(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", Findings(list(found_pairs())), SOURCES)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert set(re.findall(r"\b[a-z]+://[^\s\"'`]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


def test_a_passage_that_was_found_where_it_stands_is_no_pair(tmp_path: Path) -> None:
    pairs = [FoundPair("x", 0, 5, "x", 0, 5, 1.0), FoundPair("x", 0, 5, "x", 9, 14, 1.0)]
    assert write_report(tmp_path / "report.html", Findings(pairs), {"x": Source("words and words")}).pairs == 1


def test_half_of_a_character_does_not_stop_a_report(tmp_path: Path) -> None:
    pairs = [FoundPair("x\ud800", 0, 5, "y", 0, 5, 1.0, passages=("a \ud800 b", None))]
    write_report(tmp_path / "report.html", Findings(pairs), {"y": Source("a \udfff b")})
    assert comparisons_of((tmp_path / "report.html").read_text("utf-8"))[0].b.text == "a \N{REPLACEMENT CHARACTER} b"


def test_a_report_without_a_pair_is_one_that_says_so(tmp_path: Path) -> None:
    assert write_report(tmp_path / "report.html", Findings([]), {}).pairs == 0


def test_a_passage_outside_of_its_document_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="x: a passage ends at character 500, and the document has 197: is it another"):
        write_report(tmp_path / "report.html", Findings([FoundPair("x", 0, 500, "y", 0, 5, 1.0)]), {"x": Source(FERRY)})
    assert not list(tmp_path.iterdir())


def test_a_report_has_all_modules_that_its_modules_import() -> None:
    for name in MODULES:
        imported = set(re.findall(r'^import .*? from "\./(.*?)\.js";$', read_page_file(f"{name}.js").decode(), re.M))
        assert imported <= set(MODULES), name


def test_no_two_modules_name_the_same_thing() -> None:
    declared = [
        name
        for module in MODULES
        for name in re.findall(
            r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", read_page_file(f"{module}.js").decode(), re.M
        )
    ]
    assert sorted(declared) == sorted(set(declared))


def test_nothing_of_the_page_reads_text_as_markup() -> None:
    for module in MODULES:
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(",
            read_page_file(f"{module}.js").decode(),
        )


TEXTS = {name: FERRY.replace("lanterns", name) for name in ("lamps", "torches", "candles")}
WITNESSED = {name: Source(text) for name, text in TEXTS.items()}
WITNESSES = [FoundWitness(name, 5, 90, date=str(1900 + at)) for at, name in enumerate(TEXTS)]
CLUSTER = FoundCluster("c1", 0.8, WITNESSES, central=1)


def test_a_cluster_has_its_witnesses_compared_with_the_central_one(tmp_path: Path) -> None:
    pair = FoundPair("lamps", 5, 90, "torches", 5, 93, 0.9)
    write_report(tmp_path / "report.html", Findings([pair], [CLUSTER]), WITNESSED)
    page = (tmp_path / "report.html").read_text("utf-8")
    report, comparisons = report_of(page), comparisons_of(page)
    [cluster] = report["clusters"]
    names = [document["name"] for document in report["documents"]]
    assert [(names[row[0]], row[3]) for row in cluster["witnesses"]] == [
        ("torches", "1901"),
        ("lamps", "1900"),
        ("candles", "1902"),
    ]
    assert (cluster["documents"], cluster["weakest"], cluster["compared"]) == (3, 0.8, 3)
    shown = comparisons[len(report["columns"]["a"]) :]
    assert [found.b.document for found in shown] == ["torches", "lamps", "candles"]
    assert [run.kind for run in shown[0].runs] == ["equal"]
    assert all(TEXTS[found.b.document][5:90] == found.b.text for found in shown)
    assert any(run.kind == "changed" for run in shown[1].runs)


def test_clusters_that_most_documents_hold_come_first_and_boilerplate_last(tmp_path: Path) -> None:
    two = FoundCluster("c2", 0.9, WITNESSES[:2])
    odd = FoundCluster("c3", 1.0, WITNESSES * 3, boilerplate="edge")
    write_report(tmp_path / "report.html", Findings(clusters=[two, odd, CLUSTER]), WITNESSED)
    clusters = report_of((tmp_path / "report.html").read_text("utf-8"))["clusters"]
    assert [(each["documents"], each["boilerplate"]) for each in clusters] == [(3, None), (2, None), (3, "edge")]


def test_clusters_beyond_those_that_the_page_shows_are_counted(tmp_path: Path) -> None:
    clusters = [FoundCluster(f"c{at:03}", 0.8, WITNESSES) for at in range(102)]
    write_report(tmp_path / "report.html", Findings([], clusters), WITNESSED)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert len(report_of(page)["clusters"]) == 100
    assert notes_of(page) == [["report-more-clusters", {"n": 2}]]


def test_an_anonymous_report_without_texts_has_neither_names_dates_nor_words(tmp_path: Path) -> None:
    witnesses = [each._replace(source="lamps") for each in WITNESSES]
    options = ReportOptions(anonymous=True, texts=False)
    write_report(tmp_path / "report.html", Findings(clusters=[FoundCluster("c", 0.8, witnesses)]), WITNESSED, options)
    page = (tmp_path / "report.html").read_text("utf-8")
    kept = held(page, "report") + held(page, "comparisons")
    assert not any(word in kept for word in ("lamps", "torches", "1901", "ferry", "harbour"))
    assert json.loads(held(page, "report"))["clusters"][0]["witnesses"][1][4] == 0
