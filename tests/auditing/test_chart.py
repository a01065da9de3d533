"""The page of an audit: what it draws is what was counted."""

import re
from xml.etree import ElementTree

import pyarrow
import pytest

from ibidem.auditing.chart import draw_intervals, render_audit
from ibidem.auditing.result import Audit


def row(kind: str, words: str, found: int, planted: int, threshold: float | None = 0.6) -> dict[str, object]:
    recall = found / planted
    precision = 1.0 if found else None
    return {
        "kind": kind,
        "words": words,
        "planted": planted,
        "found": found,
        "recall": recall,
        "recall_low": max(0.0, recall - 0.1),
        "recall_high": min(1.0, recall + 0.1),
        "reported": found,
        "right": found,
        "precision": precision,
        "precision_low": 0.9 if found else None,
        "precision_high": 1.0 if found else None,
        "threshold_for_target": threshold,
        "false": 0,
    }


ROWS = [row("verbatim", "all", 20, 20), row("answer <alone>", "all", 0, 20, None)]


@pytest.fixture
def page() -> str:
    lengths = [row("verbatim", "13 to 24", 12, 12), row("verbatim", "1 to 12", 8, 8)]
    lengths.append(row("answer <alone>", "1 to 12", 0, 20))
    curve = [
        {"kind": kind, "threshold": threshold, "recall": recall, "precision": None}
        for kind, recall in (("verbatim", 1.0), ("answer <alone>", 0.0))
        for threshold in (0.1, 0.15, 0.2)
    ]
    summary = {
        "planted": 40,
        "documents_sampled": 60,
        "documents_read": 1200,
        "documents_with_items_already": 3,
        "target": 0.95,
        "threshold": 0.5,
    }
    tables = [pyarrow.Table.from_pylist(rows) for rows in ([*ROWS, *lengths], curve, [])]
    return render_audit(Audit(*tables, summary=summary))


def test_dots_and_bars_are_where_the_numbers_are() -> None:
    svg = ElementTree.fromstring(draw_intervals(ROWS, 0.95))
    dots = svg.findall("circle")
    assert len(dots) == 3  # nothing was reported of the second kind, so it has no precision
    left, right = float(dots[1].attrib["cx"]), float(dots[0].attrib["cx"])
    assert right - left == 320  # recall 0 and 1
    bars = [each.attrib for each in svg.findall("line") if each.attrib.get("stroke-width") == "3"]
    assert [each.attrib["x1"] for each in svg.findall("line") if "stroke-dasharray" in each.attrib] == ["494.0"]
    assert float(bars[0]["x2"]) - float(bars[0]["x1"]) == pytest.approx(32)
    assert dots[0].findtext("title") == "verbatim: recall 1.000"


def test_the_page_says_what_was_planted_and_needs_nothing_else(page: str) -> None:
    assert "40 items were planted into 60 of 1,200 training documents" in page
    assert "3 of these held an item already" in page
    assert not re.search(r"(src|href)=|url\(|<script|http", page)
    assert "answer <alone>" not in page
    assert "answer &lt;alone&gt;" in page


def test_the_tables_have_the_lengths_in_order_and_the_thresholds(page: str) -> None:
    headers = re.findall(r"<thead><tr>(.*?)</tr>", page)
    assert re.findall(r"<th>(.*?)</th>", headers[1]) == ["kind", "1 to 12 words", "13 to 24 words"]
    assert re.findall(r"<th>(.*?)</th>", headers[2]) == ["kind", "0.1", "0.2"]
    assert '<td class="high">1.00 <small>8/8</small></td>' in page
    assert '<td class="low">0.00 <small>0/20</small></td>' in page
    assert "<td>none</td>" in page


def test_a_form_without_recall_shows_what_was_false_and_no_threshold() -> None:
    negative = row("other numbers", "all", 0, 20, None) | {"false": 3, "recall": None}
    audited = Audit(
        pyarrow.Table.from_pylist([*ROWS, negative]),
        pyarrow.Table.from_pylist([{"kind": "verbatim", "threshold": 0.1, "recall": 1.0}]),
        pyarrow.Table.from_pylist([]),
        summary=dict.fromkeys(("planted", "documents_sampled", "documents_read", "documents_with_items_already"), 1)
        | {"target": 0.95, "threshold": 0.5},
    )
    (cells,) = re.findall(r"<tr><td>other numbers</td>(.*?)</tr>", render_audit(audited))[:1]
    assert re.findall(r"<td>(.*?)</td>", cells) == ["20", "", "", "", "", "", "", "3"]
    assert render_audit(audited).count("<circle") == 3
