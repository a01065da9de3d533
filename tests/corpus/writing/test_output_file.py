"""New files of the output."""

import bz2
import gzip
import lzma
from pathlib import Path

import pyarrow as pa
import pytest

from ibidem.corpus.writing.output_file import create_file
from ibidem.errors import CorpusError

LINES = [b"line %d\n" % number for number in range(1000)]


@pytest.mark.parametrize(
    ("compression", "decompress"),
    [
        (None, bytes),
        ("gzip", gzip.decompress),
        ("zstd", lambda data: pa.CompressedInputStream(pa.BufferReader(data), "zstd").read()),
        ("bz2", bz2.decompress),
        ("xz", lzma.decompress),
    ],
    ids=["none", "gzip", "zstd", "bz2", "xz"],
)
def test_what_is_written_line_by_line_is_read_back(tmp_path: Path, compression, decompress) -> None:
    with create_file(tmp_path / "a", compression) as out:
        for line in LINES:
            out.write(line)
    assert decompress((tmp_path / "a").read_bytes()) == b"".join(LINES)


@pytest.mark.parametrize("compression", ["gzip", "zstd", "bz2", "xz"])
def test_a_compressed_file_holds_no_time_and_no_name(tmp_path: Path, compression: str) -> None:
    for name in ("a", "b"):
        with create_file(tmp_path / name, compression) as out:
            out.write(b"text")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_gzip_file_has_an_empty_head(tmp_path: Path) -> None:
    with create_file(tmp_path / "a", "gzip") as out:
        out.write(b"text")
    assert (tmp_path / "a").read_bytes()[3:8] == bytes(5)


def test_a_file_that_stands_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("before")
    with pytest.raises(CorpusError, match="cannot be written"), create_file(tmp_path / "a", "gzip"):
        pass
    assert (tmp_path / "a").read_text() == "before"
