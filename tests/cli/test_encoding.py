"""Text files and separated values in an encoding that the user names, in every command that only reads."""

import json
from pathlib import Path

import pytest

from ibidem import PassageIndex
from ibidem.corpus import read
from ibidem.corpus.failures import Failures
from ibidem.errors import CorpusError

from .samples import Run, lines_of

TEXT = "Ærø så stormen komme, og hele landsbyen gik ned til vraget med lygter i hænderne før daggry i går"


def write_all(folder: Path, encoding: str) -> None:
    folder.mkdir()
    (folder / "a.txt").write_bytes(TEXT.encode(encoding))
    (folder / "b.csv").write_bytes(f'id,text\nb,"{TEXT}"\nc,"{TEXT} igen"\n'.encode(encoding))
    (folder / "d.tsv").write_bytes(f"id\ttext\nd\t{TEXT}\n".encode(encoding))


@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "iso8859_15", "utf-8", "utf-8-sig"])
def test_a_folder_is_read_in_the_encoding_that_was_named(tmp_path: Path, encoding: str) -> None:
    write_all(tmp_path / "in", encoding)
    found = {
        id: text
        for batch in read(tmp_path / "in", encoding=encoding)
        for id, text in zip(batch.ids, batch.texts, strict=True)
    }
    assert found == {"a.txt": TEXT, "b": TEXT, "c": f"{TEXT} igen", "d": TEXT}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32-be"])
def test_files_whose_bytes_look_like_none_are_read_by_name(tmp_path: Path, encoding: str) -> None:
    write_all(tmp_path / "in", encoding)
    for name, ids in (("a.txt", None), ("b.csv", ["b", "c"]), ("d.tsv", ["d"])):
        [batch] = read(tmp_path / "in" / name, encoding=encoding)
        assert batch.texts[0] == TEXT
        assert ids is None or batch.ids == ids


def test_what_is_not_in_the_encoding_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    write_all(tmp_path / "in", "cp1252")
    for name in ("a.txt", "b.csv"):
        with pytest.raises(CorpusError, match=rf"{name}.*not in utf-8"):
            list(read(tmp_path / "in" / name, encoding="utf-8"))
    failures = Failures()
    assert list(read(tmp_path / "in", encoding="ascii", failures=failures)) == []
    assert failures.files == 3
    with pytest.raises(ValueError, match="there is no encoding 'klingon'"):
        read(tmp_path / "in", encoding="klingon")


def test_commands_take_it(run: Run, folder: Path) -> None:
    write_all(folder / "in", "cp850")
    (folder / "one.txt").write_bytes(TEXT.encode("cp850"))
    named = ("--encoding", "cp850")
    made = run("index", "in", "-o", "a.ibidem", "--min-length", "8", *named)
    assert made.exit_code == 0, made.stderr
    with PassageIndex.open("a.ibidem") as index:
        assert {match.document for match in index.search(TEXT, threshold=1.0)} == {"a.txt", "b", "c", "d"}
    assert len(lines_of(run("search", "a.ibidem", "one.txt", "--threshold", "1", *named))) == 4
    assert len(lines_of(run("align", "--index", "a.ibidem", "one.txt", "--min-pair-length", "8", *named))) == 4
    [row] = lines_of(run("align", "one.txt", "in/a.txt", "--json", *named))
    assert row["a_text"] == TEXT
    assert run("reuse", "in", "-o", "out", "--format", "jsonl", "--texts", *named).exit_code == 0
    pairs = [json.loads(line) for line in Path("out/pairs.jsonl").read_text("utf-8").splitlines()]
    assert all("Ærø" not in (pair["a_text"] or "") or TEXT[:20] in pair["a_text"] for pair in pairs)
    assert run("index", "in", "-o", "c.ibidem", "--encoding", "klingon").exit_code == 2


@pytest.mark.parametrize("encoding", ["cp850", "utf-16-le"])
def test_what_a_deduplication_keeps_and_removes_is_text_again(run: Run, folder: Path, encoding: str) -> None:
    write_all(folder / "in", encoding)
    named = ("--encoding", encoding)
    assert run("dedup", "in", "-o", "out", *named).exit_code == 0
    assert (folder / "out/kept/a.txt").read_bytes() == TEXT.encode(encoding)
    removed = [json.loads(line) for line in (folder / "out/removed.jsonl").read_text("utf-8").splitlines()]
    assert {(row["ibidem"]["id"], row["text"]) for row in removed} >= {("b", TEXT), ("d", TEXT)}
    assert run("dedup", "in", "-o", "cut", "--passages", "--min-length", "8", *named).exit_code == 0
    assert (folder / "cut/kept/b.csv").read_text("utf-8") == "id,text\nb,\nc,igen\n"


def test_items_are_cut_out_of_text_in_an_encoding_that_was_named(run: Run, folder: Path) -> None:
    write_all(folder / "in", "cp850")
    item = {"id": "q", "question": TEXT, "answer": "nej"}
    (folder / "quiz.jsonl").write_text(json.dumps(item) + "\n", "utf-8")
    options = ("--evals", "quiz.jsonl", "--action", "remove", "--encoding", "cp850")
    plain = run("decontaminate", "in", "-o", "plain", *options)
    assert plain.exit_code == 0, plain.stderr
    assert (folder / "plain/kept/b.csv").read_text("utf-8").splitlines() == ["id,text"]
    assert run("advise", "reuse", "in", "--encoding", "cp850").exit_code == 0


@pytest.mark.parametrize(
    "text", [TEXT, "Привет, как дела? Сегодня хорошая погода.", "第一回 宴桃园豪杰三结义 斩黄巾英雄首立功。\n"]
)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_characters_without_a_mark_are_told_in_a_folder_and_said(tmp_path: Path, text: str, encoding: str) -> None:
    (tmp_path / "wide.txt").write_bytes(text.encode(encoding))
    (tmp_path / "plain.txt").write_text(text, "utf-8")
    (tmp_path / "binary.txt").write_bytes(bytes(range(256)) * 4)
    with pytest.warns(UserWarning, match=rf"binary.txt|wide.txt: read as {encoding}") as said:
        found = {id: text for batch in read(tmp_path) for id, text in zip(batch.ids, batch.texts, strict=True)}
    assert found == {"wide.txt": text, "plain.txt": text}
    assert any(f"wide.txt: read as {encoding}" in str(each.message) for each in said)
