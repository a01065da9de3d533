"""Deduplicating files: formats, columns, bad input, and processes that are killed."""

import csv
import errno
import gzip
import io
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem.corpus import read
from ibidem.corpus.inputs import Inputs
from ibidem.corpus.records import read_records
from ibidem.corpus.rows import Columns
from ibidem.corpus.writing.removed import find_removed
from ibidem.documents.deduplicate import deduplicate_files
from ibidem.documents.index import DocumentIndex
from ibidem.engine import Engine
from ibidem.errors import ConfigurationError, CorpusError, LockedError, NotAnIndexError
from ibidem.remote.storage import Storage
from ibidem.store.files.lock import WriterLock
from ibidem.system import disk

from ..ray_clusters import run_on_cluster

WORDS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
ROWS = [
    {"id": "a", "text": WORDS, "year": 3},
    {"id": "b", "text": "quite another text, which has nothing to do with it", "year": 1},
    {"id": "c", "text": WORDS, "year": None},
    {"id": "d", "text": f"{WORDS}, fifteen", "year": 5},
    {"id": "e", "text": "short\nnote", "year": 2},
    {"id": "f", "text": "", "year": 2},
]
KEPT = ["a", "b", "e", "f"]


def run(inputs, output, **options):
    return deduplicate_files(inputs, output, **{"threads": 1, **options})


def ids_of(path):
    return [document for batch in read(path) for document in batch.ids]


def write_jsonl(path, rows=ROWS):
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def write_csv(path):
    with path.open("w", newline="") as file:
        out = csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        out.writerow(["id", "text", "year"])
        out.writerows([row["id"], row["text"], row["year"]] for row in ROWS)


def write_parquet(path):
    table = pa.Table.from_pylist(ROWS).replace_schema_metadata({"made": "here"})
    pq.write_table(table, path, row_group_size=4, compression="zstd")


REMOVED_NAMES = {
    **dict.fromkeys(["a.jsonl", "a.csv", "a.tsv"], "removed.jsonl"),
    "a.jsonl.gz": "removed.jsonl.gz",
    "a.parquet": "removed.jsonl.zst",
}


def read_removed(folder):
    return [record.values for record in read_records(find_removed(folder))]


def contents_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.csv", "a.tsv", "a.parquet"])
def test_what_is_kept_has_the_format_and_columns_of_the_input(tmp_path, name):
    path = tmp_path / name
    writer = {"jsonl": write_jsonl, "csv": write_csv, "tsv": write_csv, "parquet": write_parquet}[name.split(".")[1]]
    writer(path)
    before = path.read_bytes()
    written = run(path, tmp_path / "out")
    kept = tmp_path / "out/kept" / name
    assert ids_of(kept) == KEPT
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*.partial"))
    metadata = [batch.metadata for batch in read(kept)]
    assert metadata == [[m for d, m in zip("abcdef", batch.metadata, strict=True) if d in KEPT] for batch in read(path)]
    assert Path(find_removed(tmp_path / "out")).name == REMOVED_NAMES[name]
    removed = read_removed(tmp_path / "out")
    notes = [row.pop("ibidem") for row in removed]
    assert [(note["id"], note["duplicate_of"], note["exact"]) for note in notes] == [
        ("c", "a", True),
        ("d", "a", False),
    ]
    assert removed == [row | {"year": str(row["year"] or "")} if "sv" in name else row for row in ROWS[2:4]]
    assert notes[1]["similarity"] == 10 / 11
    assert written.summary == json.loads((tmp_path / "out/summary.json").read_bytes())
    if name == "a.parquet":
        assert pq.read_schema(kept) == pq.read_schema(path)
        assert pq.read_schema(kept).metadata[b"made"] == b"here"
        assert pq.ParquetFile(kept).metadata.row_group(0).column(0).compression == "ZSTD"


