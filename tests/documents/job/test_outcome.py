"""The files that account for every document of a deduplication."""

import csv
import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.dedup import deduplicate
from ibidem.documents.job.outcome import Counts, Outcome, count_outcome, write_clusters, write_summary
from ibidem.text import Document

VERSE = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
DOCUMENTS = [Document("a", VERSE, {"year": 1794}), Document("b", VERSE, {"year": 1863}), Document("c", "little lamb")]


def outcome() -> Outcome:
    return Outcome(deduplicate(DOCUMENTS), np.arange(3), {})


def test_clusters_hold_the_documents_that_are_like_another(tmp_path: Path) -> None:
    write_clusters(tmp_path / "clusters.csv", outcome().found)
    with (tmp_path / "clusters.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["cluster"], row["id"], row["kept"]) for row in rows] == [("a", "a", "true"), ("a", "b", "false")]


def test_the_summary_counts_and_names_the_short_ones(tmp_path: Path) -> None:
    found = outcome()
    write_summary(tmp_path / "summary.json", count_outcome(found), found.short, found.empty)
    facts = json.loads((tmp_path / "summary.json").read_text())
    assert (facts["documents"], facts["kept"], facts["exact_duplicates"], facts["short"]) == (3, 2, 1, ["c"])


@pytest.mark.parametrize(("short", "empty"), [([], []), (["a"], []), ([], ['né "b"', "c"]), (["a", "b", "c"], ["d"])])
def test_a_summary_is_written_as_the_encoder_formats_it(tmp_path: Path, short: list[str], empty: list[str]) -> None:
    counts = Counts(*range(7))
    write_summary(tmp_path / "summary.json", counts, iter(short), iter(empty))
    facts = {**counts._asdict(), "short": short, "empty": empty}
    assert (tmp_path / "summary.json").read_bytes() == msgspec.json.format(msgspec.json.encode(facts)) + b"\n"


@given(
    st.lists(st.text(st.sampled_from('ab,"\r\n\t\0\x85\u2028\ufffe'), min_size=1), min_size=2, max_size=4, unique=True)
)
def test_any_ids_are_read_again_from_the_clusters(tmp_path_factory: pytest.TempPathFactory, ids: list[str]) -> None:
    path = tmp_path_factory.mktemp("clusters") / "clusters.csv"
    write_clusters(path, deduplicate([Document(id, VERSE) for id in ids]))
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert sorted(row["id"] for row in rows) == sorted(ids)
    assert {row["duplicate_of"] for row in rows if row["kept"] == "false"} == {ids[0]}
