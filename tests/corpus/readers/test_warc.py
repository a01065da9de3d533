"""The pages of a crawl are all read, or an error says from where they are not."""

import gzip
from pathlib import Path

import pytest

pytest.importorskip("fastwarc")

from ibidem.corpus import read
from ibidem.corpus.failures import Failures
from ibidem.errors import CorpusError

from . import samples

PAGES = [b"<p>a first page", b"<p>another page", b"<p>a last page"]
RECORDS = [samples.warc(page) for page in PAGES]
WHOLE = b"".join(RECORDS)


def ids_of(path: Path, failures: Failures | None = None) -> list[str]:
    return [id.rpartition("/")[2] for batch in read(path, failures=failures) for id in batch.ids]


def test_a_page_of_a_web_archive_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    pages = [b"<p>a first page", b"<p>" + b"a long page " * 1000, b"<p>a last page"]
    (tmp_path / "crawl.warc").write_bytes(b"".join(map(samples.warc, pages)))
    failures = Failures()
    ids = [id for batch in read(tmp_path / "crawl.warc", failures=failures, max_line=2000) for id in batch.ids]
    assert [id.rpartition("/")[2] for id in ids] == ["1", "3"]
    [failure] = failures
    assert "crawl.warc: record 2: " in failure.message
    assert failure.row == 1


@pytest.mark.parametrize("name", ["crawl.warc", "crawl.warc.gz", "packed.warc", "crawl.wet", "members.warc.gz"])
def test_every_page_is_read(tmp_path: Path, name: str) -> None:
    data = gzip.compress(WHOLE) if name.endswith(".gz") or name == "packed.warc" else WHOLE
    data = b"".join(map(gzip.compress, RECORDS)) if name == "members.warc.gz" else data
    (tmp_path / name).write_bytes(data)
    assert ids_of(tmp_path / name) == ["1", "2", "3"]


def with_length(record: bytes, change: int) -> bytes:
    length = int(record.partition(b"Content-Length: ")[2].partition(b"\r")[0])
    return record.replace(b"Content-Length: %d" % length, b"Content-Length: %d" % (length + change))


@pytest.mark.parametrize(
    ("data", "before", "cause"),
    [
        (WHOLE[:-30], 2, "cut off in record 3"),
        (WHOLE[: len(RECORDS[0]) + 60], 1, "cut off or damaged in the header of record 2"),
        (RECORDS[0] + with_length(RECORDS[1], -5) + RECORDS[2], 1, "record 2 .* does not end where its length says"),
        (RECORDS[0] + with_length(RECORDS[1], 9) + RECORDS[2], 1, "record 2 .* does not end where its length says"),
        (RECORDS[0] + with_length(RECORDS[1], 10**6) + RECORDS[2], 1, "cut off in record 2"),
        (RECORDS[0] + RECORDS[1].replace(b"Content-Length", b"X-Length") + RECORDS[2], 1, "record 2 .* has no length"),
        (b"nothing of the kind " * 9, 0, "no WARC records in it"),
    ],
)
@pytest.mark.parametrize("suffix", [".warc", ".warc.gz"])
def test_a_crawl_that_is_cut_or_has_false_lengths_loses_no_page_in_silence(
    tmp_path: Path, data: bytes, before: int, cause: str, suffix: str
) -> None:
    path = tmp_path / f"crawl{suffix}"
    path.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    with pytest.raises(CorpusError, match=cause):
        list(read(path))
    failures = Failures()
    assert ids_of(path, failures) == [str(number + 1) for number in range(before)]
    assert (failures.rows, failures.files) == (0, 1)


def test_the_end_of_the_last_page_needs_no_empty_lines(tmp_path: Path) -> None:
    (tmp_path / "crawl.warc").write_bytes(WHOLE.rstrip(b"\r\n"))
    assert ids_of(tmp_path / "crawl.warc") == ["1", "2", "3"]
