"""A compact index finds what a plain one finds, in fewer bytes."""

import os
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import Document, PassageIndex
from ibidem.options import IndexOptions
from ibidem.passages.configuration import Configuration
from ibidem.passages.filters import candidate_starts
from ibidem.passages.job import stages
from ibidem.text import Documents
from ibidem.tracing.trace import trace

WORDS = [f"word{number}" for number in range(12)] + ["né", "日本", "\U0001f642"]


@pytest.fixture(autouse=True)
def _quiet_and_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    warnings.simplefilter("ignore")


def write(size: int, seed: int) -> str:
    return " ".join(np.random.default_rng(seed).choice(WORDS, size))


def build(folder: Path, texts: list[str], **options) -> tuple[PassageIndex, PassageIndex]:
    """A plain and a compact index of the same documents."""
    documents = [(f"d{row}", text) for row, text in enumerate(texts)]
    plain, compact = (
        PassageIndex.build(folder / layout, documents, layout=layout, **options) for layout in ("plain", "compact")
    )
    return plain, compact


@settings(max_examples=15, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 400), min_size=1, max_size=5),
    seed=st.integers(0, 10**6),
    threshold=st.sampled_from([0.3, 0.6, 0.9]),
    family=st.sampled_from(["set", "multiset", "weighted"]),
    select=st.sampled_from(["best", "longest", "maximal", "all", "document"]),
)
def test_a_search_finds_the_same_in_both_layouts(sizes, seed, threshold, family, select, tmp_path_factory):
    texts = [write(size, seed + row) for row, size in enumerate(sizes)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidate_starts, "STARTS_PER_TASK", 256)  # tasks that end within a text
        plain, compact = build(tmp_path_factory.mktemp("layouts"), texts)
        query = write(30, seed)
        options = {"threshold": threshold, "family": family, "select": select, "limit": None}
        assert list(compact.search(query, **options)) == list(plain.search(query, **options))


@pytest.mark.parametrize("options", [{}, {"family": "set"}])
def test_documents_that_are_added_removed_and_merged_stay_the_same(tmp_path: Path, options: dict) -> None:
    plain, compact = build(tmp_path, [write(300, 1), write(90, 2)], min_length=8, **options)
    query = " ".join(write(300, 1).split()[40:90])
    for index in (plain, compact):
        index.add([("more", write(40, 7) + " " + query)])
        index.remove(["d1"])
    assert list(compact.search(query)) == list(plain.search(query)) != []
    for index in (plain, compact):
        index.merge()
    assert [segment.layout for segment in compact.segments] == ["compact"]
    assert list(compact.search(query)) == list(plain.search(query)) != []
    assert compact.check() == []


@pytest.mark.parametrize("options", [{}, {"family": "weighted", "idf": "smooth"}])
def test_one_segment_at_a_time_is_plain_while_a_compact_index_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict
) -> None:
    monkeypatch.setattr(stages, "segment_tokens", lambda memory, token_bytes: 500)
    plain = []

    def look(phase: str, done: int, total: int | None) -> None:
        names = ("text.npy", "tokens.npy", "offset_steps.npy")
        plain.append([len(list((tmp_path / "index").rglob(name))) for name in names])

    documents = [Documents.of([Document(str(row), write(300, row))]) for row in range(8)]
    options = {"layout": "compact", "progress": look, **options}
    with PassageIndex.build(tmp_path / "index", documents, threads=1, **options) as index:
        assert index.info()["segments"] == 8
    assert len(plain) > 8
    assert max(map(max, plain)) == 1
    assert plain[-1] == [0, 0, 0]


def test_an_alignment_and_a_trace_find_the_same_in_both_layouts(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    texts = [" ".join(f"w{number}" for number in rng.zipf(1.3, 800) % 5000) for _ in range(6)]
    plain, compact = build(tmp_path, texts)
    query = " ".join([*texts[2].split()[100:220], *texts[4].split()[300:380]])
    assert list(compact.align(query)) == list(plain.align(query)) != []
    outputs = [("output", query)]
    assert trace(outputs, compact).to_arrow().equals(trace(outputs, plain).to_arrow())


def test_a_compact_index_says_so_and_takes_fewer_bytes(tmp_path: Path) -> None:
    plain, compact = build(tmp_path, [" ".join(WORDS) * 900])
    sizes = [index.info()["bytes"] for index in (plain, compact)]
    for part in ("text", "tokens", "offsets"):
        assert sizes[1][part] < sizes[0][part]
    assert compact.info()["configuration"]["layout"] == "compact"
    assert "layout" not in plain.info()["configuration"]
    assert (plain.info()["format"], compact.info()["format"]) == (3, 4)


def test_a_layout_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="layout is one of plain, compact, not 'small'"):
        Configuration.of({}, IndexOptions(layout="small"))
