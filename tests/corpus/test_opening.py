import bz2
import gzip
import io
import lzma
import os
import re
import sys
import threading
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import pairwise

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import opening, read
from ibidem.corpus.opening import open_stream
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError, MissingExtraError

LINES = b"".join(b'{"id": %d, "text": "text %d"}\n' % (n, n * n) for n in range(100))
DOCUMENTS = [(str(n), f"text {n * n}", {}) for n in range(100)]


def zstd(content):
    return pa.compress(content, "zstd", asbytes=True)


COMPRESSIONS = pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".zst", zstd), (".bz2", bz2.compress), (".xz", lzma.compress)]
)


@COMPRESSIONS
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", LINES),
        ("A.JSONL", LINES),
        ("a.csv", b"id,text\n" + b"".join(b"%d,text %d\n" % (n, n * n) for n in range(100))),
        ("a.tsv", b"id\ttext\n" + b"".join(b"%d\ttext %d\n" % (n, n * n) for n in range(100))),
    ],
)
def test_lines_of_every_format_are_read_through_compression(records, tmp_path, suffix, compress, *, name, content):
    path = tmp_path / (name + suffix)
    path.write_bytes(compress(content))
    assert records(path) == DOCUMENTS


@COMPRESSIONS
def test_parquet_and_text_are_read_through_compression(records, tmp_path, suffix, compress):
    pa.parquet.write_table(pa.table({"id": ["1"], "text": ["a"]}), tmp_path / "a.parquet")
    packed = tmp_path / f"a.parquet{suffix}"
    packed.write_bytes(compress((tmp_path / "a.parquet").read_bytes()))
    assert records(packed) == [("1", "a", {})]
    text = tmp_path / f"a.txt{suffix}"
    text.write_bytes(compress(b"some text"))
    assert records(text) == [(str(text), "some text", {})]


@COMPRESSIONS
@given(cuts=st.lists(st.integers(0, len(LINES)), max_size=4))
def test_members_one_after_the_other_are_one_file(records, tmp_path_factory, suffix, compress, cuts):
    path = tmp_path_factory.mktemp("members") / f"a.jsonl{suffix}"
    bounds = [0, *sorted(cuts), len(LINES)]
    path.write_bytes(b"".join(compress(LINES[a:b]) for a, b in pairwise(bounds)))
    assert records(path) == DOCUMENTS


@COMPRESSIONS
@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: whole[:-3],
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[:5],
        lambda whole: whole + b"garbage",
        lambda whole: b"not compressed at all",
    ],
    ids=["short", "half", "stub", "garbage", "plain"],
)
def test_damaged_compression_is_an_error(records, tmp_path, suffix, compress, damage):
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(damage(compress(LINES)))
    with pytest.raises(
        CorpusError, match=f"^{re.escape(str(path))}: damaged or incomplete (gzip|zstd|bz2|xz) file"
    ) as caught:
        records(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("suffix", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)])
@given(zeros=st.integers(0, 2000))
def test_zeros_that_fill_a_block_may_follow(records, tmp_path_factory, suffix, compress, zeros):
    path = tmp_path_factory.mktemp("filled") / f"a.jsonl{suffix}"
    path.write_bytes(compress(LINES) + bytes(zeros))
    assert records(path) == DOCUMENTS


@COMPRESSIONS
def test_a_pipe_is_decompressed_by_its_first_bytes(records, monkeypatch, suffix, compress):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(compress(LINES))))
    assert records("-") == DOCUMENTS
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(compress(LINES)[:-3])))
    with pytest.raises(CorpusError, match=r"^standard input: damaged or incomplete compressed file"):
        records("-")


