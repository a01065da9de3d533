"""Folders as programs leave them: what is a document in them, and what is not."""

import pytest

from ibidem.corpus import ReadingProgress
from ibidem.corpus.folders import TABLES, FileChoice
from ibidem.corpus.formats import FORMATS
from ibidem.corpus.listing import list_sources
from ibidem.errors import CorpusError


def test_files_of_a_folder_that_hold_no_text_are_passed_over_and_counted(tmp_path):
    names = {"a.txt": b"text", "b.png": b"\x89PNG\r\n", "c.bin": bytes(range(256)) * 9, "package-lock.json": b"{}"}
    for name, content in names.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "d.jsonl").write_text('{"text": "row"}\n')
    with pytest.warns(UserWarning, match=r"3 files are no documents and are passed over: b\.png \(a picture, .*c\.bin"):
        assert [source.name for source in list_sources(tmp_path)] == ["a.txt", "d.jsonl"]
    (tmp_path / "d.jsonl").unlink()
    (tmp_path / "a.txt").unlink()
    with pytest.raises(CorpusError, match=r"holds no text, but 3 other files, such as b\.png: a picture, not text"):
        list_sources(tmp_path)
    assert [source.name for source in list_sources(tmp_path / "b.png")] == [str(tmp_path / "b.png")]


def test_the_suffixes_of_tables_are_those_of_the_formats():
    others = ("archive", "text")
    assert set(TABLES) == {suffix for name, each in FORMATS.items() if name not in others for suffix in each.suffixes}


def write(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("" if "SUCCESS" in name else "words\n")


def names(folder, **options):
    return [source.name for source in list_sources(folder, **options)]


MARKERS = ["_SUCCESS", "_committed_123", "_started_123", "_metadata", "_common_metadata", "x.parquet.crc", "x_$folder$"]


@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize("document", ["part-0.jsonl", "part-0.csv.gz", "a.txt", "sub/a.txt"])
def test_the_markers_of_programs_are_no_documents(tmp_path, marker, document):
    write(tmp_path, document, marker, ".hidden", ".part-0.crc", "_temporary/0/part", "_delta_log/0.json")
    with pytest.warns(UserWarning, match="is no document and is passed over"):
        assert names(tmp_path) == [document]


def test_markers_at_a_url_are_no_documents():
    memory = pytest.importorskip("fsspec").filesystem("memory")
    for name in ("part-0.jsonl", "_SUCCESS", "_delta_log/0.json", "README.md"):
        memory.pipe(f"/marked/{name}", b"")
    with pytest.warns(UserWarning, match=r"2 files are no documents and are passed over: README\.md .*_SUCCESS"):
        assert names("memory://marked") == ["part-0.jsonl"]


DESCRIPTIONS = ["README.md", "README", "LICENSE", "LICENCE.txt", "NOTICE", "dataset_infos.json", "dataset_info.json"]


@pytest.mark.parametrize(
    "description", [*DESCRIPTIONS, "dataset_dict.json", "state.json", "CITATION.cff", "a.yaml", "run.log"]
)
@pytest.mark.parametrize("table", ["data.arrow", "train/0.parquet", "a.jsonl.xz", "b.csv"])
def test_what_describes_tables_is_no_document(tmp_path, description, table):
    write(tmp_path, table, description)
    progress = ReadingProgress()
    with pytest.warns(UserWarning, match=r"passed over: .*\(about the tables beside it\)"):
        assert names(tmp_path, progress=progress) == [table]
    assert progress.passed_over == {"about the tables beside it": 1}


def test_a_description_is_read_where_it_is_wanted(tmp_path):
    write(tmp_path, "a.jsonl", "README.md", "other/README.md", "other/a.txt")
    with pytest.warns(UserWarning, match="1 file is no document"):
        assert names(tmp_path) == ["a.jsonl", "other/README.md", "other/a.txt"]
    assert names(tmp_path / "other") == ["README.md", "a.txt"]
    assert names(tmp_path / "README.md") == [str(tmp_path / "README.md")]
    assert names(tmp_path, choice=FileChoice(["README*", "*.jsonl"])) == ["README.md", "a.jsonl", "other/README.md"]


def test_an_unknown_name_that_begins_with_an_underscore_is_a_document(tmp_path):
    write(tmp_path, "_notes.txt", "_preface/a.txt", "a.jsonl")
    assert names(tmp_path) == ["_notes.txt", "_preface/a.txt", "a.jsonl"]


SETTINGS = ['{"model_type": "x",\n "vocab": {"a": 1}}', "[1, 2, 3]", '{"a": {"text": "no column"}}', "17", '"text"']


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("document", ["a.jsonl", "train/0.parquet", "b.txt"])
def test_json_of_settings_beside_documents_is_no_document_and_is_named(tmp_path, settings, document):
    write(tmp_path, document)
    (tmp_path / "config.json").write_text(settings, "utf-8")
    with pytest.warns(UserWarning, match=r"passed over: config\.json \(JSON that is no records with a column 'text'\)"):
        assert names(tmp_path) == [document]
    assert names(tmp_path, choice=FileChoice(["*.json"])) == ["config.json"]


RECORDS = [
    '{"text": "one", "id": 1}',
    '[{"text": "one"}]',
    '[{"body": "one"}]',
    '{"text": "one"}\n{"text": "two"}',
    "{",
]


@pytest.mark.parametrize("records", RECORDS)
def test_json_that_may_be_records_is_read(tmp_path, records):
    write(tmp_path, "a.jsonl")
    (tmp_path / "b.json").write_text(records, "utf-8")
    assert names(tmp_path) == ["a.jsonl", "b.json"]


def test_json_of_another_column_is_read_where_there_is_nothing_else_or_the_column_is_named(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text('{"body": "one"}', "utf-8")
    assert names(tmp_path) == ["a.json", "b.json"]
    write(tmp_path, "c.txt")
    assert names(tmp_path, choice=FileChoice(text="body")) == ["a.json", "b.json", "c.txt"]
