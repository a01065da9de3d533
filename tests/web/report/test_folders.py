"""What find_reuse found becomes pairs and clusters of a report."""

from pathlib import Path
from typing import Any

import pytest

import ibidem
from ibidem.reuse.find import find_reuse
from ibidem.reuse.outputs.result import write_reuse
from ibidem.web.report.findings import Findings
from ibidem.web.report.folders import add_basis, read_reuse_folder, take_reuse

VERSE = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"
DOCUMENTS = [
    {"id": "gray", "text": f"{VERSE} and more", "year": 1751},
    {"id": "letter", "text": f"he said {VERSE}", "year": 1790},
    {"id": "other", "text": "nothing of the kind", "year": 1801},
]


def test_a_folder_gives_what_the_result_gives(tmp_path: Path) -> None:
    found = find_reuse(DOCUMENTS, min_pair_length=8, date="year", texts=True)
    taken = take_reuse(
        found.pairs, found.clusters, found.passages, found.document_pairs, found.left_out, found.documents
    )
    write_reuse(found, tmp_path)
    read = read_reuse_folder(tmp_path)
    assert read._replace(settings={}, not_read=None) == taken._replace(settings={})
    assert (read.settings["threshold"], read.not_read) == (found.run.settings["threshold"], [])  # type: ignore[union-attr]
    [pair] = taken.pairs
    assert (pair.a, pair.b, pair.passages) == ("gray", "letter", (VERSE, VERSE))
    assert pair.evidence is not None
    [cluster] = taken.clusters
    assert [(each.document, each.date, each.source) for each in cluster.witnesses] == [
        ("gray", "1751", None),
        ("letter", "1790", "gray"),
    ]
    assert taken.dates == {"gray": "1751", "letter": "1790"}
    assert taken.documents == {"gray", "letter"}
    [shared] = taken.document_pairs
    assert (shared.a, shared.b, [counts.identical for counts in shared.counts]) == ("gray", "letter", [16, 16])
    assert not taken.set_aside
    assert taken._replace(set_aside={"series": 1}).join(taken._replace(set_aside={"series": 2})).set_aside == {
        "series": 3
    }
    both = taken.join(Findings(taken.pairs, dates={"more": "1"}, omitted=3))
    assert (len(both.pairs), both.omitted, set(both.dates)) == (2, 3, {"gray", "letter", "more"})


@pytest.mark.parametrize("passages", [False, True])
def test_a_folder_of_dedup_says_its_settings_and_what_was_not_read(tmp_path: Path, passages: bool) -> None:
    (tmp_path / "texts.jsonl").write_text(
        "".join(f'{{"id": "{at}", "text": "{VERSE} {at}"}}\n' for at in "ab"), "utf-8"
    )
    if passages:
        ibidem.deduplicate_passages_of_files(
            tmp_path / "texts.jsonl", tmp_path / "out", min_length=8, normalize="latin", ignore=[("sheet", "one two")]
        )
        expected = {
            "threshold": 0.8,
            "min_length": 8,
            "tokenizer": "words",
            "normalize": ["latin"],
            "ignore": ["sheet"],
        }
    else:
        ibidem.deduplicate_files(tmp_path / "texts.jsonl", tmp_path / "out", threshold=0.7, keep="longest")
        expected = {"threshold": 0.7, "shingle": "words:5", "keep": "longest", "recall": 0.99}
    shown = add_basis(Findings(), tmp_path / "out")
    assert shown.settings.items() >= expected.items()
    assert shown.not_read == []


@pytest.mark.filterwarnings("ignore:no document is as long as a passage")
@pytest.mark.parametrize("format", ["parquet", "jsonl", "csv"])
@pytest.mark.parametrize("documents", [DOCUMENTS, DOCUMENTS[2:]])
def test_a_folder_of_any_format_may_have_tables_without_a_row(
    tmp_path: Path, format: str, documents: list[dict[str, Any]]
) -> None:
    found = find_reuse(documents, min_pair_length=8)
    write_reuse(found, tmp_path, format)
    taken = read_reuse_folder(tmp_path)
    assert (len(taken.pairs), len(taken.set_aside)) == (found.pairs.num_rows, 0)


def test_the_pairs_of_least_evidence_are_left_out_and_counted(monkeypatch) -> None:
    monkeypatch.setattr("ibidem.web.report.folders._MOST_PAIRS", 1)
    longer = [
        {"id": f"{row['id']} 2", "text": f"{row['text']} {VERSE.swapcase()} and on", "year": 1} for row in DOCUMENTS
    ]
    found = find_reuse([*DOCUMENTS[:2], *longer[:2]], min_pair_length=8)
    taken = take_reuse(
        found.pairs, found.clusters, found.passages, found.document_pairs, found.left_out, found.documents
    )
    assert len(taken.pairs) == 1
    assert taken.omitted == found.pairs.num_rows - 1
    assert taken.pairs[0].evidence == max(found.pairs.column("evidence").to_pylist())
