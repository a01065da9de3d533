"""Data sets of Hugging Face, with all columns; skipped unless the library is installed."""

from pathlib import Path

import pytest

from ibidem.integrations.arrow import LeakAnnotator, MatchAnnotator
from ibidem.integrations.datasets import deduplicate_dataset

from .samples import (
    EVALS,
    KEPT,
    build_index,
    make_documents,
    make_leaking,
    require_leak,
    require_marked,
    sample_of_texts,
)

datasets = pytest.importorskip("datasets", reason="datasets is not installed")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_near_duplicates_go_and_the_columns_stay() -> None:
    given = datasets.Dataset.from_list(make_documents())
    kept = deduplicate_dataset(given)
    assert kept["n"][:] == KEPT
    assert kept.features == given.features
    assert kept[3]["tags"] == [3, 3]
    assert deduplicate_dataset(given, keep="max(n)")["n"][:] == [n for n in range(12) if n not in (1, 2)]


@pytest.mark.parametrize("format", [None, "arrow"])
def test_map_adds_the_column_of_matches(tmp_path: Path, format: str | None) -> None:
    given = datasets.Dataset.from_list(make_documents()).with_format(format)
    annotate = MatchAnnotator(build_index(tmp_path), min_pair_length=10)
    marked = given.map(annotate, batched=True, batch_size=5).with_format(None)
    require_marked(list(marked))


def test_map_works_in_processes_of_its_own(tmp_path: Path) -> None:
    given = datasets.Dataset.from_list(make_documents())
    marked = given.map(MatchAnnotator(build_index(tmp_path), min_pair_length=10), batched=True, num_proc=2)
    require_marked(list(marked))


def test_map_adds_the_column_of_leaks() -> None:
    given = datasets.Dataset.from_list(make_leaking())
    require_leak(list(given.map(LeakAnnotator(EVALS, sample_of_texts()), batched=True)))
