"""Columns that are added to batches, in each form of a batch."""

import json
import pickle
from pathlib import Path

import pyarrow
import pytest

from ibidem import CorpusError
from ibidem.integrations.arrow import LeakAnnotator, MatchAnnotator, annotate_batches

from .samples import EVALS, build_index, make_documents, make_leaking, require_leak, require_marked, sample_of_texts


@pytest.fixture(scope="module")
def annotate(tmp_path_factory: pytest.TempPathFactory) -> MatchAnnotator:
    return MatchAnnotator(build_index(tmp_path_factory.mktemp("collection")), min_pair_length=10)


def test_a_table_keeps_its_rows_and_columns(annotate: MatchAnnotator) -> None:
    table = pyarrow.Table.from_pylist(make_documents())
    marked = annotate(table)
    assert marked.column_names == [*table.column_names, "matches"]
    assert marked.schema.field("matches").type == annotate.type
    require_marked(marked.to_pylist())


def test_a_dictionary_of_columns_and_record_batches_give_the_same(annotate: MatchAnnotator) -> None:
    table = pyarrow.Table.from_pylist(make_documents())
    expected = annotate(table)["matches"].to_pylist()
    assert annotate(table.to_pydict())["matches"] == expected
    batches = list(annotate_batches(annotate, iter(table.to_batches(max_chunksize=5))))
    assert [batch.num_rows for batch in batches] == [5, 5, 2]
    assert pyarrow.Table.from_batches(batches)["matches"].to_pylist() == expected


def test_an_annotator_is_pickled_with_its_index_open_and_opens_it_again(annotate: MatchAnnotator) -> None:
    annotate({"text": ["anything"]})
    again = pickle.loads(pickle.dumps(annotate))
    require_marked(again(pyarrow.Table.from_pylist(make_documents())).to_pylist())


def test_no_rows_and_missing_texts_share_nothing(annotate: MatchAnnotator) -> None:
    empty = pyarrow.table({"text": pyarrow.array([], pyarrow.string())})
    assert annotate(empty)["matches"].type == annotate.type
    assert annotate({"text": [None, ""]})["matches"] == [[], []]


def test_columns_that_are_missing_or_taken_are_named(annotate: MatchAnnotator) -> None:
    with pytest.raises(CorpusError, match=r"no column 'text': the batch has 'body'"):
        annotate({"body": ["a"]})
    with pytest.raises(CorpusError, match=r"a column 'matches' already"):
        annotate({"text": ["a"], "matches": [1]})


def test_leaks_are_a_column_in_each_form_of_a_batch() -> None:
    annotate = LeakAnnotator(EVALS, sample_of_texts())
    table = pyarrow.Table.from_pylist(make_leaking())
    marked = annotate(table)
    assert marked.schema.field("leaks").type == annotate.type
    require_leak(marked.to_pylist())
    assert pickle.loads(pickle.dumps(annotate))(table.to_pydict())["leaks"] == marked["leaks"].to_pylist()


def test_the_sample_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "sample.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in sample_of_texts()))
    annotate = LeakAnnotator(EVALS, tmp_path / "sample.jsonl")
    require_leak(annotate(pyarrow.Table.from_pylist(make_leaking())).to_pylist())


def test_evals_are_read_at_once_and_faults_of_them_named() -> None:
    with pytest.raises(CorpusError, match="the question is empty"):
        LeakAnnotator([{"question": ""}], sample_of_texts())
