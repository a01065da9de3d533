"""Shards are looked at once, cut into parts, and known again."""

import gzip
import io

import msgspec
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.opening import open_stored
from ibidem.errors import CorpusError, PlanError
from ibidem.jobs import shards as module
from ibidem.jobs.plan import Plan, Prediction, Shard
from ibidem.jobs.shards import (
    choose_parts,
    cut_into_parts,
    describe_shards,
    find_giants,
    require_unchanged,
    sources_of,
)
from ibidem.resources import Resources


@given(st.lists(st.integers(0, 100), min_size=1, max_size=30), st.integers(1, 12))
def test_parts_are_runs_of_shards_that_hold_each_once(sizes, parts):
    shards = [Shard(str(number), str(number), size, "") for number, size in enumerate(sizes)]
    cut = cut_into_parts(shards, parts)
    assert 1 <= len(cut) <= parts
    assert [number for low, high in cut for number in range(low, high)] == list(range(len(shards)))
    assert all(low < high for low, high in cut)


@pytest.fixture
def files(tmp_path):
    """Three files, one in a folder of its own, one compressed."""
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "a.txt").write_text("first")
    with gzip.open(tmp_path / "in" / "b.txt.gz", "wt") as file:
        file.write("second " * 100)
    (tmp_path / "in" / "deep" / "c.txt").write_text("")
    return tmp_path / "in"


@pytest.mark.parametrize("workers", [1, 3])
def test_each_file_is_described_by_its_stored_bytes(files, workers):
    told = []
    resources = Resources.of("64M", workers, lambda *progress: told.append(progress))
    shards = describe_shards([str(files)], resources)
    assert [shard.name for shard in shards] == ["a.txt", "b.txt.gz", "deep/c.txt"]
    for shard in shards:
        data = (files / shard.name).read_bytes()
        assert shard.path == str(files / shard.name)
        assert (shard.size, shard.checksum) == (len(data), xxhash.xxh3_128_hexdigest(data))
    assert told[-1][1] == sum(shard.size for shard in shards)
    assert [source.path for source in sources_of(shards)] == [shard.path for shard in shards]


def test_a_file_is_large_enough_to_be_read_in_chunks(files, monkeypatch):
    whole = describe_shards([str(files)], Resources.of("64M", 1, None))
    monkeypatch.setattr(module, "_CHUNK", 3)
    assert describe_shards([str(files)], Resources.of("64M", 1, None)) == whole


@pytest.mark.parametrize(("text", "change"), [("other", "its bytes are others"), ("more than it had", "has 16 bytes")])
def test_a_file_that_changed_is_told_by_its_size_or_its_bytes(files, text, change):
    shards = describe_shards([str(files)], Resources.of("64M", 1, None))
    require_unchanged(shards)
    (files / "a.txt").write_text(text)
    with pytest.raises(PlanError, match=rf"a\.txt: changed since the plan was made \(.*{change}"):
        require_unchanged(shards)
    (files / "a.txt").unlink()
    with pytest.raises(CorpusError, match=r"a\.txt"):
        require_unchanged(shards)


class _Endless(io.RawIOBase):
    """A stream that never ends, and counts what was read of it."""

    read_bytes = 0

    def readable(self):
        return True

    def readinto(self, buffer):
        buffer[:] = bytes(len(buffer))
        _Endless.read_bytes += len(buffer)
        return len(buffer)


def test_a_url_that_has_no_end_is_read_no_further_than_it_was_long(monkeypatch):
    fsspec = pytest.importorskip("fsspec")
    with fsspec.open("memory://shards/a.txt", "wb") as file:
        file.write(b"first")
    shards = describe_shards(["memory://shards/a.txt"], Resources.of("64M", 1, None))
    require_unchanged(shards)
    monkeypatch.setattr("ibidem.corpus.opening._open_remote", lambda url: io.BufferedReader(_Endless(), 1 << 10))
    with pytest.raises(PlanError, match=r"a\.txt: changed since the plan was made \(it has more bytes and had 5\)"):
        require_unchanged(shards)
    assert _Endless.read_bytes <= 1 << 12


def test_parts_are_of_a_size_if_no_number_is_given():
    shards = [Shard(str(number), str(number), module.PART_BYTES // 2, "") for number in range(6)]
    assert choose_parts(shards, None) == [(0, 2), (2, 4), (4, 6)]
    assert choose_parts(shards, 2) == [(0, 3), (3, 6)]
    assert choose_parts(shards[:1], None) == choose_parts(shards[:1], 9) == [(0, 1)]


@pytest.fixture
def lines(tmp_path):
    """A file of 100 lines, the longest of which has more bytes than a small piece; the last one has no end."""
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"\n".join(b"x" * (number % 7 if number != 40 else 90) for number in range(100)))
    return path


@pytest.mark.parametrize("parts", [1, 2, 5, 60, 1000])
@pytest.mark.parametrize("chunk", [3, 1 << 22])
def test_a_file_of_lines_is_cut_at_their_ends(lines, monkeypatch, parts, chunk):
    monkeypatch.setattr(module, "_CHUNK", chunk)
    shards = describe_shards([str(lines)], Resources.of("64M", 1, None), parts)
    data = lines.read_bytes()
    pieces = []
    for source, shard in zip(sources_of(shards), shards, strict=True):
        with open_stored(source) as stream:
            pieces.append(stream.read())
        assert xxhash.xxh3_128_hexdigest(pieces[-1]) == shard.checksum
        assert source.lines_before == b"".join(pieces[:-1]).count(b"\n")
    assert b"".join(pieces) == data
    assert all(piece.endswith(b"\n") for piece in pieces[:-1])
    assert len(shards) <= parts
    assert (len(shards) > 1) == (parts > 1)
    require_unchanged(shards)
    assert len(choose_parts(shards, parts)) <= parts


def test_a_change_in_one_piece_and_bytes_behind_the_last_are_found(lines):
    shards = describe_shards([str(lines)], Resources.of("64M", 1, None), 5)
    data = lines.read_bytes()
    lines.write_bytes(data.replace(b"x" * 90, b"y" * 90))
    [changed] = [shard for shard in shards if _is_refused(shard)]
    assert changed.piece.line <= 41
    lines.write_bytes(data + b"more")
    assert all(_is_refused(shard) for shard in shards)
    lines.write_bytes(data)
    require_unchanged(shards)


def _is_refused(shard):
    try:
        require_unchanged([shard])
    except PlanError as error:
        return "lines.jsonl: changed since the plan was made" in str(error)
    return False


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.json", "a.csv", "a.txt"])
def test_what_cannot_be_cut_is_one_shard_and_named_if_it_is_a_giant(tmp_path, name, monkeypatch):
    monkeypatch.setattr(module, "PART_BYTES", 100)
    (tmp_path / name).write_bytes(b"a line\n" * 100)
    shards = describe_shards([str(tmp_path / name)], Resources.of("64M", 1, None), None)
    assert [shard.piece for shard in shards] == [None]
    prediction = Prediction(0, 0, 0.0, 0, 0, "")
    plan = Plan(
        kind="index",
        output="",
        shards=shards * 8,
        parts=[(n, n + 1) for n in range(8)],
        settings={},
        memory=0,
        prediction=prediction,
    )
    assert find_giants(plan) == []
    assert find_giants(msgspec.structs.replace(plan, parts=[(0, 8)])) == []
    monkeypatch.setattr(module, "PART_BYTES", 10)
    small = Shard("b", "b", 1, "")
    assert find_giants(
        msgspec.structs.replace(plan, shards=[shards[0], small, small], parts=[(0, 1), (1, 2), (2, 3)])
    ) == [shards[0]]
