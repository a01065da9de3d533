import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ibidem.corpus import delimited_rows, opening
from ibidem.corpus.delimited_rows import split_rows
from ibidem.corpus.sources import Source
from ibidem.errors import CorpusError


def rows_of(content, delimiter, long, piece):
    """The fields of the rows of a file, or the cause why they cannot be read; rows of ``long`` bytes are long."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (opening, delimited_rows):
            patch.setattr(module, "LONG_BYTES", long)
        patch.setattr(delimited_rows, "_LONG_ROW", long)
        patch.setattr(delimited_rows, "_PIECE", piece)
        try:
            rows = list(split_rows(Source("a.csv", "a.csv"), io.BytesIO(content), delimiter, None))
        except CorpusError as error:
            return str(error).split(";")[0].replace("'\\t'", "','")
    kept = [[each if isinstance(each, str) else bytes(each).decode() for each in row.fields] for row in rows]
    return [(row.line, fields, b"".join(row.parts)) for row, fields in zip(rows, kept, strict=True)]


@given(
    st.text(st.sampled_from('ab,"\r\n\té'), max_size=40).map(str.encode),
    st.sampled_from(",\t"),
    st.booleans(),
    st.integers(1, 20),
    st.integers(1, 5),
)
@example(b'a,"b""\n""c"\r\n\n"d",\n', ",", True, 3, 1)
def test_long_rows_are_split_as_short_ones(content, delimiter, mark, long, piece):
    content = b"\xef\xbb\xbf" * mark + content
    assert rows_of(content, delimiter, long, piece) == rows_of(content, delimiter, 1 << 20, piece)


MEASURED = """
import csv, sys, threading, time
from pathlib import Path
from ibidem.corpus import read

def anonymous():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon"))

def watch():
    global most
    while not ended:
        most = max(most, anonymous())
        time.sleep(0.002)

list(read(sys.argv[1]))
ended, most = False, 0
begin = anonymous()
thread = threading.Thread(target=watch)
thread.start()
size = sum(batch.texts.nbytes for batch in read(sys.argv[2]))
ended = True
thread.join()
print(size, max(most - begin, 0))
"""


def csv_of(text):
    written = io.StringIO(newline="")
    csv.writer(written).writerows([("id", "text"), ("1", text)])
    return written.getvalue().encode()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is read as Linux shows it")
@pytest.mark.parametrize("end", [" ", "\n"], ids=["one line", "many lines"])
def test_a_long_field_is_not_held_in_memory(tmp_path, end):
    texts = {"short": 'a "word"', "long": f'a "word" and many others{" after it" * 20}{end}' * 200_000}
    peaks = {}
    for suffix in ("csv", "jsonl"):
        for name, text in texts.items():
            content = csv_of(text) if suffix == "csv" else json.dumps({"text": text}).encode()
            (tmp_path / f"{name}.{suffix}").write_bytes(content)
        command = [sys.executable, "-c", MEASURED, *(str(tmp_path / f"{name}.{suffix}") for name in texts)]
        said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        size, peaks[suffix] = map(int, said.split())
        assert size == len(texts["long"]) > 40_000_000
    assert peaks["csv"] < peaks["jsonl"] + (12 << 20)
