import pytest

from ibidem.corpus import opening, read
from ibidem.errors import CorpusError


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.py", "a.rst", "a.html", "A.TXT", "README", "a.b.unknown"])
def test_any_other_file_is_one_document_with_its_path_as_id(records, tmp_path, name):
    path = tmp_path / name
    path.write_bytes("one\ntwo é\n".encode())
    assert records(path) == [(str(path), "one\ntwo é\n", {})]


def test_not_a_byte_of_a_text_is_changed(records, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffone\r\ntwo\rthree\x00\u2028\n".encode())
    assert records(path) == [(str(path), "\ufeffone\r\ntwo\rthree\x00\u2028\n", {})]


def test_an_empty_file_is_an_empty_document(records, tmp_path):
    path = tmp_path / "a.txt"
    path.touch()
    assert records(path) == [(str(path), "", {})]


def test_invalid_utf8_is_named_by_line_and_byte(records, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntwo \xff\n")
    with pytest.raises(CorpusError, match=r"a.txt, line 2: invalid UTF-8 at byte 9 of the file \(another encoding"):
        records(path)


def test_utf16_is_recognised(records, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one", encoding="utf-16")
    with pytest.raises(CorpusError, match="looks like UTF-16"):
        records(path)


def test_long_files_are_read_as_short_ones(records, tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "LONG_BYTES", 8)
    for content in ("exactly8", "one é two 漢\n" * 20, "x" * 16):
        path = tmp_path / "a.txt"
        path.write_text(content)
        assert records(path) == [(str(path), content, {})]
    path.write_bytes(b"one\n" * 10 + b"\xff\n")
    with pytest.raises(CorpusError, match="line 11: invalid UTF-8 at byte 41"):
        records(path)
    with pytest.raises(CorpusError, match="a document of more than 20 bytes"):
        list(read(path, max_line=20))
