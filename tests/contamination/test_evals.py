import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ibidem.contamination.evals import as_evals, read_evals
from ibidem.contamination.items import EvalColumns
from ibidem.errors import CorpusError


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(lines.encode()) if path.suffix == ".gz" else lines.encode())
    return path


def test_the_choices_of_a_question_in_a_file_of_decon_are_one_item(tmp_path: Path) -> None:
    row = {"eval_key": "mmlu", "eval_instance_index": 7, "split": "dev", "question": "Which?", "config": "all"}
    answers = [("x", False), ("y", True), ("x", False)]  # MMLU itself has a question of which two choices are the same
    rows = [row | {"answer": text, "is_correct": correct, "doc_id": 3} for text, correct in answers]
    evals = read_evals(write(tmp_path / "mmlu.jsonl.gz", rows))
    assert len(evals.items) == 1
    assert evals.items[0].key == ("mmlu", "all", "dev", 7)
    assert evals.items[0].answers == ("x", "y", "x")
    assert evals.items[0].correct == 1
    assert evals.recognized[0].endswith("mmlu.jsonl.gz: decon (question, passage), 1 item")


DECON = {"eval_key": "agi", "eval_instance_index": 0, "split": "train", "question": "How old?", "config": "aqua"}


def test_a_solution_in_a_file_of_decon_is_one_more_answer_of_the_item(tmp_path: Path) -> None:
    rows = [DECON | {"answer": "(A) 3", "is_correct": False}, DECON | {"answer": "(B) 5", "is_correct": True}]
    solution = DECON | {"answer": "Since x + 2 is 7, x is 5."}  # a row without is_correct
    [item] = read_evals(write(tmp_path / "agi_train-1.jsonl", [*rows, solution])).items
    assert (item.answers, item.correct) == (("(A) 3", "(B) 5", solution["answer"]), 1)


def test_an_item_that_decon_cut_between_two_files_is_one(tmp_path: Path) -> None:
    rows = [DECON | {"answer": answer, "is_correct": answer == "d"} for answer in "abcd"]
    more = DECON | {"eval_instance_index": 1, "question": "How far?", "answer": "e", "is_correct": False}
    paths = [write(tmp_path / "agi_train-1.jsonl", rows[:3]), write(tmp_path / "agi_train-2.jsonl", [rows[3], more])]
    evals = read_evals(paths)
    assert [(item.instance, item.answers, item.correct) for item in evals.items] == [
        (0, ("a", "b", "c", "d"), 3),
        (1, ("e",), None),
    ]
    assert [description.rpartition(", ")[2] for description in evals.recognized] == ["1 item", "1 item"]


@pytest.mark.parametrize("other", [{}, {"question": "How far?", "answer": "z"}], ids=["copy", "question"])
def test_a_file_of_decon_with_items_of_another_file_is_refused(tmp_path: Path, other: dict[str, str]) -> None:
    row = DECON | {"answer": "a", "is_correct": True}
    paths = [write(tmp_path / "one.jsonl", [row]), write(tmp_path / "two.jsonl", [row | other])]
    with pytest.raises(CorpusError, match=r"two.jsonl, line 1, .*: a second item of the id 0 in the eval 'agi'"):
        read_evals(paths)


def test_parquet_and_csv_and_rows_give_the_same_items(tmp_path: Path) -> None:
    rows = [
        {"question": "Which?", "choices": ["a", "b"], "answer": 1},
        {"question": "Why?", "choices": ["c"], "answer": 0},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "test.parquet")
    lines = ["question,choices,answer", 'Which?,"[""a"", ""b""]",1', 'Why?,"[""c""]",0']
    (tmp_path / "test.csv").write_text("\n".join(lines), encoding="utf-8")
    found = [
        read_evals(tmp_path / "test.parquet").items,
        read_evals([tmp_path / "test.csv"]).items,
        as_evals(rows, EvalColumns()).items,
        as_evals(pa.Table.from_pylist(rows), EvalColumns()).items,
    ]
    read = [[(item.instance, item.question, item.answers, item.correct) for item in items] for items in found]
    assert read == [[(0, "Which?", ("a", "b"), 1), (1, "Why?", ("c",), 0)]] * 4


def test_named_columns_come_before_recognized_ones(tmp_path: Path) -> None:
    path = write(
        tmp_path / "mine.jsonl", [{"id": "q7", "ask": "Which?", "key": "b", "options": ["a", "b"], "about": "P"}]
    )
    evals = read_evals(path, question="ask", answer="key", passage="about", choices="options")
    item = evals.items[0]
    assert (item.eval_key, item.instance, item.question) == ("mine", "q7", "Which?")
    assert (item.passage, item.answers, item.correct) == ("P", ("a", "b"), 1)


