"""The files that account for every document of a deduplication."""

import csv
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.documents.summary import ClusterRow, write_cluster_rows, write_counts


def test_of_a_document_that_is_kept_nothing_is_said_that_is_said_of_duplicates(tmp_path: Path) -> None:
    rows = [ClusterRow("a", "a", True, "a", 1.0, False, 0.9), ClusterRow("a", "b", False, "a", 0.9, False, 0.9)]
    write_cluster_rows(tmp_path / "clusters.csv", rows)
    assert (tmp_path / "clusters.csv").read_text().splitlines() == [
        "cluster,id,kept,duplicate_of,similarity,exact,weakest",
        "a,a,true,,,,0.9",
        "a,b,false,a,0.9,false,0.9",
    ]


@pytest.mark.parametrize(("short", "empty"), [([], []), (["a"], []), ([], ['né "b"', "c"]), (["a", "b", "c"], ["d"])])
def test_a_summary_is_written_as_the_encoder_formats_it(tmp_path: Path, short: list[str], empty: list[str]) -> None:
    counts = {"documents": 3, "kept": 2, "files_passed_over": dict.fromkeys(short, 2)}
    write_counts(tmp_path / "summary.json", counts, iter(short), iter(empty))
    facts = {**counts, "short": short, "empty": empty}
    assert (tmp_path / "summary.json").read_bytes() == msgspec.json.format(msgspec.json.encode(facts)) + b"\n"


@given(
    st.lists(st.text(st.sampled_from('ab,"\r\n\t\0\x85\u2028\ufffe'), min_size=1), min_size=2, max_size=4, unique=True)
)
def test_any_ids_are_read_again_from_the_clusters(tmp_path_factory: pytest.TempPathFactory, ids: list[str]) -> None:
    path = tmp_path_factory.mktemp("clusters") / "clusters.csv"
    write_cluster_rows(path, [ClusterRow(ids[0], name, name == ids[0], ids[0], 1.0, True, 1.0) for name in ids])
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert sorted(row["id"] for row in rows) == sorted(ids)
    assert {row["duplicate_of"] for row in rows if row["kept"] == "false"} == {ids[0]}