def test_rows_are_copied_as_they_stand(tmp_path):
    lines = ['\ufeff{"text":"x y",  "id": 1}\r\n', "\n", '{"text":"x y", "id":2}\n', '{"id":3,"text":"z\\u00e9"}']
    (tmp_path / "a.jsonl").write_text("".join(lines), "utf-8", newline="")
    run(tmp_path / "a.jsonl", tmp_path / "out")
    kept = (tmp_path / "out/kept/a.jsonl").read_bytes().decode()
    assert kept == '\ufeff{"text":"x y",  "id": 1}\r\n{"id":3,"text":"z\\u00e9"}\n'
    table = 'id,text\r\n\r\n1,"a ""quoted""\nline"\r\n2,"a ""quoted"" line"\r\n3,other'
    (tmp_path / "a.csv").write_text(table, "utf-8", newline="")
    run(tmp_path / "a.csv", tmp_path / "csv")
    assert (tmp_path / "csv/kept/a.csv").read_bytes().decode() == 'id,text\r\n1,"a ""quoted""\nline"\r\n3,other\n'


def test_a_folder_of_texts_becomes_a_folder_of_those_that_are_kept(tmp_path):
    for name, text in {"x/one.txt": WORDS, "x/y/two.txt": WORDS, "x/y/three.txt": "other"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    run(tmp_path / "x", tmp_path / "out")
    files = {str(path.relative_to(tmp_path / "out/kept")) for path in (tmp_path / "out/kept").rglob("*.txt")}
    assert files == {"one.txt", "y/three.txt"}


def test_several_files_are_one_collection(tmp_path):
    (tmp_path / "in").mkdir()
    write_jsonl(tmp_path / "in/a.jsonl", ROWS[:3])
    write_parquet(tmp_path / "in/b.parquet")
    with pytest.raises(CorpusError, match=r"b.parquet, row 0: a second document of the id 'a'; .*a.jsonl, line 1"):
        run(tmp_path / "in", tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]
    write_jsonl(tmp_path / "in/a.jsonl", [{"id": f"{row['id']}2", "text": row["text"]} for row in ROWS[:3]])
    run(str(tmp_path / "in/*"), tmp_path / "out")
    assert ids_of(tmp_path / "out/kept/a.jsonl") == ["a2", "b2"]
    assert ids_of(tmp_path / "out/kept/b.parquet") == ["e", "f"]


def test_the_tables_about_a_folder_of_texts_are_csv(tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        (tmp_path / f"in/{name}.txt").write_text("boats lie at the landing until the evening bell", "utf-8")
    run(tmp_path / "in", tmp_path / "out")
    clusters = (tmp_path / "out/clusters.csv").read_text("utf-8").splitlines()
    assert clusters[1:] == ["a.txt,true,a.txt,1.0,false,a.txt,1.0", "b.txt,false,a.txt,1.0,true,a.txt,1.0"]
    assert (tmp_path / "out/short.csv").read_text("utf-8").split() == ["id,empty"]


def test_the_table_of_clusters_and_the_summary_account_for_every_document(tmp_path):
    write_jsonl(tmp_path / "a.jsonl")
    run(tmp_path / "a.jsonl", tmp_path / "out", keep="max(year)")
    assert [tuple(row.values()) for row in pq.read_table(tmp_path / "out/clusters.parquet").to_pylist()] == [
        ("a", False, "d", 10 / 11, False, "a", 10 / 11),
        ("c", False, "d", 10 / 11, False, "a", 10 / 11),
        ("d", True, "d", 1.0, False, "a", 10 / 11),
    ]
    assert pq.read_table(tmp_path / "out/short.parquet").to_pylist() == [
        {"id": "e", "empty": False},
        {"id": "f", "empty": True},
    ]
    summary = json.loads((tmp_path / "out/summary.json").read_bytes())
    settings = summary.pop("settings")
    assert (settings["threshold"], settings["shingle"]["shingle"], settings["keep"]) == (0.8, 5, "max(year)")
    assert summary == {
        "documents": 6,
        "kept": 4,
        "in_index": 0,
        "exact_duplicates": 0,
        "near_duplicates": 2,
        "clusters": 1,
        "pairs_compared": 1,
        "short": 1,
        "empty": 1,
        "rows_left_out": 0,
        "files_left_out": 0,
        "null_rows_kept": 0,
        "files_passed_over": {},
    }


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_the_list_of_removed_documents_has_rows_or_ids_or_is_not_written(tmp_path, name):
    if name == "a.jsonl":
        write_jsonl(tmp_path / name)
    else:
        pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / name)
    for listed in ("rows", "ids", "none"):
        run(tmp_path / name, tmp_path / listed, removed=listed)
        assert ids_of(tmp_path / listed / "kept" / name) == KEPT
    rows, ids = (read_removed(tmp_path / listed) for listed in ("rows", "ids"))
    assert ids == [row["ibidem"] for row in rows]
    assert [row["id"] for row in ids] == ["c", "d"]
    assert find_removed(tmp_path / "none") is None
    with pytest.raises(ValueError, match="removed is one of rows, ids, none, not 'all'"):
        run(tmp_path / name, tmp_path / "out", removed="all")


def test_rows_without_ids_are_numbered_and_a_text_that_is_null_is_an_error(tmp_path):
    write_jsonl(tmp_path / "a.jsonl", [{"text": row["text"]} for row in ROWS])
    run(tmp_path / "a.jsonl", tmp_path / "out")
    assert (tmp_path / "out/kept/a.jsonl").read_bytes().count(b"\n") == 4
    write_jsonl(tmp_path / "b.jsonl", [*ROWS, {"id": "g", "text": None}])
    with pytest.raises(CorpusError, match="line 7, column 'text': the text is null"):
        run(tmp_path / "b.jsonl", tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_a_document_larger_than_a_batch_and_half_of_a_surrogate_pair_are_texts(tmp_path):
    long = " ".join(f"w{number}" for number in range(20_000))
    rows = [
        ("long", long),
        ("again", f"first {long}"),
        ("half", f"{WORDS} \ud800"),
        ("half again", f"{WORDS} \ud800 ."),
    ]
    write_jsonl(tmp_path / "a.jsonl", [{"id": document, "text": text} for document, text in rows])
    run(tmp_path / "a.jsonl", tmp_path / "out", shingle="words:3")
    assert ids_of(tmp_path / "out/kept/a.jsonl") == ["long", "half"]
    removed = [json.loads(line) for line in (tmp_path / "out/removed.jsonl").read_text().splitlines()]
    assert [(row["id"], row["text"]) for row in removed] == [rows[1], rows[3]]


@pytest.mark.parametrize(
    ("inputs", "output", "message"),
    [
        ("a.jsonl", "taken", "taken: it exists already"),
        ("a.jsonl", "a.jsonl", "the output is an input"),
        ("a.jsonl", "link.jsonl", "the output is an input"),
        ("folder", "folder", "the output is an input"),
        ("folder", "folder/out", "would be inside of the input"),
        ("a.jsonl", "none/out", "there is no folder"),
        ("-", "out", "can be read only once"),
        ("none.jsonl", "out", "cannot be read: No such file"),
    ],
)
def test_an_output_or_input_that_cannot_be_is_refused_and_nothing_is_touched(
    tmp_path, monkeypatch, inputs, output, message
):
    write_jsonl(tmp_path / "a.jsonl")
    (tmp_path / "link.jsonl").symlink_to("a.jsonl")
    (tmp_path / "taken").mkdir()
    (tmp_path / "folder").mkdir()
    write_jsonl(tmp_path / "folder/b.jsonl")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusError, match=message):
        run(inputs, output)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_an_output_that_another_process_writes_to_is_locked(tmp_path):
    write_jsonl(tmp_path / "a.jsonl")
    (tmp_path / "out.partial").mkdir()
    (tmp_path / "out.partial/.unfinished").touch()
    lock = WriterLock(tmp_path / "out.partial")
    lock.acquire()
    with pytest.raises(LockedError, match="another process is writing to it"):
        run(tmp_path / "a.jsonl", tmp_path / "out")
    lock.release()
    run(tmp_path / "a.jsonl", tmp_path / "out")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([*ROWS, {"id": "g", "text": "more"}], "it had 6 documents when it was read first, and has 7 now"),
        ([{**row, "id": row["id"].upper()} for row in ROWS], "it was changed while it was read"),
    ],
)
def test_an_input_that_changes_meanwhile_is_noticed(tmp_path, rows, message):
    path = tmp_path / "a.jsonl"
    write_jsonl(path)

    def change(phase, done, total):
        if phase == "comparing":
            write_jsonl(path, rows)

    with pytest.raises(CorpusError, match=message):
        run(path, tmp_path / "out", progress=change)
    assert not (tmp_path / "out").exists()