def test_a_named_question_may_be_all_that_is_named() -> None:
    assert as_evals([{"text": "Which?"}], EvalColumns(question="text")).items[0].answers == ()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"question": "Q", "choices": []}], "line 1, column 'choices': the choices are empty"),
        ([{"ctx": "Q", "endings": [" ", ""]}], "line 1, column 'endings': the choices are empty"),
        ([{"question": "Q", "choices": "a, b"}], "line 1, column 'choices': the choices are of type str, not a list"),
        ([{"question": "Q", "choices": 7}], "line 1, column 'choices': the choices are of type int, not a list"),
        ([{"question": "Q"}, {"question": " "}], "line 2, column 'question': the question is empty"),
        ([{"question": "Q", "choices": ""}], "line 1, column 'choices': the choices are empty"),
        (
            [{"question": "Q", "id": "a"}, {"question": "R", "id": "a"}],
            "line 2, column 'id': a second item of the id 'a'",
        ),
        ([{"text": "Q"}], "no question in the columns text; name it with --question COLUMN"),
        ([{"question": "Q"}, {"answer": "R"}], "line 2, column 'question': there is no such column"),
        ([{"question": None}], "line 1, column 'question': the text is null"),
        ([], "no row"),
    ],
)
def test_an_eval_that_cannot_be_used_is_refused_with_file_and_line(
    tmp_path: Path, rows: list[dict[str, Any]], message: str
) -> None:
    path = write(tmp_path / "test.jsonl", rows)
    with pytest.raises(CorpusError) as refused:
        read_evals(path)
    assert str(refused.value).startswith(str(path))
    assert message in str(refused.value)


def test_a_column_that_is_not_there_and_a_file_that_is_no_table_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "test.jsonl", [{"question": "Q"}])
    with pytest.raises(CorpusError, match=r"test.jsonl, column 'reply': there is no such column .* holds the answer$"):
        read_evals(path, answer="reply")
    (tmp_path / "notes.txt").write_text("no eval", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"notes.txt: no eval: evals are JSON lines, Parquet or CSV files"):
        read_evals(tmp_path / "notes.txt")
    with pytest.raises(CorpusError, match="eval 0: expected a mapping"):
        as_evals([7], EvalColumns())
    with pytest.raises(TypeError, match="not one int"):
        as_evals(7, EvalColumns())
    with pytest.raises(CorpusError, match=r"^the evals have no item$"):
        as_evals([], EvalColumns())


def test_files_beside_the_tables_of_a_data_set_are_passed_over_and_listed(tmp_path: Path) -> None:
    folder = tmp_path / "gsm8k"
    (folder / "main").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist([{"question": "Which?", "answer": "1"}]), folder / "main" / "test-0.parquet")
    (folder / "README.md").write_text("# A data set", encoding="utf-8")
    (folder / "dataset_infos.json").write_text("{}", encoding="utf-8")
    (folder / ".gitattributes").write_text("*.parquet lfs", encoding="utf-8")
    (folder / "notes.txt").write_text("words", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"passed over: README\.md \(about the tables .*, dataset_infos\.json"):
        evals = read_evals(folder)
    assert [item.question for item in evals.items] == ["Which?"]
    assert list(evals.recognized) == [
        f"{folder / 'main' / 'test-0.parquet'}: gsm8k (question), 1 item",
        f"{folder / 'notes.txt'}: passed over, no table of items",
    ]
    (folder / "main" / "test-0.parquet").unlink()
    (folder / "notes.txt").unlink()
    with pytest.raises(CorpusError, match=r"README.md, .*dataset_infos.json: no eval: evals are JSON lines"):
        read_evals(folder)
    with pytest.raises(CorpusError, match=r"README.md: no eval"):
        read_evals(folder / "README.md")


def test_files_of_one_name_whose_items_have_one_id_are_refused_with_what_to_do(tmp_path: Path) -> None:
    paths = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        paths.append(write(tmp_path / folder / "test.jsonl", [{"question": f"Which {folder}?"}]))
    with pytest.raises(CorpusError) as refused:
        read_evals(paths)
    assert str(refused.value) == (
        f"{paths[1]}, line 1: a second item of the id 0 in the eval 'test'; the first is {paths[0]}, line 1; "
        "rename a file, or add a column 'eval_key'"
    )
    rows = [{"question": f"Which {name}?", "eval_key": name} for name in "ab"]
    assert len(read_evals([write(path, [row]) for path, row in zip(paths, rows, strict=True)]).items) == 2
