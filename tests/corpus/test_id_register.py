"""No two documents of a run have one id."""

import io
import json
import pickle
import sys
import warnings
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import read
from ibidem.corpus.distinct_ids import RepeatedId
from ibidem.corpus.failures import Failures
from ibidem.corpus.id_register import IdRegister
from ibidem.corpus.inputs import Inputs, locate_repeats, settle_ids
from ibidem.corpus.reading import CountedDocuments
from ibidem.corpus.records import read_records
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.removed import find_removed
from ibidem.documents.deduplicate import deduplicate_files
from ibidem.errors import CorpusError
from ibidem.resources import Resources
from ibidem.text import Document, Documents

pytestmark = pytest.mark.filterwarnings("ignore:.*a second document of the id")

RECORDS = [("a", "one"), ("b", "two"), ("a", "one"), ("c", "three"), ("a", "four")]


def write(folder: Path, name: str, records: list[tuple[str, str]] = RECORDS) -> Path:
    path = folder / name
    if name.endswith("parquet"):
        pq.write_table(pa.table({"id": [id for id, _ in records], "text": [text for _, text in records]}), path)
    elif name.endswith("csv"):
        path.write_text("sep=,\nid,text\n" + "\n".join(f'{id},"{text}\n"' for id, text in records))
    else:
        lines = [json.dumps({"id": id, "text": text}) for id, text in records]
        path.write_text("[" + ",\n".join(lines) + "]" if name.endswith("json") else "\n\n".join(lines))
    return path


PLACES = {
    "a.jsonl": ("line 5", "line 1"),
    "a.csv": ("line 7", "line 3"),
    "a.parquet": ("row 2", "row 0"),
    "a.json": ("line 3", "line 1"),
}
POLICIES = ["number", "first", "error"]
FORMATS = pytest.mark.parametrize("name", PLACES)
SIZES = pytest.mark.parametrize("batch_bytes", [1, 1 << 20])


def ids_of(paths: object, **options: object) -> list[str]:
    return [id for batch in read(paths, **options) for id in batch.ids]  # type: ignore[arg-type]


@FORMATS
@SIZES
def test_a_repeated_record_is_an_error_that_names_both_places(tmp_path: Path, name: str, batch_bytes: int) -> None:
    path = write(tmp_path, name)
    second, first = PLACES[name]
    with pytest.raises(
        CorpusError, match=rf"{name}, {second}: a second document of the id 'a'; .*{name}, {first}; ids"
    ):
        ids_of(path, duplicate_ids="error", batch_bytes=batch_bytes)
    assert ids_of(path) == ["a", "b", "a", "c", "a"]


@FORMATS
@SIZES
def test_repeated_records_are_left_out_and_listed(tmp_path: Path, name: str, batch_bytes: int) -> None:
    failures = Failures()
    path = write(tmp_path, name)
    assert ids_of(path, duplicate_ids="error", failures=failures, batch_bytes=batch_bytes) == ["a", "b", "c"]
    assert [failure.row for failure in failures] == [2, 4]


@FORMATS
def test_later_documents_of_an_id_get_a_number_or_are_left_out(tmp_path: Path, name: str) -> None:
    paths = [write(tmp_path, name), write(tmp_path, f"b{name}", [("a#2", "x"), ("a", "y"), ("a#2", "z")])]
    assert ids_of(paths, duplicate_ids="first") == ["a", "b", "c", "a#2"]
    numbered = ids_of(paths, duplicate_ids="number")
    assert numbered == ["a", "b", "a#2", "c", "a#3", "a#2#2", "a#4", "a#2#3"]


def test_one_warning_says_what_becomes_of_them(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl")
    for policy, event in (("number", "is named 'a#2'"), ("first", "is left out")):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            ids_of(path, duplicate_ids=policy)
        [warning] = found
        assert f"a.jsonl, line 5: a second document of the id 'a' {event}, and so on" in str(warning.message)


def test_rows_that_cannot_be_read_shift_no_places(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "text": 1}\n{"id": 1, "text": "a"}\n{"id": 2}\n{"id": 1, "text": "b"}\n')
    failures = Failures()
    assert ids_of(path, duplicate_ids="error", failures=failures) == ["1"]
    assert sorted(failure.row for failure in failures) == [0, 2, 3]  # type: ignore[type-var]
    assert "a.jsonl, row 3: a second document of the id '1'; the first is" in list(failures)[-1].message
    assert list(failures)[-1].message.endswith("a.jsonl, row 1")


def test_a_pipe_names_documents_by_their_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(write(tmp_path, "a.jsonl").read_bytes())))
    with pytest.raises(CorpusError, match=r"standard input, document 2: .*; the first is standard input, document 0"):
        ids_of("-", duplicate_ids="error")


def test_shards_that_count_from_0_are_named(tmp_path: Path) -> None:
    paths = [write(tmp_path, f"s{shard}.jsonl", [("0", f"text {shard}")]) for shard in range(2)]
    with pytest.raises(CorpusError, match=r"s1\.jsonl, line 1: .* of the id '0'; the first is .*s0\.jsonl, line 1"):
        ids_of(paths, duplicate_ids="error")
    with pytest.raises(ValueError, match="duplicate_ids is one of number, first, error, not 'last'"):
        read(paths, duplicate_ids="last")  # type: ignore[arg-type]


