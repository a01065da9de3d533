import lzma

import pytest

from ibidem.corpus import read
from ibidem.errors import CorpusError


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.py", "a.rst", "A.TXT", "README", "a.b.unknown"])
def test_any_other_file_is_one_document_with_its_path_as_id(records, tmp_path, name):
    path = tmp_path / name
    path.write_bytes("one\ntwo é\n".encode())
    assert records(path) == [(str(path), "one\ntwo é\n", {})]


def test_not_a_byte_of_a_text_is_changed(records, tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("one\r\ntwo\rthree\x00\u2028\n".encode())
    assert records(path) == [(str(path), "one\r\ntwo\rthree\x00\u2028\n", {})]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("name", ["a.txt", "a.txt.xz", "a.md"])
@pytest.mark.filterwarnings("ignore:.*read as utf")
def test_a_byte_order_mark_is_no_text(records, tmp_path, encoding, named, name):
    path, text = tmp_path / name, "\nThe tide went out before dawn. \ufeffÆrø"
    content = text.encode(encoding)
    path.write_bytes(lzma.compress(content) if name.endswith(".xz") else content)
    names = {"encoding": {"utf-8-sig": "utf-8"}.get(encoding, encoding)} if named else {}
    assert records(path, **names)[0][1] == text


def test_an_empty_file_is_an_empty_document(records, tmp_path):
    path = tmp_path / "a.txt"
    path.touch()
    assert records(path) == [(str(path), "", {})]


def test_another_encoding_is_found_out_and_said(records, tmp_path):
    path = tmp_path / "a.txt"
    text = "Die Straße führte über die Brücke, und der Müller öffnete die Tür. " * 5
    path.write_bytes(text.encode("cp1252"))
    with pytest.warns(UserWarning, match=r"a.txt: read as cp1252; if that is wrong, name the encoding"):
        assert records(path) == [(str(path), text, {"encoding": "cp1252"})]


def test_utf16_is_recognised_by_its_mark(records, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("one", encoding="utf-16")
    with pytest.warns(UserWarning, match="read as utf-16"):
        assert records(path) == [(str(path), "one", {"encoding": "utf-16"})]


@pytest.mark.parametrize(("content", "cause"), [(b"\x89PNG\r\n", "a picture"), (bytes(range(256)) * 9, "binary data")])
def test_what_is_no_text_is_an_error_that_names_the_file(records, tmp_path, content, cause):
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=rf"a\.txt: .*{cause}"):
        records(path)


def test_a_file_has_as_many_bytes_as_are_allowed(records, tmp_path):
    for content in ("exactly8", "one é two 漢\n" * 20, "x" * 16):
        path = tmp_path / "a.txt"
        path.write_text(content)
        assert records(path) == [(str(path), content, {})]
    with pytest.raises(CorpusError, match="a document of more than 12 bytes"):
        list(read(path, max_line=12))
