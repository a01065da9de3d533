import ibidem
from tests.contamination.samples import EVALS, QUESTIONS, pages

COLUMNS = [
    "training_file",
    "training_line",
    "document",
    "start",
    "end",
    "eval_key",
    "config",
    "split",
    "eval_instance_index",
    "part",
    "eval_start",
    "eval_end",
    "similarity",
    "containment",
    "evidence",
    "kind",
    "answer_found",
    "is_correct",
    "text",
    "eval_text",
]


def test_the_tables_have_the_columns_that_are_documented_also_if_nothing_was_found() -> None:
    for train in (pages(5), [*pages(5), QUESTIONS[0]]):
        contamination = ibidem.find_contamination(train, EVALS)
        assert contamination.contamination.column_names == COLUMNS
        assert contamination.left_out.column_names == ["reason", *COLUMNS]
        assert contamination.items.num_rows == 3
    assert repr(contamination) == "Contamination(1 contamination, 3 items, 0 left out)"


def test_every_item_has_a_status_and_the_documents_that_hold_it() -> None:
    train = [("a", QUESTIONS[0]), ("b", f"{QUESTIONS[0]} the Bloukrans"), ("c", QUESTIONS[2]), *enumerate(pages(5))]
    items = ibidem.find_contamination(train, EVALS).items
    assert items["status"].to_pylist() == ["input_and_label", "clean", "input"]
    assert items["documents"].to_pylist() == [["a", "b"], [], ["c"]]


def test_the_summary_counts_by_eval_source_and_kind() -> None:
    summary = ibidem.find_contamination([QUESTIONS[0], QUESTIONS[1].replace("48", "90"), *pages(5)], EVALS).summary
    assert summary["by_eval"] == {"quiz": {"clean": 2, "input": 1}}
    assert summary["by_kind"] == {"leak": 1, "template": 1}
    assert summary["by_source"] == {"": 1}
    assert (summary["documents"], summary["items"], summary["contaminated_items"]) == (7, 3, 1)
