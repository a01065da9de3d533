import gzip
import io
import json
import os
import re
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.corpus import jsonl, read
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import LineRange, Source
from ibidem.errors import CorpusError

ENCODABLE = st.text(alphabet=st.characters(codec="utf-8"), max_size=40)
WITH_SURROGATES = st.text(alphabet=st.characters(), max_size=40)


def records_of(texts):
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
        lambda children: st.lists(children, max_size=3) | st.dictionaries(texts, children, max_size=3),
        max_leaves=6,
    )
    others = st.dictionaries(texts.filter(lambda name: name not in ("id", "text")), values, max_size=3)
    ids = ENCODABLE.filter(bool) | st.integers()
    records = st.builds(lambda others, id, text: {**others, "id": id, "text": text}, others, ids, texts)
    return st.lists(records, max_size=5)


def lines_of(values, *, ascii_only=True, end="\n"):
    lines = "".join(json.dumps(value, ensure_ascii=ascii_only) + end for value in values)
    return lines.encode("utf-8")


def expected(values):
    return [
        (str(value["id"]), value["text"], {key: value[key] for key in value if key not in ("id", "text")})
        for value in values
    ]


@given(values=records_of(WITH_SURROGATES), end=st.sampled_from(["\n", "\r\n", "\n\n \n"]))
def test_what_json_writes_is_read_back(records, tmp_path_factory, values, end):
    path = tmp_path_factory.mktemp("jsonl") / "a.jsonl"
    path.write_bytes(lines_of(values, end=end))
    assert records(path) == expected(values)


@given(values=records_of(ENCODABLE), mark=st.booleans())
def test_unescaped_unicode_is_read_back(records, tmp_path_factory, values, mark):
    path = tmp_path_factory.mktemp("jsonl") / "a.ndjson"
    path.write_bytes(b"\xef\xbb\xbf" * mark + lines_of(values, ascii_only=False))
    assert records(path) == expected(values)


def test_line_separators_of_unicode_do_not_end_a_line(records, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "1", "text": "one\u2028two\u2029three\x85four"}\n', encoding="utf-8")
    assert records(path) == [("1", "one\u2028two\u2029three\x85four", {})]


