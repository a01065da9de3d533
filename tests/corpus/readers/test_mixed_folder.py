"""A folder as people have it: twelve kinds of files with the same two passages, and two that are broken."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ibidem import PassageIndex
from ibidem.corpus import read
from ibidem.corpus.failures import Failures
from ibidem.errors import CorpusError

from . import samples

pytest.importorskip("docx")

PLACES = {
    "letter.html": ("section Morning", "section Evening"),
    "letter.pdf": ("page 1", "page 2"),
    "letter.docx": ("section Morning", "section Evening"),
    "letter.odt": ("section Morning", "section Evening"),
    "letter.rtf": ("section Morning, page 1", "section Evening, page 2"),
    "letter.epub": ("section Morning", "section Evening"),
    "letter.md": ("section Morning", "section Evening"),
    "letter.tei.xml": ("section 1 Morning, page 12r", "section 2 Evening, page 12v"),
    "letter.alto.xml": ("page 7, lines 1 to 2", "page 8, lines 1 to 2"),
    "letter.page.xml": ("page 7.png, line 1", "page 7.png, line 2"),
    "letter.hocr": ("page 1, line 1", "page 2, line 1"),
    "0001Author.Book.mARkdown": ("section Morning, page 1:7", "section Morning, page 1:8"),
}
"""Where the first and the second passage lie in each."""


def test_all_passages_are_found_located_and_cut_out_and_what_is_broken_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "essays"
    folder.mkdir()
    samples.write_samples(folder)
    assert {path.name for path in folder.iterdir()} == PLACES.keys()
    whole = samples.docx()
    (folder / "broken.docx").write_bytes(whole[: len(whole) // 2])
    (folder / "scan.pdf").write_bytes(samples.pdf(with_text=False))
    failures = Failures()
    documents = read(folder, failures=failures)
    with PassageIndex.build(tmp_path / "essays.ibidem", documents, min_length=8) as index:
        assert {name.partition("/")[0] for name in index.ids()} == PLACES.keys()
        for number, passage in enumerate(samples.PAGES):
            found = {match.document: match for match in index.search(passage, threshold=0.9)}
            assert found.keys() == PLACES.keys()
            for name, match in found.items():
                assert match.similarity == 1.0, name
                assert " ".join(match.text.split()) == passage.rstrip("."), name
                assert match.locator.startswith(PLACES[name][number]), (name, match.locator)
    broken = sorted(failure.message for failure in failures)
    assert failures.files == len(broken) == 2
    assert "broken.docx: " in broken[0]
    assert "scan.pdf: " in broken[1]
    assert "OCR" in broken[1]


@pytest.mark.parametrize(("name", "pack"), [("a.zip", samples.pack), ("a.tar", samples.pack_tar)])
def test_files_in_an_archive_that_hold_no_text_are_passed_over_with_a_warning(
    tmp_path: Path, name: str, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    plates = {"b.png": b"\x89PNG\r\n\x1a\n", "c.bin": bytes(range(32)) * 4, "uv.lock": b"version = 1"}
    inner = {"in.zip": samples.pack({"deep.txt": b"a deep text", "d.jpg": b"\xff\xd8\xff\xe0"})}
    (tmp_path / name).write_bytes(pack({"a.txt": b"a first text", **plates, **inner, "z.txt": b"a last text"}))
    with pytest.warns(
        UserWarning, match=rf"{name}: 4 files are no documents and are passed over: b.png \(a picture, .*more$"
    ):
        [batch] = read(tmp_path / name)
    assert {each.rpartition(name)[2] for each in batch.ids} == {"/a.txt", "/in.zip/deep.txt", "/z.txt"}


def test_an_archive_of_pictures_alone_is_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(samples.pack({"b.png": b"\x89PNG\r\n\x1a\n"}))
    with pytest.raises(CorpusError, match=r"a\.zip: 1 file is no document and is passed over: b\.png"):
        list(read(tmp_path / "a.zip"))
