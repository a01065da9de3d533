"""A URL stands for one file, for those of a folder, or for those that a glob matches."""

import pytest

from ibidem.remote.storage import Storage, list_files


@pytest.fixture
def filled(object_store):
    storage = Storage(object_store)
    for name in ("b.jsonl", "a.jsonl", "deep/c.jsonl", ".hidden", "deep/.hidden/d.jsonl", "deep/e.txt"):
        storage.write(name, b"{}")
    return object_store


def test_a_folder_is_all_its_files_by_names_below_it(filled):
    names = ["a.jsonl", "b.jsonl", "deep/c.jsonl", "deep/e.txt"]
    assert list_files(filled, "reading") == [(f"{filled}/{name}", name) for name in names]
    assert list_files(f"{filled}/", "reading") == list_files(filled, "reading")


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.jsonl", ["a.jsonl", "b.jsonl"]),
        ("**/*.jsonl", ["a.jsonl", "b.jsonl", "deep/c.jsonl"]),
        ("d*/c.jsonl", ["deep/c.jsonl"]),
        ("[ab].jsonl", ["a.jsonl", "b.jsonl"]),
        ("none*", []),
    ],
)
def test_a_glob_is_what_it_matches_under_its_url(filled, pattern, names):
    found = list_files(f"{filled}/{pattern}", "reading")
    assert [name for name, _ in found] == [f"{filled}/{name}" for name in names]
    assert all(path == name for path, name in found)


def test_a_file_and_what_is_not_there_are_files(filled):
    assert list_files(f"{filled}/a.jsonl", "reading") is None
    assert list_files(f"{filled}/none", "reading") is None


def test_a_question_mark_of_http_is_no_glob():
    assert list_files("https://example.org/a?b=[c]*", "reading") is None
