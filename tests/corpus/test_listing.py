import os
from pathlib import Path

import pytest

from ibidem.corpus.failures import Failures
from ibidem.corpus.folders import FileChoice
from ibidem.corpus.listing import list_sides, list_sources
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name in ["d/b.txt", "d/a/z.txt", "d/a/.hidden", "d/.git/config", "d/a.txt", "d/c.jsonl", "e/f.txt"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(paths, **options):
    return [source.name for source in list_sources(paths, **options)]


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
        (tree / name / "manifest.json").write_text(manifest if name.endswith("ibidem") else '{"text": "page"}')
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


@pytest.fixture
def twins(tree):
    """Three folders that hold files of one name."""
    for name in ("old/1.txt", "new/1.txt", "new/more/1.txt", "new/2.txt"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("")
    return tree


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["old", "new"], ["old/1.txt", "new/1.txt", "new/2.txt", "new/more/1.txt"]),
        (["new", "new/more"], ["1.txt", "2.txt", "more/1.txt", "more/1.txt"]),
        (["old", "new/1.txt"], ["1.txt", "new/1.txt"]),
        (["new/more", "new/1.txt", "new"], ["more/1.txt", "1.txt", "1.txt", "2.txt", "more/1.txt"]),
        (["old", "new/more", "-"], ["old/1.txt", "new/more/1.txt", "stdin"]),
        (["[on]*"], ["new/1.txt", "new/2.txt", "new/more/1.txt", "old/1.txt"]),
        (["old", "d"], ["1.txt", "a/z.txt", "a.txt", "b.txt", "c.jsonl"]),
        (["e/f.txt", "d/b.txt"], ["e/f.txt", "d/b.txt"]),
    ],
)
def test_files_of_one_name_have_all_their_names_from_the_common_folder(twins, paths, expected):
    assert names(paths) == expected
    assert names([twins / path if path[0] not in "-[" else path for path in paths])[-1] in (
        expected[-1],
        str(twins / expected[-1]),
    )


def test_both_sides_of_a_comparison_have_one_root(twins):
    sides = list_sides([["old"], ["new/more"]])
    assert [[source.name for source in side] for side in sides] == [["old/1.txt"], ["new/more/1.txt"]]


def test_files_of_one_name_at_urls_have_their_addresses_as_names(twins):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    for name in ("/many/a/1.txt", "/many/b/1.txt", "/many/b/2.txt"):
        memory.pipe(name, b"")
    assert names("memory://many/a") == ["1.txt"]
    assert names(["memory://many/a", "memory://many/b"]) == [
        f"memory://many/{name}" for name in ("a/1.txt", "b/1.txt", "b/2.txt")
    ]
    assert names(["memory://many/a", "old"]) == ["memory://many/a/1.txt", "1.txt"]


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (["*.txt"], [], ["a/z.txt", "a.txt", "b.txt"]),
        ([], ["*.txt"], ["c.jsonl"]),
        (["a/*"], [], ["a/z.txt"]),
        (["*.txt"], ["a*"], ["b.txt"]),
        (["[bc].*"], [], ["b.txt", "c.jsonl"]),
    ],
)
def test_patterns_choose_among_the_files_of_folders(tree, include, exclude, expected):
    choice = FileChoice(include, exclude)
    assert names("d", choice=choice) == expected
    memory = pytest.importorskip("fsspec").filesystem("memory")
    for name in ("a/z.txt", "a.txt", "b.txt", "c.jsonl"):
        memory.pipe(f"/chosen/{name}", b"")
    assert sorted(names("memory://chosen", choice=choice)) == sorted(expected)
    assert names("d/b.txt", choice=FileChoice(["nothing"], ["*"])) == ["d/b.txt"]
    for folder in ("d", "memory://chosen"):
        with pytest.raises(CorpusError, match=r"that --include and --exclude admit"):
            names(folder, choice=FileChoice(["nothing"]))


def test_what_cannot_be_read_of_a_folder_is_left_out_and_listed_where_that_is_asked_for(tree):
    (tree / "e" / "dangling").symlink_to(tree / "nowhere")
    (tree / "e" / "loop").symlink_to("loop")
    os.mkfifo(tree / "e" / "pipe")
    (tree / os.fsdecode(b"e/\xff.txt")).write_text("")
    (tree / os.fsdecode(b"e/\xfe")).mkdir()
    (tree / os.fsdecode(b"e/\xfe/g.txt")).write_text("")
    failures = Failures()
    assert names("e", failures=failures) == ["f.txt"]
    assert failures.files == 5
    messages = "; ".join(failure.message for failure in failures)
    for part in (
        "e/dangling: neither",
        "e/loop: cannot be read: Too many levels",
        "e/pipe: neither",
        r"\udcff.txt'",
        "g.txt",
    ):
        assert part in messages
    for name in ("dangling", "pipe"):
        (tree / "e" / name).unlink()
    with pytest.raises(CorpusError, match=r"^e/loop: cannot be read: Too many levels of symbolic links"):
        names("e")


def test_a_folder_whose_files_are_all_left_out_has_none(tree):
    (tree / "only").mkdir()
    (tree / "only" / "dangling").symlink_to(tree / "nowhere")
    failures = Failures()
    assert names("only", failures=failures) == []
    assert failures.files == 1
