import gzip
import os
from pathlib import Path

import pytest

from ibidem.corpus import ReadingProgress, read
from ibidem.corpus.formats import FORMATS
from ibidem.corpus.sources import TABLES, Source, list_sources
from ibidem.errors import CorpusError


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name in ["d/b.txt", "d/a/z.txt", "d/a/.hidden", "d/.git/config", "d/a.txt", "d/c.jsonl", "e/f.txt"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(paths):
    return [source.name for source in list_sources(paths)]


def test_a_folder_is_read_recursively_in_order_without_hidden_files(tree):
    assert names("d") == ["a/z.txt", "a.txt", "b.txt", "c.jsonl"]
    assert names("d/") == names(tree / "d") == names("d")
    assert list_sources("d")[0].path == "d/a/z.txt"


def test_paths_keep_the_order_in_which_they_are_given(tree):
    assert names(["e/f.txt", Path("d/b.txt"), "d/a"]) == ["e/f.txt", "d/b.txt", "z.txt"]


def test_a_hidden_file_that_is_named_is_read(tree):
    assert names("d/a/.hidden") == ["d/a/.hidden"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("d/*.txt", ["d/a.txt", "d/b.txt"]),
        ("d/[ab].txt", ["d/a.txt", "d/b.txt"]),
        ("*/?.txt", ["d/a.txt", "d/b.txt", "e/f.txt"]),
        ("d/**/*.txt", ["d/a/z.txt", "d/a.txt", "d/b.txt"]),
        ("d/**", ["a/z.txt", "a.txt", "b.txt", "c.jsonl"]),
        ("**", ["a/z.txt", "a.txt", "b.txt", "c.jsonl", "f.txt"]),
        ("[e]", ["f.txt"]),
    ],
)
def test_globs_are_expanded_and_sorted_and_read_no_file_twice(tree, pattern, expected):
    assert names(pattern) == expected


def test_a_file_whose_name_looks_like_a_glob_is_itself(tree):
    (tree / "[e]").write_text("")
    assert names("[e]") == ["[e]"]


def test_links_are_followed_but_not_round_in_circles(tree):
    (tree / "e" / "link").symlink_to(tree / "d" / "a")
    (tree / "e" / "self").symlink_to(tree / "e")
    assert names("e") == ["f.txt", "link/z.txt"]


def test_standard_input_and_the_urls_of_files_are_passed_on(tree):
    assert list_sources(["-", "memory://bucket/a.jsonl"]) == [
        Source("standard input", "stdin", is_pipe=True),
        Source("memory://bucket/a.jsonl", "memory://bucket/a.jsonl"),
    ]


def test_a_missing_file_is_an_error(tree):
    with pytest.raises(CorpusError, match=r"^d/none\.txt: cannot be read: No such file or directory$"):
        list_sources(["d", "d/none.txt"])


def test_a_glob_that_matches_nothing_is_an_error(tree):
    with pytest.raises(CorpusError, match=r"^d/\*\.csv: no file matches"):
        list_sources("d/*.csv")


def test_a_folder_without_files_is_an_error(tree):
    (tree / "empty" / "within").mkdir(parents=True)
    (tree / "empty" / ".hidden").write_text("")
    with pytest.raises(CorpusError, match=r"^empty: the folder holds no files"):
        list_sources("empty")


def test_an_index_in_a_folder_is_passed_over_with_a_warning(tree):
    manifest = '{"format_version": 99, "fingerprint": "5d19", "segments": [], "more": 1}'
    for name in ("e/books.ibidem", "e/extension"):
        (tree / name).mkdir()
        (tree / name / "manifest.json").write_text(manifest if name.endswith("ibidem") else '{"name": "page"}')
    with pytest.warns(UserWarning, match=r"^e/books.ibidem: an index, not documents: it is passed over$"):
        assert names("e") == ["extension/manifest.json", "f.txt"]


def test_a_broken_link_in_a_folder_is_an_error(tree):
    (tree / "e" / "broken").symlink_to(tree / "nowhere")
    with pytest.raises(CorpusError, match=r"^e/broken: neither a file nor a folder, but a broken link"):
        list_sources("e")


def test_a_folder_that_may_not_be_listed_is_an_error(tree, monkeypatch):
    def refuse(folder):
        raise PermissionError(13, "Permission denied", folder)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(CorpusError, match=r"^d: cannot be read: Permission denied$"):
        list_sources("d")


def test_a_name_that_is_not_unicode_is_an_error(tree):
    (tree / os.fsdecode(b"e/\xff.txt")).write_text("")
    with pytest.raises(CorpusError, match="the name is not UTF-8"):
        list_sources("e")


LINE = '{"text": "in the same place"}\n'


def test_bytes_are_counted_while_files_are_read_and_all_in_the_end(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINE * 100_000)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(LINE.encode() * 1000))
    (tmp_path / "c.txt").write_text("in the same place")
    size = sum(file.stat().st_size for file in tmp_path.iterdir())
    progress = ReadingProgress()
    assert (progress.total, progress.done()) == (None, 0)
    documents = read(tmp_path, batch_bytes=1 << 20, progress=progress)
    assert progress.total == size
    seen = [progress.done() for _ in documents]
    assert len(seen) > 2
    assert 0 < seen[0] < seen[1] < size
    assert seen == sorted(seen)
    assert progress.done() == size


def test_the_whole_of_a_pipe_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINE)
    progress = ReadingProgress()
    read([tmp_path / "a.jsonl", "-"], progress=progress)
    assert progress.total is None


def test_the_bytes_of_inputs_that_are_named_one_after_the_other_add_up(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LINE)
    (tmp_path / "b.jsonl").write_text(LINE * 2)
    progress = ReadingProgress()
    parts = [read(tmp_path / name, progress=progress) for name in ("a.jsonl", "b.jsonl")]
    assert progress.total == 3 * len(LINE)
    assert sum(len(batch.ids) for part in parts for batch in part) == 3
    assert progress.done() == progress.total
    read("-", progress=progress)
    read(tmp_path / "a.jsonl", progress=progress)
    assert progress.total is None


def test_files_of_a_folder_that_hold_no_text_are_passed_over_and_counted(tmp_path):
    names = {"a.txt": b"text", "b.png": b"\x89PNG\r\n", "c.bin": bytes(range(256)) * 9, "package-lock.json": b"{}"}
    for name, content in names.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "d.jsonl").write_text('{"text": "row"}\n')
    with pytest.warns(UserWarning, match=r"3 files hold no text and are passed over: b\.png \(a picture, .*c\.bin"):
        assert [source.name for source in list_sources(tmp_path)] == ["a.txt", "d.jsonl"]
    (tmp_path / "d.jsonl").unlink()
    (tmp_path / "a.txt").unlink()
    with pytest.raises(CorpusError, match=r"holds no text, but 3 other files, such as b\.png: a picture, not text"):
        list_sources(tmp_path)
    assert [source.name for source in list_sources(tmp_path / "b.png")] == [str(tmp_path / "b.png")]


def test_the_suffixes_of_tables_are_those_of_the_formats():
    others = ("archive", "text")
    assert set(TABLES) == {suffix for name, each in FORMATS.items() if name not in others for suffix in each.suffixes}
