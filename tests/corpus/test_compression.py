"""Compressed streams are what the programs of the same names write and read."""

import bz2
import gzip
import io
import lzma

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus.compression import COMPRESSIONS, find_compression, open_compressor, open_decompressor

ORACLES = {
    "gzip": gzip.decompress,
    "zstd": lambda data: pa.CompressedInputStream(pa.BufferReader(data), "zstd").read(),
    "bz2": bz2.decompress,
    "xz": lzma.decompress,
}


class Kept(io.BytesIO):
    """A stream that can be looked at when whoever wrote to it has closed it."""

    def close(self) -> None:
        pass


def compress(data: bytes, compression: str) -> bytes:
    out = Kept()
    with open_compressor(out, compression) as stream:
        stream.write(data)
    return out.getvalue()


@pytest.mark.parametrize("compression", COMPRESSIONS.values())
@given(data=st.binary(max_size=2000), parts=st.integers(1, 3))
def test_what_is_compressed_is_read_back_part_after_part(compression: str, data: bytes, parts: int) -> None:
    packed = compress(data, compression)
    assert ORACLES[compression](packed) == data
    with io.BufferedReader(open_decompressor(io.BytesIO(packed * parts), compression)) as stream:
        assert stream.read() == data * parts
        assert stream.read() == b""


@pytest.mark.parametrize("compression", COMPRESSIONS.values())
def test_the_first_bytes_show_the_compression(compression: str) -> None:
    assert find_compression(compress(b"some text", compression)) == compression


@pytest.mark.parametrize("text", [b"", b"\x1f", b"BZh", b"BZh is no word, nor BZh91AY", b'{"text": "a"}', b"(\xb5/"])
def test_text_is_not_taken_for_compressed(text: bytes) -> None:
    assert find_compression(text) is None