@given(
    batches=st.lists(st.lists(st.sampled_from(["a", "b", "c", "a#2", "b#3"]), max_size=6), max_size=5),
    known=st.lists(st.sampled_from("abx"), max_size=2),
    policy=st.sampled_from(["number", "first"]),
)
def test_ids_differ_and_the_first_of_each_stays_however_often_they_are_read(batches, known, policy) -> None:
    register, source = IdRegister(policy), Source("a", "a", is_pipe=True)
    register.add_known(known)

    def run() -> list[str]:
        made = (Documents.of([Document(id, id) for id in ids]) for ids in batches)
        return [id for batch in register.filter(source, made) for id in batch.ids]

    found = run()
    assert run() == found
    assert len(set(found)) == len(found)
    assert set(found).isdisjoint(known)
    given_ids = [id for ids in batches for id in ids]
    if policy == "first":
        assert found == [id for id in dict.fromkeys(given_ids) if id not in known]
    else:
        assert len(found) == len(given_ids)


@FORMATS
@pytest.mark.parametrize("policy", ["number", "first", "error"])
def test_files_are_written_without_what_is_left_out(tmp_path: Path, name: str, policy: str) -> None:
    failures = Failures() if policy == "error" else None
    path = write(tmp_path, name)
    written = deduplicate_files(
        [path],
        tmp_path / "out",
        failures=failures,
        duplicate_ids=policy,  # type: ignore[arg-type]
    )
    kept = ids_of(tmp_path / "out" / "kept")
    assert kept == (["a", "b", "c", "a"] if policy == "number" else ["a", "b", "c"])
    summary = written.summary
    assert summary["rows_left_out"] == (0 if policy == "number" else 2)
    assert summary["documents"] + summary["rows_left_out"] == len(RECORDS)
    removed = [record.values["ibidem"] for record in read_records(str(find_removed(tmp_path / "out")))]
    assert [(each["id"], each["duplicate_of"]) for each in removed] == ([("a#2", "a")] if policy == "number" else [])


def test_a_second_reading_leaves_out_what_the_first_has_noted(tmp_path: Path) -> None:
    path, failures = write(tmp_path, "a.jsonl"), Failures()
    noted = list(ids_of(path, duplicate_ids="error", failures=failures))
    again = Failures(list(failures))
    source = Source(str(path), "a.jsonl", failures=again, ids=IdRegister("error"))
    documents = CountedDocuments([source], Columns("text", "id"))
    assert [id for batch in documents for id in batch.ids] == noted
    assert list(again) == list(failures)


@pytest.mark.parametrize("part_bytes", [1, 60, 1 << 20])
@pytest.mark.parametrize("skips", [False, True])
@given(ids=st.lists(st.sampled_from(["a", "b", "c", "a#2"]), max_size=9), policy=st.sampled_from(POLICIES))
def test_tasks_that_read_parts_leave_out_and_number_what_one_reading_does(
    tmp_path_factory: pytest.TempPathFactory, ids: list[str], policy: str, part_bytes: int, skips: bool
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    lines = [json.dumps({"id": id, "text": "x"}) if id != "c" or not skips else "{" for id in ids]
    paths = [folder / "a.jsonl", folder / "b.jsonl"]
    for path, part in zip(paths, (lines[:5], lines[5:]), strict=True):
        path.write_text("".join(f"{line}\n" for line in part))
    columns = Columns.of("text", "id", duplicate_ids=policy)  # type: ignore[arg-type]
    inputs = Inputs(paths, columns, failures=Failures() if skips else None)
    resources = Resources.of("1G", 1, None)
    expected_failures = Failures()
    try:
        expected = ids_of(paths, duplicate_ids=policy, failures=expected_failures if skips else None)
        parts = pickle.loads(pickle.dumps(settle_ids(inputs.cut(part_bytes), resources)))
    except CorpusError:
        assert policy == "error"
        return
    found, noted = [], 0
    for part in parts:
        failures = Failures(skips=skips)
        for documents in (part.open(resources, failures), part.open(resources, failures)):
            again = [id for batch in documents for id in batch.ids]
        found += again
        noted += len(failures)
    if policy == "error" and not skips:
        assert len(set(expected)) == len(expected)
    assert found == expected
    assert not skips or noted == len(expected_failures)


def test_an_error_that_knows_numbers_alone_gets_places(tmp_path: Path) -> None:
    inputs = Inputs([write(tmp_path, "a.jsonl")], Columns.of("text", "id", duplicate_ids="error"))
    resources = Resources.of("1G", 1, None)
    parts = settle_ids(inputs.cut(60), resources)
    with pytest.raises(CorpusError, match=r"a\.jsonl, line 5: a second document"), locate_repeats(parts, resources):
        raise RepeatedId(0, 2).describe("a")