KILLED = """
import os, signal, sys
from ibidem.documents.deduplicate import deduplicate_files

def die_at(phase, done, total):
    if phase == sys.argv[3]:
        os.kill(os.getpid(), signal.SIGKILL)

deduplicate_files(sys.argv[1], sys.argv[2], threads=1, progress=die_at)
"""


@pytest.mark.usefixtures("warm_python")
@pytest.mark.parametrize(("phase", "resumed"), [("reading", False), ("comparing", True), ("writing", True)])
def test_where_a_run_was_killed_the_same_call_goes_on(tmp_path, phase, resumed):
    path, output = tmp_path / "a.jsonl", tmp_path / "out"
    write_jsonl(path)
    before = path.read_bytes()
    command = [sys.executable, "-c", KILLED, str(path), str(output), phase]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not output.exists()
    written = run(path, output)
    assert written.resumed == resumed
    assert path.read_bytes() == before
    assert ids_of(output / "kept/a.jsonl") == KEPT
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.jsonl", "out"]


def test_what_was_read_of_another_input_or_for_other_choices_is_read_again(tmp_path):
    path = tmp_path / "a.jsonl"

    def interrupt(phase, done, total):
        if phase == "writing":
            raise KeyboardInterrupt

    write_jsonl(path)
    for rows, choices, resumed in ((ROWS[:5], {}, False), (ROWS[:5], {}, True), (ROWS[:5], {"threshold": 0.7}, False)):
        with pytest.raises(KeyboardInterrupt):
            run(path, tmp_path / "out", progress=interrupt)
        if not resumed:
            write_jsonl(path, rows)
        assert run(path, tmp_path / "out", **choices).resumed == resumed
        shutil.rmtree(tmp_path / "out")


