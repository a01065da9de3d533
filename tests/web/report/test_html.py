"""The file of a report: what is in it, what is not, and how large it is."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ibidem.comparison import Comparison
from ibidem.web.report import FoundPair, ReportOptions, Source, write_report
from ibidem.web.report.html import MODULES, page_file

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


def test_a_report_says_what_was_left_out_and_why(tmp_path: Path) -> None:
    options = ReportOptions(rest="found", set_aside={"trivial": 1, "frequent": 1_200})
    write_report(tmp_path / "report.html", list(found_pairs()), SOURCES, options)
    (note,) = notes_of((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert note[0] == "{n} pairs are left out ({reasons}): see left_out in {rest}."
    assert note[1] == {"n": 1_201, "rest": "found", "reasons": [[1_200, "frequent"], [1, "trivial"]]}


def test_a_report_holds_every_pair_and_its_comparison(tmp_path: Path) -> None:
    pairs = list(found_pairs())
    written = write_report(tmp_path / "report.html", pairs, SOURCES)
    page = (tmp_path / "report.html").read_text("utf-8")
    report = report_of(page)
    assert written.pairs == len(pairs) == len(report["columns"]["a"]) == len(comparisons_of(page))
    assert (written.left_out, written.without_text) == (0, 0)
    assert written.size == (tmp_path / "report.html").stat().st_size
    names = [document["name"] for document in report["documents"]]
    assert set(names) == set(SOURCES)
    for at, found in enumerate(comparisons_of(page)):
        assert names[report["columns"]["a"][at]] == found.a.document
        text = SOURCES[found.a.document].text
        assert text is not None
        assert text[found.a.start : found.a.end] == found.a.text


def test_the_most_important_pairs_come_first_and_the_rest_is_counted(tmp_path: Path) -> None:
    pairs = [FoundPair(str(n), 0, 99, "b", 0, 99, n / 100, passages=("word " * 20, "word " * 20)) for n in range(100)]
    options = ReportOptions(most_bytes=84_000, rest="all.jsonl")
    written = write_report(tmp_path / "report.html", pairs, {}, options)
    page = (tmp_path / "report.html").read_text("utf-8")
    similarities = report_of(page)["columns"]["similarity"]
    assert 0 < written.pairs < 100
    assert written.pairs + written.left_out == 100
    assert similarities == sorted(similarities, reverse=True)
    assert similarities[0] == 0.99
    (note,) = notes_of(page)
    assert note[0].startswith("{n} more are in {rest}")
    assert note[1] == {"n": written.left_out, "rest": "all.jsonl"}
    assert written.size <= 84_000


def test_a_text_without_room_is_left_out_and_the_pair_stays(tmp_path: Path) -> None:
    long = "word " * 50_000
    pairs = [FoundPair("a", 0, len(long), "b", 0, len(long), 1.0)]
    written = write_report(
        tmp_path / "report.html", pairs, {"a": Source(long), "b": Source(long)}, ReportOptions(most_bytes=100_000)
    )
    assert (written.pairs, written.without_text) == (1, 1)
    (note,) = notes_of((tmp_path / "report.html").read_text("utf-8"))
    assert note == ["{n} pair is shown without the texts, for which there was no room.", {"n": 1}]


def test_an_anonymous_report_has_no_name_date_or_locator(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", list(found_pairs()), SOURCES, ReportOptions(anonymous=True))
    page = (tmp_path / "report.html").read_text("utf-8")
    for name in ("quay", "論語 甲", "1911", "1950", "1:2", "markup"):
        # Words of the texts themselves stay.
        assert name not in held(page, "report")
    assert all(found.a.document == found.b.document == "" for found in comparisons_of(page))
    assert all(not found.a.locators for found in comparisons_of(page))
    assert {document["name"] for document in report_of(page)["documents"]} == {
        f"Document {number}" for number in range(1, len(SOURCES) + 1)
    }


@pytest.mark.parametrize(("anonymous", "file"), [(True, "the results"), (False, "essays-of-ann.jsonl")])
def test_an_anonymous_report_does_not_name_the_file_that_has_the_rest(
    tmp_path: Path, anonymous: bool, file: str
) -> None:
    options = ReportOptions(anonymous=anonymous, rest="essays-of-ann.jsonl", left_out=7)
    write_report(tmp_path / "report.html", list(found_pairs()), SOURCES, options)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert notes_of(page)[0][1] == {"n": 7, "rest": file}
    assert ("of-ann" in page) != anonymous


def test_texts_can_be_left_out(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", list(found_pairs()), SOURCES, ReportOptions(texts=False))
    page = (tmp_path / "report.html").read_text("utf-8")
    for word in ("ferry came", "harbour", "captain", "子曰", "ملك"):
        assert word not in page


def test_no_text_of_a_document_is_markup(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", list(found_pairs()), SOURCES, ReportOptions("<i>Title</i>"))
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "stolen" in page
    assert "<script>document" not in page
    assert "<img" not in page
    assert "<i>" not in page
    assert page.count("<script") == page.count("</script>") == 3


def test_the_page_names_no_other_host(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", list(found_pairs()), SOURCES)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert set(re.findall(r"\b[a-z]+://[^\s\"'`]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


def test_a_passage_that_was_found_where_it_stands_is_no_pair(tmp_path: Path) -> None:
    pairs = [FoundPair("x", 0, 5, "x", 0, 5, 1.0), FoundPair("x", 0, 5, "x", 9, 14, 1.0)]
    assert write_report(tmp_path / "report.html", pairs, {"x": Source("words and words")}).pairs == 1


def test_half_of_a_character_does_not_stop_a_report(tmp_path: Path) -> None:
    pairs = [FoundPair("x\ud800", 0, 5, "y", 0, 5, 1.0, passages=("a \ud800 b", None))]
    write_report(tmp_path / "report.html", pairs, {"y": Source("a \udfff b")})
    assert comparisons_of((tmp_path / "report.html").read_text("utf-8"))[0].b.text == "a \N{REPLACEMENT CHARACTER} b"


def test_a_report_without_a_pair_is_one_that_says_so(tmp_path: Path) -> None:
    assert write_report(tmp_path / "report.html", [], {}).pairs == 0


def test_a_passage_outside_of_its_document_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="x: a passage ends at character 500, and the document has 197: is it another"):
        write_report(tmp_path / "report.html", [FoundPair("x", 0, 500, "y", 0, 5, 1.0)], {"x": Source(FERRY)})
    assert not list(tmp_path.iterdir())


def test_a_size_that_no_report_has_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a report takes"):
        write_report(tmp_path / "report.html", [], {}, ReportOptions(most_bytes=10))


def test_the_modules_stand_after_those_that_they_import() -> None:
    for place, name in enumerate(MODULES):
        imported = set(re.findall(r'^import .*? from "\./(.*?)";$', page_file(name), re.M))
        assert imported <= set(MODULES[:place]), name


def test_no_two_modules_name_the_same_thing() -> None:
    declared = [
        name
        for module in MODULES
        for name in re.findall(r"^(?:export )?(?:function|class|const|let) (\w+)", page_file(module), re.M)
    ]
    assert sorted(declared) == sorted(set(declared))


def test_nothing_of_the_page_reads_text_as_markup() -> None:
    for module in MODULES:
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(", page_file(module)
        )
