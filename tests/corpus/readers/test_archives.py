"""A file of an archive that cannot be read is left out by itself: the others are read."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("docx")

from ibidem.corpus import files, read
from ibidem.corpus.failures import Failures
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


def test_a_page_of_a_web_archive_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    pages = [b"<p>a first page", b"<p>" + b"a long page " * 1000, b"<p>a last page"]
    (tmp_path / "crawl.warc").write_bytes(b"".join(map(samples.warc, pages)))
    failures = Failures()
    ids = [id for batch in read(tmp_path / "crawl.warc", failures=failures, max_line=2000) for id in batch.ids]
    assert [id.rpartition("/")[2] for id in ids] == ["1", "3"]
    [failure] = failures
    assert "crawl.warc: record 2: " in failure.message
    assert failure.row == 1


def test_a_zip_of_word_files_is_no_word_file(tmp_path: Path) -> None:
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(tmp_path / "essays", "w", compression) as packed:
            for letter, make in [("a.docx", samples.docx), ("b.odt", samples.odt), ("c.epub", samples.epub)]:
                packed.writestr(letter, make())
        ids = [id.rpartition("/")[2] for batch in read(tmp_path / "essays") for id in batch.ids]
        assert ids == ["a.docx", "b.odt", "c.epub"]
