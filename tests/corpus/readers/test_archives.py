"""A file of an archive that cannot be read is left out by itself: the others are read."""

import bz2
import gzip
import io
import lzma
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("docx")

from ibidem.corpus import files, read
from ibidem.corpus.failures import Failures
from ibidem.corpus.readers import archives
from ibidem.corpus.readers.document import Opened, UnreadableError
from ibidem.corpus.readers.registry import find_kind
from ibidem.errors import CorpusError

from . import samples

ENDING = """
import os
def read(opened):
    if b"end" in opened.read():
        os._exit(9)
    raise KeyError("inside of a library")
    yield
"""


@pytest.fixture
def reader_that_ends_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a reader of files ``.ending``: it ends the process if they hold "end", and fails otherwise."""
    meta = tmp_path / "plugin" / "ending-1.dist-info"
    meta.mkdir(parents=True)
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: ending\nVersion: 1\n")
    (meta / "entry_points.txt").write_text("[ibidem.readers]\nending = ending_reader_plugin:read\n")
    (tmp_path / "plugin" / "ending_reader_plugin.py").write_text(ENDING)
    monkeypatch.syspath_prepend(str(tmp_path / "plugin"))
    files._close_idle()  # those that run do not know the plugin


BROKEN = {
    "b/scan.pdf": samples.pdf(with_text=False),
    "c/half.docx": samples.docx()[:900],
    "d/odd.xml": b"<TEI><text>never closed",
    "e.zip": samples.pack({"deep/scan.pdf": samples.pdf(with_text=False), "deep/ok.txt": b"a deep text"}),
    "f.zip": samples.pack({"x.txt": b"text"})[:40],
    "g.ending": b"please end here",
    "h.ending": b"fail",
    "i.ending": b"end again",
    "j.tar": samples.pack_tar({"k.ending": b"end", "l.md": b"a text after it"}),
}


@pytest.mark.usefixtures("reader_that_ends_its_process")
@pytest.mark.parametrize(("name", "pack"), [("all.zip", samples.pack), ("all.tar", samples.pack_tar)])
def test_a_file_in_an_archive_that_cannot_be_read_is_left_out_by_itself(
    tmp_path: Path, name: str, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    letters = {letter: make() for letter, make in samples.SAMPLES.items()}
    (tmp_path / name).write_bytes(pack({"a.txt": b"a first text", **BROKEN, **letters, "z.txt": b"a last text"}))
    failures = Failures()
    ids = [id for batch in read(tmp_path / name, failures=failures) for id in batch.ids]
    inner = {"e.zip/deep/ok.txt", "j.tar/l.md"}
    assert {id.partition(f"{name}/")[2] for id in ids} == {"a.txt", "z.txt", *letters, *inner}
    assert len(ids) == len(set(ids))
    named = {failure.message.partition(": ")[2].partition(": ")[0]: failure for failure in failures}
    assert named.keys() == {
        *(BROKEN.keys() - {"e.zip", "j.tar"}), "e.zip/deep/scan.pdf", "j.tar/k.ending"
    }  # fmt: skip
    assert "OCR" in named["b/scan.pdf"].message
    assert "ended its process" in named["i.ending"].message
    assert "KeyError" in named["h.ending"].message
    assert (failures.rows, failures.files) == (len(named), 0)
    assert all("\n" not in failure.message and "left out" not in failure.message for failure in failures)
    with pytest.raises(CorpusError, match=rf"{name}: b/scan\.pdf: .*OCR"):
        list(read(tmp_path / name))


@pytest.mark.parametrize("kind", [*samples.SAMPLES])
@pytest.mark.parametrize(("name", "pack"), [("all.zip", samples.pack), ("all.tar", samples.pack_tar)])
def test_the_files_after_a_damaged_one_of_any_kind_are_read(
    tmp_path: Path, kind: str, name: str, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    whole = samples.SAMPLES[kind]()
    harmed = whole[: len(whole) // 3]
    (tmp_path / name).write_bytes(pack({"a.txt": b"a first text", kind: harmed, "z.txt": b"a last text"}))
    failures = Failures()
    ids = [id.partition(f"{name}/")[2] for batch in read(tmp_path / name, failures=failures) for id in batch.ids]
    left_out = [failure.message.partition(": ")[2].partition(": ")[0] for failure in failures]
    assert sorted([*ids, *left_out]) == sorted(["a.txt", kind, "z.txt"])
    assert {"a.txt", "z.txt"} <= set(ids)


@pytest.mark.usefixtures("reader_that_ends_its_process")
def test_an_archive_whose_files_end_process_after_process_is_given_up(tmp_path: Path) -> None:
    members = {f"{number:02}.ending": b"end" for number in range(14)}
    (tmp_path / "all.zip").write_bytes(samples.pack({"0.txt": b"a text", **members, "z.txt": b"never read"}))
    failures = Failures()
    ids = [id for batch in read(tmp_path / "all.zip", failures=failures) for id in batch.ids]
    assert [id.rpartition("/")[2] for id in ids] == ["0.txt"]
    assert (failures.rows, failures.files) == (10, 1)
    assert "all.zip: 10.ending: " in next(failure.message for failure in failures if failure.row is None)


def test_what_a_zip_refuses_of_one_file_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.txt", b"a first text")
        packed.writestr("bomb.txt", b" " * (80 << 20))
        packed.writestr("crc.txt", b"a text whose bytes are changed " * 30, zipfile.ZIP_STORED)
        packed.writestr("long.txt", b"much longer than others " * 100)
        packed.writestr("z.txt", b"a last text")
    path.write_bytes(path.read_bytes().replace(b"whose bytes are changed", b"whose bytes are CHANGED", 1))
    failures = Failures()
    ids = [id for batch in read(path, failures=failures, max_line=2000) for id in batch.ids]
    assert [id.rpartition("/")[2] for id in ids] == ["a.txt", "z.txt"]
    causes = [failure.message for failure in failures]
    assert [cause.partition(": ")[2].partition(": ")[0] for cause in causes] == ["bomb.txt", "crc.txt", "long.txt"]
    for cause, reason in zip(causes, ["--max-line", "damaged in the zip file", "--max-line"], strict=True):
        assert reason in cause


def test_a_zip_of_word_files_is_no_word_file(tmp_path: Path) -> None:
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(tmp_path / "essays", "w", compression) as packed:
            for letter, make in [("a.docx", samples.docx), ("b.odt", samples.odt), ("c.epub", samples.epub)]:
                packed.writestr(letter, make())
        ids = [id.rpartition("/")[2] for batch in read(tmp_path / "essays") for id in batch.ids]
        assert ids == ["a.docx", "b.odt", "c.epub"]


def ids_of(path: Path, failures: Failures | None = None) -> list[str]:
    ids = [id.rpartition("/")[2] for batch in read(path, failures=failures) for id in batch.ids]
    assert failures is None or len(failures) <= 1
    return ids


TAR = samples.pack_tar({"a.txt": b"a first text", "b.txt": b"another " * 99, "c.txt": b"a last text"})
STARTS = [0, 1024, 1024 + 512 + 1024]
"""Where the headers of its files begin."""


def damage(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :]


@pytest.mark.parametrize(
    ("data", "read_before", "cause"),
    [
        (TAR[: STARTS[1] + 700], ["a.txt"], "unexpected end of data"),
        (TAR[: STARTS[1]], ["a.txt"], "cut off or damaged behind a.txt"),
        (TAR[: STARTS[2]], ["a.txt", "b.txt"], "cut off or damaged behind b.txt"),
        (TAR[: STARTS[2] + 100], ["a.txt", "b.txt"], "cut off or damaged behind b.txt"),
        (damage(TAR, STARTS[1] + 5), ["a.txt"], "cut off or damaged behind a.txt"),
        (damage(TAR, STARTS[2] + 150), ["a.txt", "b.txt"], "cut off or damaged behind b.txt"),
        (TAR + TAR, ["a.txt", "b.txt", "c.txt"], "files follow behind its end, which is after c.txt"),
    ],
)
@pytest.mark.parametrize("suffix", [".tar", ".tgz", ".tar.xz", ".tar.bz2"])
def test_a_tar_that_is_cut_or_damaged_loses_nothing_in_silence(
    tmp_path: Path, data: bytes, read_before: list[str], cause: str, suffix: str
) -> None:
    path = tmp_path / f"all{suffix}"
    compress = {"xz": lzma.compress, "z2": bz2.compress, "ar": bytes}.get(suffix[-2:], gzip.compress)
    path.write_bytes(compress(data))
    with pytest.raises(CorpusError, match=cause):
        list(read(path))
    failures = Failures()
    assert ids_of(path, failures) == read_before
    assert cause in "".join(failure.message for failure in failures)
    (tmp_path / "whole.zip").write_bytes(samples.pack({f"all{suffix}": compress(data), "z.txt": b"text"}))
    assert ids_of(tmp_path / "whole.zip", Failures())[-1] == "z.txt"


def test_a_tar_that_is_whole_is_read_whatever_fills_its_last_block(tmp_path: Path) -> None:
    for filled in (TAR, TAR + bytes(10240), TAR[: STARTS[2] + 1024 + 512]):
        (tmp_path / "all.tar").write_bytes(filled)
        assert ids_of(tmp_path / "all.tar") == ["a.txt", "b.txt", "c.txt"]


@pytest.mark.parametrize("pack", [samples.pack, samples.pack_tar])
def test_compressed_files_in_an_archive_are_read(tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes]) -> None:
    members = {
        "a.txt.gz": gzip.compress(b"a text"),
        "b.html.xz": lzma.compress(samples.html()),
        "c.tar.bz2": bz2.compress(TAR),
    }
    members |= {"d.txt.gz": b"no gzip at all", "e.txt.gz": gzip.compress(b"another text")[:-5], "z.txt": b"a last text"}
    (tmp_path / "all").write_bytes(pack(members))
    failures = Failures()
    ids = [id.partition("all/")[2] for batch in read(tmp_path / "all", failures=failures) for id in batch.ids]
    assert ids == ["a.txt.gz", "b.html.xz", *(f"c.tar.bz2/{name}.txt" for name in "abc"), "d.txt.gz", "z.txt"]
    [failure] = failures
    assert "e.txt.gz: damaged or incomplete gzip file" in failure.message


def test_a_link_in_an_archive_is_no_document(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        packed.writestr("a.txt", "a text")
        for name, kind in (("link.txt", stat.S_IFLNK), ("pipe.txt", stat.S_IFIFO), ("file.txt", stat.S_IFREG)):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (kind | 0o777) << 16
            packed.writestr(entry, "a.txt")
    assert ids_of(tmp_path / "all.zip") == ["a.txt", "file.txt"]


@pytest.mark.parametrize("pack", [samples.pack, samples.pack_tar])
def test_the_files_of_archives_in_archives_are_bounded_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    monkeypatch.setattr(archives, "_LEAST_ALLOWED", 1 << 16)
    inner = samples.pack({f"{number}.txt": b"word " * 2000 for number in range(9)})
    data = pack({f"{number}.zip": inner for number in range(9)})
    documents, opened = [], Opened(io.BytesIO(data), "all.zip")
    monkeypatch.setattr(archives, "MOST_RATIO", 1)
    with pytest.raises(UnreadableError, match="refused as a bomb"):
        documents.extend(find_kind("all.zip", data[:4096]).read(opened))
    monkeypatch.setattr(archives, "MOST_RATIO", 1000)
    assert len(list(find_kind("all.zip", data[:4096]).read(Opened(io.BytesIO(data), "all.zip")))) == 81


def test_what_word_files_and_books_in_an_archive_unpack_to_counts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "_LEAST_ALLOWED", 1 << 16)
    monkeypatch.setattr(archives, "MOST_RATIO", 1)
    for name, make in (("a.docx", samples.docx), ("a.odt", samples.odt), ("a.epub", samples.epub)):
        with zipfile.ZipFile(io.BytesIO(make())) as packed:
            members = {each: packed.read(each) for each in packed.namelist()}
        data = samples.pack(
            {f"{number}{name}": samples.pack(members | {"more": b"word " * 5000}) for number in range(9)}
        )
        with pytest.raises(UnreadableError, match="refused as a bomb"):
            list(find_kind("all.zip", data[:4096]).read(Opened(io.BytesIO(data), "all.zip")))