def test_the_output_is_the_same_for_any_number_of_threads(tmp_path):
    rows = [{"id": str(n), "text": f"{WORDS} {n // 3} {WORDS[::-1]} {n % 5}"} for n in range(300)]
    write_jsonl(tmp_path / "a.jsonl", rows)
    outputs = []
    for threads in (1, 3):
        output = tmp_path / str(threads)
        run(tmp_path / "a.jsonl", output, threads=threads, threshold=0.5)
        outputs.append({str(path.relative_to(output)): path.read_bytes() for path in output.rglob("*.*")})
    assert outputs[0] == outputs[1]
    assert Path("kept/a.jsonl") in map(Path, outputs[0])


def test_a_batch_that_is_compared_with_an_index_alone_keeps_its_own_duplicates(tmp_path):
    first, second, index = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "seen"
    write_jsonl(first)
    run(first, tmp_path / "one", against=index, add=True)
    texts = {"g": f"{WORDS} again", "i": "a text that nobody has seen", "j": "a text that nobody has seen", "k": "new"}
    write_jsonl(second, [{"id": name, "text": text} for name, text in texts.items()])
    written = run(second, tmp_path / "two", against=index, against_only=True)
    assert ids_of(tmp_path / "two/kept/b.jsonl") == ["i", "j", "k"]
    assert [written.summary["short"], written.summary["clusters"]] == [1, 0]
    assert ids_of(tmp_path / "two/kept/b.jsonl") != ids_of_both(tmp_path, second, index)
    with pytest.raises(ValueError, match="against_only needs an index"):
        run(second, tmp_path / "three", against_only=True)


