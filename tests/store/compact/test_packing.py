"""A compact segment gives what a plain one of the same documents gives, and damage to it is found."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.errors import DamagedError
from ibidem.store import Checksums, Segment, Store, check_index
from ibidem.store.files.columns import HEADER_BYTES
from ibidem.store.format import COLUMNS, LOCK, TEXT_BLOCK
from ibidem.store.manifest import read_manifest
from ibidem.text import Document, Documents, make_tokenizer

from .. import samples
from ..test_damage import rewrite

COMPACT = samples.CONFIG | {"layout": "compact"}
PACKED = [column.name for column in COLUMNS if column.layout == "compact"]


def make(path: Path, config: dict) -> Store:
    store = Store.create(path, config)
    samples.add(store)
    with store.writer() as writer:
        samples.fill(writer.new_segment(), first=5, count=40)
        writer.remove({"000001": [2]})
        writer.commit()
    return store


@pytest.fixture
def compact(path: Path) -> Store:
    return make(path, COMPACT)


def test_a_compact_index_holds_what_a_plain_one_holds(compact: Store, tmp_path: Path) -> None:
    plain = make(tmp_path / "plain", samples.CONFIG)
    assert [segment.layout for segment in (*plain.segments, *compact.segments)] == ["plain"] * 2 + ["compact"] * 2
    for one, other in zip(plain.segments, compact.segments, strict=True):
        assert samples.segment_contents(one) == samples.segment_contents(other)
        rows = np.arange(one.num_documents)[::-1]
        for documents, tokens in (zip(one.read(rows), other.read(rows), strict=True),):
            assert documents[0].ids == documents[1].ids
            assert all(np.array_equal(*pair) for pair in zip(*(each[:4] for each in tokens), strict=True))
    assert (plain.format_version, compact.format_version) == (3, 4)
    assert check_index(compact.path).problems == []


def test_segments_are_rewritten_in_the_layout_of_their_index(compact: Store, tmp_path: Path) -> None:
    plain = make(tmp_path / "plain", samples.CONFIG)
    for source, target in ((plain, compact), (compact, plain)):
        with target.writer() as writer:
            segment = writer.new_segment()
            segment.append_rows(source.segments[1], 0, 40)
            segment.end_function()
            writer.commit()
        assert target.segments[-1].layout == target.segments[0].layout
        assert np.array_equal(np.asarray(target.segments[-1].tokens), np.asarray(source.segments[1].tokens))
        assert target.segments[-1].text(3) == source.segments[1].text(3)


def make_segment(path: Path, texts: list[str], config: dict) -> Segment:
    store = Store.create(path, config)
    documents = Documents.of([Document(str(row), text) for row, text in enumerate(texts)])
    with store.writer() as writer:
        segment = writer.new_segment()
        segment.append_documents(documents, make_tokenizer("words").encode(documents.texts, offsets=True))
        segment.end_function()
        writer.commit()
    return store.segments[0]


@settings(max_examples=20)
@given(
    words=st.lists(st.sampled_from(["a", "né", "\U0001f642", "日本", "\ud800", "long " * 300]), max_size=60),
    places=st.lists(st.integers(0, 60000), min_size=2, max_size=2),
)
def test_a_part_of_a_text_is_read_without_the_rest(words, places, tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    texts = ["begin " * 900, " ".join(words), "", " ".join(reversed(words)) * 2, "é" * (TEXT_BLOCK // 2)]
    start, end = sorted(places)
    for layout in ("plain", "compact"):
        segment = make_segment(folder / layout, texts, samples.CONFIG | {"layout": layout})
        for row, text in enumerate(texts):
            assert segment.text(row) == text
            first, last = min(start, len(text)), min(end, len(text))
            assert segment.text_between(row, first, last) == text[first:last]
    shutil.rmtree(folder)


@pytest.mark.parametrize("name", PACKED)
def test_an_altered_byte_of_any_column_is_found_by_a_check_and_by_a_reader(compact: Store, name: str) -> None:
    file = compact.path / "segments" / "000002" / f"{name}.npy"
    data = bytearray(file.read_bytes())
    if len(data) == HEADER_BYTES:
        pytest.skip("a column without values")
    data[-1] ^= 1
    file.unlink()
    file.write_bytes(data)
    with pytest.raises(DamagedError, match=name):
        samples.contents(Store.open(compact.path))
    assert any(name in problem for problem in check_index(compact.path).problems)


@pytest.mark.parametrize(("name", "read"), [("compressed_text", "text"), ("compressed_offsets", "offsets")])
def test_a_block_that_cannot_be_decompressed_names_its_file(compact: Store, name: str, read: str) -> None:
    file = compact.path / "segments" / "000002" / f"{name}.npy"
    data = file.read_bytes()
    file.unlink()
    file.write_bytes(data[:HEADER_BYTES] + bytes(len(data) - HEADER_BYTES))
    segment = Store.open(compact.path, checksums="none").segments[1]
    with pytest.raises(DamagedError, match=rf"{name}\.npy: block 0 cannot be decompressed"):
        segment.text(0) if read == "text" else segment.offsets(0, 0, 1)


def read_all(path: Path, checksums: Checksums) -> None:
    store = Store.open(path, checksums=checksums)
    samples.contents(store)
    store.segments[1].text_between(0, 1, 5)


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("text_bounds", lambda values: values - 1),
        ("text_bounds", lambda values: values * 2**20),
        ("text_blocks", lambda values: values[::-1].copy()),
        ("text_blocks", lambda values: values * 3),
        ("text_points", lambda values: values // 2),
        ("text_points", lambda values: values - 1),
        ("offset_blocks", lambda values: values + 1),
        ("rare_groups", lambda values: values + np.uint32(1)),
        ("token_codes", lambda values: values[:-1]),
        ("compressed_text", lambda values: values[:-1]),
        ("compressed_offsets", lambda values: values * 0),
    ],
)
def test_numbers_that_point_nowhere_are_damage_although_the_checksums_are_right(compact, column, change):
    dtype = next(each.dtype for each in COLUMNS if each.name == column)
    file = compact.path / "segments" / "000002" / f"{column}.npy"
    rewrite(compact.path, "000002", column, change(np.frombuffer(file.read_bytes()[HEADER_BYTES:], dtype)))
    for checksums in ("lazy", "full", "none"):
        with pytest.raises(DamagedError):
            read_all(compact.path, checksums)


def test_a_compact_segment_without_a_column_is_refused(compact: Store) -> None:
    (compact.path / "segments" / "000001" / "code_lengths.npy").unlink()
    with pytest.raises(DamagedError, match="code_lengths"):
        Store.open(compact.path)


def test_nothing_of_the_plain_form_is_left(compact: Store) -> None:
    files = {file.name for file in (compact.path / "segments" / "000001").iterdir()}
    assert not files & {"text.npy", "tokens.npy", "offset_steps.npy", "offset_lengths.npy"}
    assert {f"{name}.npy" for name in PACKED} <= files
    assert read_manifest(compact.path).config["layout"] == "compact"
    assert (compact.path / LOCK).exists()