@pytest.mark.parametrize("content", [b"", b"\n \r\n\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_a_file_without_records_has_no_documents(records, tmp_path, content):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert records(path) == []


def test_other_columns_are_passed_on_as_they_stand(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"n": 1.50, "id": "1", "big": 123456789012345678901234567890, "text": "a", "o": {"a" : [] }}\n')
    [batch] = read(path)
    assert batch.metadata == [b'{"n":1.50,"big":123456789012345678901234567890,"o":{"a" : [] }}']


def test_not_a_number_in_metadata_is_null_and_one_warning_says_so(records, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "0", "text": "b"}\n' + '{"id": "1", "text": "a", "x": NaN, "y": -Infinity}\n' * 2)
    with pytest.warns(UserWarning, match=r"a\.jsonl, line 2: NaN, which JSON cannot say, is read as null") as warned:
        assert records(path) == [("0", "b", {}), *[("1", "a", {"x": None, "y": None})] * 2]
    assert len(warned) == 1


def test_records_without_ids_are_named_by_file_and_row(records, tmp_path, monkeypatch):
    (tmp_path / "a.jsonl").write_text('{"text": "a"}\n\n{"text": "b", "n": 1}\n')
    monkeypatch.chdir(tmp_path)
    assert records("a.jsonl") == [("a.jsonl:0", "a", {}), ("a.jsonl:1", "b", {"n": 1})]


def test_columns_can_be_named(records, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"key": "k", "body": "b", "id": 3, "text": null}\n')
    assert records(path, text="body", id="key") == [("k", "b", {"id": 3, "text": None})]


GOOD = b'{"id": "1", "text": "a"}\n'


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (GOOD + b"\n{oops}\n", {}, "line 3: invalid JSON: .* at column 2; each line must be one whole JSON object"),
        (GOOD + b'{"id": "2", "te', {}, "line 2: invalid JSON: .*the last line of the file, which may be cut short"),
        (GOOD + b'{"id": "2", "text": "a"} {}\n', {}, "line 2: invalid JSON: Extra data"),
        (GOOD + b'{"id": "2", "text": "\xff"}\n', {}, "line 2: invalid UTF-8 at byte 22 of the line"),
        (GOOD + b'{"id": "2", "text": "a", "x": "\xff"}\n', {}, "line 2: invalid UTF-8 at byte 32 of the line"),
        (GOOD + b'{"id": "2", "text": "\xed\xa0\x80"}\n', {}, "line 2: invalid UTF-8"),
        (GOOD + b'{"id": "2", "text": "a", "x": ' + b"[" * 99999 + b"]" * 99999 + b"}\n", {}, "line 2: .*recursion"),
        (GOOD + b'{"id": "2", "text": "a\x01"}\n', {}, "line 2: invalid JSON: Invalid control character"),
        (b"[1]\n", {}, "line 1: an array where an object should be"),
        (b'"a"\n', {}, "line 1: a string where an object should be"),
        (b"[\n", {}, "line 1: invalid JSON"),
        (GOOD + b'{"id": "2", "text": null}\n', {}, "line 2, column 'text': the text is null, not a string"),
        (GOOD + b'{"id": "2", "text": 3}\n', {}, "line 2, column 'text': the text is a number, not a string"),
        (GOOD + b'{"id": "2", "text": {}}\n', {}, "line 2, column 'text': the text is an object, not a string"),
        (b'{"pairs": []}\n', {}, r"line 1, column 'text': there is no such column \(columns: 'pairs'\); name the"),
        (b"{}\n", {}, r"line 1, column 'text': there is no such column \(columns: none\)"),
        (GOOD, {"text": "body"}, r"line 1, column 'body': there is no such column \(columns: 'id', 'text'\)"),
        (GOOD, {"id": "key"}, r"line 1, column 'key': there is no such column \(columns: 'id', 'text'\); .* the id"),
        (GOOD + b'{"text": "a"}\n', {}, "line 2, column 'id': no id, though the records before have one"),
        (b'{"text": "a"}\n' + GOOD, {}, "line 2, column 'id': an id, though the records before have none"),
        (b'{"id": null, "text": ""}\n', {}, "line 1, column 'id': the id is null"),
        (b'{"id": true, "text": ""}\n', {}, "line 1, column 'id': the id is a boolean"),
        (b'{"id": 1.0, "text": ""}\n', {}, "line 1, column 'id': the id is a number, neither a string nor an integer"),
        (b'{"id": "", "text": ""}\n', {}, "line 1, column 'id': the id is empty"),
        (b'{"id": "\\ud800", "text": ""}\n', {}, "line 1, column 'id': the id is not valid Unicode"),
        (b'{"id": %b, "text": ""}\n' % (b"1" * 5000), {}, "line 1: JSON that cannot be read .*digits"),
        (b'{"id": 1, "text": "\\ud800", "x": 1e999}\n', {}, "line 1: a number is out of range"),
    ],
)
def test_an_error_names_file_line_column_and_cause(records, tmp_path, content, options, message):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=f"^{re.escape(str(path))}, {message}") as caught:
        records(path, **options)
    assert "\n" not in str(caught.value)


def test_many_columns_are_not_all_listed(records, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({f"c{n}": n for n in range(25)}))
    with pytest.raises(CorpusError, match="'c19' and 5 more"):
        records(path)


def test_batches_come_before_the_rest_of_the_file_is_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD * 5 + b"oops\n")
    batches = read(path, batch_bytes=1)
    assert [next(batches).ids for _ in range(5)] == [["1"]] * 5
    with pytest.raises(CorpusError, match="line 6"):
        next(batches)