def test_a_pipe_that_gives_a_byte_at_a_time_is_decompressed(records, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def feed():
        with pipe.open("wb", buffering=0) as out:
            for byte in gzip.compress(LINES):
                out.write(bytes([byte]))

    writer = threading.Thread(target=feed)
    writer.start()
    assert records(pipe) == DOCUMENTS
    writer.join()


@given(at=st.integers(0, len(gzip.compress(LINES, mtime=0)) - 1), change=st.integers(1, 255))
def test_a_changed_byte_of_gzip_is_an_error_or_changes_nothing(records, tmp_path_factory, at, change):
    whole = bytearray(gzip.compress(LINES, mtime=0))
    whole[at] ^= change
    path = tmp_path_factory.mktemp("changed") / "a.jsonl.gz"
    path.write_bytes(whole)
    with suppress(CorpusError):
        assert records(path) == DOCUMENTS


def test_a_wrong_checksum_is_an_error(records, tmp_path):
    whole = bytearray(gzip.compress(LINES))
    whole[-6] ^= 1
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(whole)
    with pytest.raises(CorpusError, match="damaged or incomplete gzip file"):
        records(path)


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet", "a.txt", "a.jsonl.gz"])
def test_a_file_that_may_not_be_read_is_an_error(records, tmp_path, monkeypatch, name):
    def refuse(path, *arguments, **options):
        raise PermissionError(13, "Permission denied", path)

    path = tmp_path / name
    path.write_bytes(b"")
    monkeypatch.setattr(opening, "open", refuse, raising=False)
    with pytest.raises(CorpusError, match=f"^{re.escape(str(path))}: cannot be read: Permission denied$"):
        records(path)


def test_urls_are_opened_by_fsspec(records):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/corpus/a.jsonl.gz", gzip.compress(b'{"text": "a"}\n'))
    url = "memory://corpus/a.jsonl.gz"
    assert records(url) == [(f"{url}:0", "a", {})]
    with pytest.raises(CorpusError, match=r"^memory://corpus/none.jsonl.gz: cannot be read: FileNotFoundError"):
        records("memory://corpus/none.jsonl.gz")


def test_a_url_is_read_by_several_readers_at_a_time():
    memory = pytest.importorskip("fsspec").filesystem("memory")
    memory.pipe("/corpus/twice.jsonl", b"0123456789")
    source = Source("memory://corpus/twice.jsonl", "twice.jsonl")
    with open_stream(source) as first, open_stream(source) as second:
        assert [first.read(5), second.read(5), first.read(5), second.read(5)] == [
            b"01234",
            b"01234",
            b"56789",
            b"56789",
        ]


def test_an_unknown_scheme_is_an_error(records):
    pytest.importorskip("fsspec")
    with pytest.raises(CorpusError, match=r"^nonsense://a: cannot be opened: "):
        records("nonsense://a")


def test_a_url_without_fsspec_names_the_extra(records, monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"^reading s3 paths needs .*pip install 'ibidem\[remote\]'"):
        records("s3://bucket/a.jsonl")


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.tsv"])
def test_a_line_that_would_take_all_memory_is_refused_with_its_number(tmp_path, name):
    separator = "\t" if name == "a.tsv" else ","
    if name == "a.jsonl":
        first, second = (f'{{"id": "{id}", "text": "{"word " * words}"}}\n' for id, words in (("a", 9), ("b", 300_000)))
    else:
        first, second = f"id{separator}text\n", f"b{separator}{'word ' * 300_000}\n"
    (tmp_path / name).write_text(first + second)
    with pytest.raises(CorpusError, match=r"line 2: a line of more than 1,048,576 bytes; cut the document"):
        list(read(tmp_path / name, max_line="1M"))
    assert [batch.ids for batch in read(tmp_path / name, max_line="2M")] == [["a", "b"] if name == "a.jsonl" else ["b"]]


def test_a_document_that_would_take_all_memory_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("word " * 300_000)
    with pytest.raises(CorpusError, match=r"a\.txt: a document of more than 1,048,576 bytes; .*--max-line"):
        list(read(tmp_path / "a.txt", max_line="1M"))
    assert len(list(read(tmp_path / "a.txt", max_line="2M"))) == 1


@pytest.mark.parametrize("size", ["0", "-5", "9999999T", "1e300", "much"])
def test_a_size_of_lines_that_cannot_be_is_refused(tmp_path, size):
    (tmp_path / "a.txt").write_text("word")
    with pytest.raises(ValueError, match="size"):
        read(tmp_path / "a.txt", max_line=size)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_reading_ends_when_another_thread_stops_it(tmp_path, name):
    stopped = threading.Event()
    (tmp_path / name).write_bytes(gzip.compress(LINES) if name.endswith(".gz") else LINES)
    source = Source(str(tmp_path / name), name, stopped=stopped)
    with open_stream(source) as stream:
        assert stream.read() == LINES
    stopped.set()
    with pytest.raises(CancelledError), open_stream(source) as stream:
        list(stream)
