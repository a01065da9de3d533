"""Clusters of a report: the most important first, each witness beside the central one, within the room for them."""

import json
from pathlib import Path

from ibidem.web.report import FoundCluster, FoundPair, FoundWitness, ReportOptions, Source, write_report

from .samples import FERRY
from .test_html import comparisons_of, held, report_of

TEXTS = {name: FERRY.replace("lanterns", name) for name in ("lamps", "torches", "candles")}
SOURCES = {name: Source(text) for name, text in TEXTS.items()}
WITNESSES = [FoundWitness(name, 5, 90, date=str(1900 + at)) for at, name in enumerate(TEXTS)]
CLUSTER = FoundCluster("c1", 0.8, WITNESSES, central=1)


def test_a_cluster_has_its_witnesses_compared_with_the_central_one(tmp_path: Path) -> None:
    pair = FoundPair("lamps", 5, 90, "torches", 5, 93, 0.9)
    write_report(tmp_path / "report.html", [pair], SOURCES, clusters=[CLUSTER])
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
    write_report(tmp_path / "report.html", [], SOURCES, clusters=[two, odd, CLUSTER])
    clusters = report_of((tmp_path / "report.html").read_text("utf-8"))["clusters"]
    assert [(each["documents"], each["boilerplate"]) for each in clusters] == [(3, None), (2, None), (3, "edge")]


def test_clusters_without_room_are_counted_and_pairs_keep_theirs(tmp_path: Path) -> None:
    clusters = [FoundCluster(f"c{at}", 0.8, WITNESSES) for at in range(60)]
    pair = FoundPair("lamps", 5, 90, "torches", 5, 93, 0.9)
    options = ReportOptions(most_bytes=102_000, rest="found")
    written = write_report(tmp_path / "report.html", [pair], SOURCES, options, clusters)
    page = (tmp_path / "report.html").read_text("utf-8")
    shown = len(report_of(page)["clusters"])
    assert 0 < shown < 60
    assert ["{n} more clusters are in {rest}.", {"n": 60 - shown, "rest": "found"}] in report_of(page)["notes"]
    assert (written.pairs, written.size <= 102_000) == (1, True)


def test_an_anonymous_report_without_texts_has_neither_names_dates_nor_words(tmp_path: Path) -> None:
    witnesses = [each._replace(source="lamps") for each in WITNESSES]
    options = ReportOptions(anonymous=True, texts=False)
    write_report(tmp_path / "report.html", [], SOURCES, options, [FoundCluster("c", 0.8, witnesses)])
    page = (tmp_path / "report.html").read_text("utf-8")
    kept = held(page, "report") + held(page, "comparisons")
    assert not any(word in kept for word in ("lamps", "torches", "1901", "ferry", "harbour"))
    assert json.loads(held(page, "report"))["clusters"][0]["witnesses"][1][4] == 0