def test_standard_input_is_named_in_ids_and_errors(records, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"text": "a"}\noops\n')))
    with pytest.raises(CorpusError, match=r"^standard input, line 2: invalid JSON"):
        records("-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"text": "a"}\n')))
    assert records("-") == [("stdin:0", "a", {})]


def test_a_named_pipe_holds_json_lines(records, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(GOOD,))
    writer.start()
    assert records(pipe) == [("1", "a", {})]
    writer.join()


def collection(name):
    folder = os.environ.get("IBIDEM_DATA")
    if not folder:
        pytest.skip("IBIDEM_DATA does not name the folder of real texts")
    return os.path.join(folder, name)


def test_real_verses_are_all_read(records):
    path = collection("bibles-en.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        first = json.loads(next(lines))
        count = 1 + sum(1 for _ in lines)
    read_back = records(path)
    assert len(read_back) == count
    text = first.pop("text")
    assert read_back[0] == (f"{path}:0", text, first)


BLANK = 2
"""The line of the files of pieces, from 0, that is blank."""


def read_pieces(path, cuts):
    """Documents and metadata of a file that is read piece by piece; it is cut behind some of its lines."""
    lines = path.read_bytes().splitlines(keepends=True)
    bounds = [0, *sorted(cuts), len(lines)]
    places = [sum(map(len, lines[:number])) for number in bounds]
    found = []
    for number, begin, end in zip(bounds[:-1], places[:-1], places[1:], strict=True):
        row = number - (number > BLANK)
        source = Source(str(path), path.name, piece=LineRange(begin, end, number + 1, row))
        for batch in jsonl.read(source, Columns.of("text", "id", "1M"), 1 << 20):
            found += zip(batch.ids, list(batch.texts), batch.metadata, strict=True)
    return found


@pytest.mark.parametrize("numbered", [False, True])
@given(cuts=st.lists(st.integers(0, 7), max_size=4))
def test_pieces_of_a_file_hold_its_documents(tmp_path_factory, numbered, cuts):
    path = tmp_path_factory.mktemp("pieces") / "a.jsonl"
    ids = [{} if numbered else {"id": f"own-{number}"} for number in range(6)]
    lines = [json.dumps({**id, "text": f"text {number}", "row": number}) for number, id in enumerate(ids)]
    path.write_text("\ufeff" + "\n".join([*lines[:BLANK], "", *lines[BLANK:]]), "utf-8")
    whole = [
        (f"{path.name}:{row}" if numbered else f"own-{row}", f"text {row}", b'{"row":%d}' % row) for row in range(6)
    ]
    assert read_pieces(path, cuts) == whole


@pytest.mark.parametrize(
    ("first", "last", "cause"),
    [
        ('{"text": "a"}', '{"text": "b", "id": "x"}', "an id, though the records before have none"),
        ('{"text": "a", "id": "x"}', '{"text": "b"}', "no id, though the records before have one"),
    ],
)
def test_the_first_record_of_a_file_decides_for_all_its_pieces(tmp_path, first, last, cause):
    path = tmp_path / "a.jsonl"
    path.write_text(f"\n{first}\n{last}\n")
    with pytest.raises(CorpusError, match=rf"a\.jsonl, line 3, column 'id': {cause}"):
        read_pieces(path, [2])


def test_lines_and_texts_of_any_kind_are_read_as_they_are(records, tmp_path):
    rows = [
        {"id": f"d{number}", "text": text, "n": number}
        for number, text in enumerate(
            [
                "short",
                "a long é 漢 \U0001f600 \\ \n text " * 9,
                "",
                "x" * 64,
                "half \ud800 of a pair, long enough to be that" * 3,
            ]
        )
    ]
    lines = [json.dumps(row, ensure_ascii=number % 2 == 0 or number == 4) for number, row in enumerate(rows)]
    path = tmp_path / "a.jsonl"
    path.write_text("\ufeff" + "\n".join([*lines[:2], " " * 100, *lines[2:]]))
    assert [text for _, text, _ in records(path)] == [row["text"] for row in rows]


def test_a_fault_of_a_long_line_has_its_place(records, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "a", "text": "b"}\n{"id": "c", "text": "' + b"d" * 90 + b'\xff"}\n')
    with pytest.raises(CorpusError, match=r"a.jsonl, line 2: invalid UTF-8 at byte 112 of the line"):
        records(path)
    with pytest.raises(CorpusError, match="line 2: a line of more than 80 bytes"):
        list(read(path, max_line=80))


def test_a_byte_order_mark_may_begin_any_line_as_in_joined_files(records, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": 1, "text": "a"}\n\n\xef\xbb\xbf\n\xef\xbb\xbf{"id": 2, "text": "b"}')
    assert records(path) == [("1", "a", {}), ("2", "b", {})]
