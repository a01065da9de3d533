import contextlib
import gzip
import subprocess
import sys
import warnings
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ibidem.corpus
from ibidem.corpus import read
from ibidem.corpus.formats import FORMATS
from ibidem.corpus.reading import CountedDocuments
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError


def test_a_folder_of_several_formats_is_one_collection(records, tmp_path):
    (tmp_path / "a.csv").write_text("text,n\nx,1\n")
    (tmp_path / "b.jsonl").write_text('{"text": "y"}\n')
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "d.txt").write_text("z")
    assert records(tmp_path) == [("a.csv:0", "x", {"n": "1"}), ("b.jsonl:0", "y", {}), ("c/d.txt", "z", {})]


def test_small_files_share_a_batch(tmp_path):
    for n in range(20):
        (tmp_path / f"{n:02}.txt").write_text("é" * n)
    [batch] = read(tmp_path)
    assert batch.ids == [f"{n:02}.txt" for n in range(20)]
    assert list(batch.texts) == ["é" * n for n in range(20)]


def test_the_size_of_batches_does_not_change_the_documents(records, tmp_path):
    for n in range(5):
        (tmp_path / f"{n}.jsonl").write_text("".join(f'{{"text": "{"a" * m}"}}\n' for m in range(20)))
    whole = records(tmp_path)
    assert len(whole) == 100
    for batch_bytes in (1, 300, 5000):
        assert records(tmp_path, batch_bytes=batch_bytes) == whole


def test_missing_paths_are_reported_before_anything_is_read(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(CorpusError, match=r"b\.txt: cannot be read"):
        read([tmp_path / "a.txt", tmp_path / "b.txt"])


def test_no_paths_give_no_documents(records):
    assert records([]) == []


@pytest.mark.parametrize("options", [{"text": "id"}, {"batch_bytes": 0}])
def test_wrong_arguments_are_refused(options):
    with pytest.raises(ValueError):
        read("a.txt", **options)


def parquet():
    written = pa.BufferOutputStream()
    columns = {"id": ["1", "2", "3"], "text": ["one", "zwölf", ""], "x": [[1], None, [2, 3]]}
    pa.parquet.write_table(pa.table(columns), written, row_group_size=2)
    return written.getvalue().to_pybytes()


LINES = (
    '{"id": "1", "text": "zwölf \\ud83d\\ude00", "x": {"a": [1.5, null]}}\n{"id": 2, "text": "", "x": ""}\n'.encode()
)
TABLE = 'id,text,x\n1,"zwölf ""\n",\n2,,3\n'.encode()
FILES = [("a.jsonl", LINES), ("a.jsonl.gz", gzip.compress(LINES)), ("a.csv", TABLE), ("a.parquet", parquet())]
EDITS = st.tuples(
    st.integers(0), st.integers(0, 9), st.binary(max_size=3) | st.sampled_from([b'"', b"\n", b"\\u", b"{"])
)


@pytest.mark.parametrize(("name", "content"), FILES, ids=[name for name, _ in FILES])
@given(edits=st.lists(EDITS, min_size=1, max_size=3))
def test_a_damaged_file_gives_documents_or_a_corpus_error(records, tmp_path_factory, name, content, edits):
    for at, length, replacement in edits:
        at %= len(content) + 1
        content = content[:at] + replacement + content[at + length :]
    path = tmp_path_factory.mktemp("damaged") / name
    path.write_bytes(content)
    with contextlib.suppress(CorpusError), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of a guess at what the bytes are
        records(path)


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, ibidem.corpus; print(sorted({'numba', 'numpy', 'pyarrow', 'msgspec'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_the_table_of_formats_names_every_suffix():
    for name, format in FORMATS.items():
        assert name in ibidem.corpus.__doc__
        for suffix in format.suffixes:
            assert f"``{suffix}``" in ibidem.corpus.__doc__


def test_documents_are_counted_file_by_file(tmp_path: Path) -> None:
    files = []
    for name, count in (("a.jsonl", 3), ("b.jsonl", 1)):
        (tmp_path / name).write_bytes(b'{"text":  "a"}\n' * count)
        files.append(Source(str(tmp_path / name), name))
    documents = CountedDocuments(files, Columns("text", "id"))
    assert sum(len(batch.ids) for batch in documents) == 4
    assert documents.counts == [3, 1]