def ids_of_both(tmp_path, path, index):
    run(path, tmp_path / "both", against=index)
    return ids_of(tmp_path / "both/kept" / path.name)


def test_a_new_batch_is_compared_with_an_index_and_added_to_it(tmp_path):
    first, second, index = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "seen"
    write_jsonl(first)
    run(first, tmp_path / "one", against=index, add=True)
    more = [
        {"id": "g", "text": f"{WORDS} again"},
        {"id": "h", "text": ROWS[1]["text"]},
        {"id": "i", "text": "a text that nobody has seen before in this place"},
        {"id": "j", "text": "A text that nobody has seen before, in this place."},
        {"id": "k", "text": ""},
    ]
    write_jsonl(second, more)
    written = run(second, tmp_path / "two", against=index, add=True)
    assert ids_of(tmp_path / "two/kept/b.jsonl") == ["i"]
    removed = [json.loads(line) for line in (tmp_path / "two/removed.jsonl").read_text().splitlines()]
    removed = [row["ibidem"] for row in removed]
    assert [(row["id"], row["duplicate_of"], row["exact"]) for row in removed] == [
        ("g", "a", False),
        ("h", "b", True),
        ("j", "i", False),
        ("k", "f", True),
    ]
    assert [row["similarity"] for row in removed] == [10 / 11, 1.0, 1.0, 1.0]
    assert json.loads((tmp_path / "two/summary.json").read_bytes())["in_index"] == 3
    assert written.summary["in_index"] == 3
    with DocumentIndex.open(index) as opened:
        assert opened.ids() == {*KEPT, "i"}
    run(second, tmp_path / "three", against=index)
    assert ids_of(tmp_path / "three/kept/b.jsonl") == []


def list_short(folder):
    return [tuple(row.values()) for row in pq.read_table(folder / "short.parquet").to_pylist()]


def test_short_and_empty_documents_are_named_whether_an_index_has_them_or_not(tmp_path):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    write_jsonl(first, [{"id": "a", "text": "two words"}, {"id": "b", "text": "..."}])
    written = run(first, tmp_path / "one", against=tmp_path / "seen", add=True)
    assert (written.summary["short"], written.summary["empty"]) == (1, 1)
    assert list_short(tmp_path / "one") == [("a", False), ("b", True)]
    texts = ["new here", "Two words.", "", "...", WORDS]
    write_jsonl(second, [{"id": f"{n}", "text": text} for n, text in enumerate(texts)])
    run(second, tmp_path / "two", against=tmp_path / "seen")
    summary = json.loads((tmp_path / "two/summary.json").read_bytes())
    assert (summary["short"], summary["empty"]) == (2, 2)
    assert list_short(tmp_path / "two") == [("0", False), ("1", False), ("2", True), ("3", True)]
    assert (summary["kept"], summary["in_index"]) == (3, 2)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "c", "!"]), max_size=6).map(" ".join), min_size=1, max_size=10),
    st.sets(st.integers(1, 9), max_size=3),
)
def test_files_one_after_the_other_keep_what_one_call_keeps(texts, cuts):
    rows = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    edges = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    choices = {"shingle": "words:2", "threshold": 0.5, "recall": 1.0}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_jsonl(folder / "all.jsonl", rows)
        run(folder / "all.jsonl", folder / "at once", **choices)
        kept, short = set(), []
        for first, end in pairwise(edges):
            write_jsonl(folder / f"{first}.jsonl", rows[first:end])
            columns = {"against": folder / "seen", "add": True}
            run(folder / f"{first}.jsonl", folder / f"{first}", **columns, **choices)
            kept |= set(ids_of(folder / f"{first}/kept"))
            short += list_short(folder / f"{first}")
        assert kept == set(ids_of(folder / "at once/kept"))
        assert short == list_short(folder / "at once")


def test_an_index_that_does_not_fit_or_has_an_id_already_is_told_and_nothing_is_written(tmp_path):
    path, index = tmp_path / "a.jsonl", tmp_path / "seen"
    write_jsonl(path)
    with pytest.raises(NotAnIndexError):
        run(path, tmp_path / "out", against=index)
    run(path, tmp_path / "one", against=index, add=True)
    for choices in ({"threshold": 0.7}, {"shingle": "words:3"}):
        with pytest.raises(ConfigurationError, match="ask for the same shingles, and for no lower threshold"):
            run(path, tmp_path / "out", against=index, **choices)
    write_jsonl(path, [{"id": "a", "text": "what the index does not have"}])
    with pytest.raises(CorpusError, match="document id 'a': the index has a document of this id"):
        run(path, tmp_path / "out", against=index, add=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.jsonl", "one", "seen"]


def test_an_input_that_cannot_be_used_makes_no_index(tmp_path):
    write_jsonl(tmp_path / "a.jsonl", [*ROWS, ROWS[0]])
    with pytest.raises(CorpusError, match="line 7: a second document of the id 'a'"):
        run([tmp_path / "a.jsonl"], tmp_path / "out", against=tmp_path / "seen", add=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.jsonl"]


class Interrupted:
    """Stands in for the functions of ``disk``, and interrupts the work at one of its calls."""

    NAMES = ("create", "write", "write_at", "sync", "sync_folder", "rename", "make_folder", "remove", "remove_folder")

    def __init__(self, patch, step=-1):
        self.calls, self.step = 0, step
        for name in self.NAMES:
            patch.setattr(disk, name, self.guard(getattr(disk, name), really=not name.startswith("sync")))

    def guard(self, real, *, really):
        def call(*arguments):
            self.calls += 1
            if self.calls == self.step:
                raise KeyboardInterrupt
            return real(*arguments) if really else None

        return call


def state(folder):
    """The bytes of an output and the ids and texts of an index, which is sound."""
    files = {str(path.relative_to(folder)): path.read_bytes() for path in (folder / "out").rglob("*.*")}
    with DocumentIndex.open(folder / "seen") as index:
        assert index.check() == []
        return files, index.ids(), len(index)


def list_files(folder):
    """Every path below a folder with its bytes, none for a folder."""
    return frozenset(
        (str(path.relative_to(folder)), path.read_bytes() if path.is_file() else None) for path in folder.rglob("*")
    )


@pytest.mark.parametrize(("made", "ids"), [(False, "error"), (True, "number")])
def test_an_interruption_at_any_step_of_an_addition_to_an_index_is_made_good_by_the_same_call(
    tmp_path, monkeypatch, made, ids
):
    """The output and the index change together: the call that comes after finishes both.

    What it begins with are the files alone, so it runs once for each state of them that an interruption leaves.
    """
    begin, sound = tmp_path / "begin", tmp_path / "sound"
    begin.mkdir()
    write_jsonl(begin / "a.jsonl")
    (begin / "b.jsonl").write_text(json.dumps({"id": "old", "text": ROWS[1]["text"]}) + "\n")
    call = {"against": "seen", "add": True, "duplicate_ids": ids}
    if made:
        monkeypatch.chdir(begin)
        run("b.jsonl", "first", **call)
    shutil.copytree(begin, sound)
    monkeypatch.chdir(sound)
    with monkeypatch.context() as patch:
        steps = Interrupted(patch)
        run("a.jsonl", "out", **call)
    expected = state(sound)
    assert expected[1] == ({"a", "e", "f", "old"} if made else set(KEPT))
    finished = set()
    for step in range(1, steps.calls + 1):
        again = tmp_path / "again"
        shutil.copytree(begin, again)
        monkeypatch.chdir(again)
        with monkeypatch.context() as patch:
            Interrupted(patch, step)
            with pytest.raises(KeyboardInterrupt):
                run("a.jsonl", "out", **call)
        left = list_files(again)
        if left not in finished:
            with monkeypatch.context() as patch:
                Interrupted(patch)
                if (again / "out").exists() and not (again / "out.partial/addition.json").exists():
                    with pytest.raises(CorpusError, match="it exists already"):  # all is done but to tidy up
                        run("a.jsonl", "out", **call)
                else:
                    run("a.jsonl", "out", **call)
            assert state(again) == expected, step
            finished.add(left)
        monkeypatch.chdir(tmp_path)
        shutil.rmtree(again)
    assert len(finished) > 20


def test_nobody_else_writes_to_the_index_that_documents_are_to_be_added_to(tmp_path):
    write_jsonl(tmp_path / "a.jsonl")
    tried = []

    def try_to_write(phase, done, total):
        if not tried:
            tried.append(phase)
            with pytest.raises(LockedError), DocumentIndex.open(tmp_path / "seen") as index:
                index.add([("other", WORDS)])

    columns = {"against": tmp_path / "seen", "add": True}
    run(tmp_path / "a.jsonl", tmp_path / "out", progress=try_to_write, **columns)
    assert tried
    with DocumentIndex.open(tmp_path / "seen") as index:
        assert index.ids() == set(KEPT)
        with index.hold(), pytest.raises(LockedError):
            run(tmp_path / "a.jsonl", tmp_path / "again", **columns)
    assert not (tmp_path / "again").exists()


def test_after_an_interruption_another_addition_makes_the_call_compare_anew(tmp_path, monkeypatch):
    write_jsonl(tmp_path / "a.jsonl")
    columns = {"against": tmp_path / "seen", "add": True}
    with DocumentIndex.build(tmp_path / "seen", [("old", "nothing like the others in any way")]) as index:
        with monkeypatch.context() as patch:

            def interrupt(*_, **__):
                raise KeyboardInterrupt

            patch.setattr(DocumentIndex, "add", interrupt)
            with pytest.raises(KeyboardInterrupt):
                run(tmp_path / "a.jsonl", tmp_path / "out", **columns)
        index.add([("newer", ROWS[1]["text"])])
    run(tmp_path / "a.jsonl", tmp_path / "out", **columns)
    assert ids_of(tmp_path / "out/kept/a.jsonl") == ["a", "e", "f"]
    with DocumentIndex.open(tmp_path / "seen") as index:
        assert index.ids() == {"old", "newer", "a", "e", "f"}


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip"])
def test_a_parquet_file_keeps_its_codec_also_if_it_has_none(tmp_path, codec):
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet", compression=codec)
    run(tmp_path / "a.parquet", tmp_path / "out")
    kept = tmp_path / "out/kept/a.parquet"
    column = pq.ParquetFile(kept).metadata.row_group(0).column(0)
    assert column.compression == {"none": "UNCOMPRESSED"}.get(codec, codec.upper())
    assert ids_of(kept) == KEPT


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.parquet"])
def test_a_disk_that_is_full_is_no_fault_of_the_input(tmp_path, monkeypatch, name):
    (write_parquet if name.endswith("parquet") else write_jsonl)(tmp_path / name)

    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

    real = Path.open
    monkeypatch.setattr(
        Path,
        "open",
        lambda path, mode="r", *rest, **more: (
            Full() if mode == "xb" and "kept" in path.parts else real(path, mode, *rest, **more)
        ),
    )
    with pytest.raises(CorpusError, match=f"kept/0/{name}: cannot be written: No space left on device"):
        run(tmp_path / name, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def write_giant(path):
    """One large file of JSON lines: a byte order mark, blank lines, no ids, and no end of the last line."""
    source = random.Random(7)
    texts = []
    for _ in range(80):
        words = [f"w{source.randrange(400)}" for _ in range(source.randrange(40))]
        if texts and source.random() < 0.4:
            words = source.choice(texts).split()
            words[:2] = [f"w{source.randrange(400)}"] * source.randrange(2)
        texts.append(" ".join(words))
    lines = [json.dumps({"text": text, "year": number % 7}) for number, text in enumerate(texts)]
    path.write_text("\ufeff" + "\n\n".join(lines), "utf-8")


OPTIONS = {"threshold": 0.5, "keep": "max(year)", "memory": "64M"}


@pytest.fixture
def collection(tmp_path, monkeypatch):
    """A large file and a small one, which are read in several parts, and the bytes that one part leads to."""
    inputs = tmp_path / "in"
    inputs.mkdir()
    write_giant(inputs / "giant.jsonl")
    write_parquet(inputs / "small.parquet")
    run(inputs, tmp_path / "whole", **OPTIONS)
    monkeypatch.setattr("ibidem.corpus.inputs.PART_BYTES", 2500)
    assert len(Inputs(inputs, Columns.of("text", "id")).cut()) > 4
    return inputs, contents_of(tmp_path / "whole")


def test_a_collection_in_several_parts_leads_to_the_same_bytes(tmp_path, collection):
    inputs, expected = collection
    run(inputs, tmp_path / "out", **OPTIONS)
    assert contents_of(tmp_path / "out") == expected
    assert json.loads(expected["summary.json"])["near_duplicates"] > 5


STEPS = ["reading", "sorting", "comparing", "choosing", "writing", "summarizing"]


@pytest.mark.parametrize("last", STEPS)
def test_no_step_is_done_again_after_an_interruption_and_the_bytes_are_the_same(
    tmp_path, monkeypatch, collection, last
):
    inputs, expected = collection
    real, counts = Engine.map_files, Counter()

    def count(engine, name, step, tasks, place):
        def work(task, target, resources):
            step(task, target, resources)
            if name == last and (len(tasks) == 1 or task is tasks[1]):
                raise KeyboardInterrupt  # before the output is whole
            counts[name] += 1

        return real(engine, name, work, tasks, place)

    monkeypatch.setattr(Engine, "map_files", count)
    with pytest.raises(KeyboardInterrupt):
        run(inputs, tmp_path / "out", **OPTIONS)
    assert list(counts) == STEPS[: len(counts)]
    last = None
    assert run(inputs, tmp_path / "out", **OPTIONS).resumed
    assert contents_of(tmp_path / "out") == expected
    parts = counts["reading"]
    assert counts == {name: parts if name in ("reading", "comparing", "writing") else 1 for name in STEPS}


def test_an_input_and_an_output_may_be_at_urls(tmp_path, monkeypatch, collection, object_store):
    inputs, expected = collection
    storage = Storage(f"{object_store}/in")
    for path in inputs.iterdir():
        storage.upload(path, path.name)
    monkeypatch.chdir(tmp_path)
    written = run(f"{object_store}/in", f"{object_store}/out", **OPTIONS)
    sent = Storage(f"{object_store}/out")
    assert {name: sent.read(name) for name in sent.list()} == expected
    assert written.summary["documents"] == 86
    assert not list(tmp_path.glob("*.partial"))
    with pytest.raises(CorpusError, match="is not empty"):
        run(inputs, f"{object_store}/out", **OPTIONS)


ON_RAY = """
def main():
    import os, signal
    import ibidem.corpus.inputs
    from ibidem.documents import deduplicate, links
    from ibidem.engine.engine import do_task

    ibidem.corpus.inputs.PART_BYTES = 2500
    inputs, output, marks = sys.argv[1:]
    link_range = links.link_range

    def link_or_die(rules, digests, texts, hashes, file, resources):
        mark = os.path.join(marks, str(hashes.low))
        if not os.path.exists(mark):
            open(mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        link_range(rules, digests, texts, hashes, file, resources)

    links.link_range = link_or_die
    written = deduplicate.deduplicate_files(inputs, output, threshold=0.5, keep="max(year)", memory="64M", ray="auto")
    print("documents:", written.summary["documents"])
"""


def test_a_cluster_writes_the_same_bytes_also_when_its_workers_die(tmp_path, collection):
    inputs, expected = collection
    (tmp_path / "marks").mkdir()
    done = run_on_cluster(ON_RAY, inputs, tmp_path / "out", tmp_path / "marks")
    assert "documents: 86" in done.stdout, done.stderr
    assert contents_of(tmp_path / "out") == expected
    assert len(list((tmp_path / "marks").iterdir())) > 4
