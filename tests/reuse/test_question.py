"""What a search for reuse is asked, and which windows it compares."""

import inspect
import json
from typing import Any

import pytest

from ibidem import find_reuse
from ibidem.reuse.find import find_reuse_in_files
from ibidem.reuse.question import Question


@pytest.mark.parametrize("asked", [{"threshold": 0.0}, {"recall": 2.0}, {"seed": -1}, {"min_pair_length": 0}], ids=str)
def test_settings_that_make_no_sense_are_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(asked))):
        Question(**asked).require_valid()


def test_what_is_described_is_asked_again_by_it() -> None:
    question = Question(
        threshold=0.5, phrases=["all rights reserved"], columns=["year"], tokenizer="characters:4"
    ).require_valid()
    described = json.loads(json.dumps(question.describe()))
    assert Question(**described).require_valid().describe() == described
    assert Question(**described).require_valid().join == question.join


def test_windows_are_no_longer_than_a_passage_may_be() -> None:
    assert Question(min_pair_length=9).require_valid().join.window == 9
    assert Question(min_pair_length=500).require_valid().join.window == Question().require_valid().join.window == 32


def test_windows_are_joined_that_are_less_similar_than_passages_and_in_an_exact_search_even_less() -> None:
    exact = Question(threshold=0.5, recall=1.0).require_valid().join.threshold
    assert exact < Question(threshold=0.5).require_valid().join.threshold < 0.5


@pytest.mark.parametrize("function", [find_reuse, find_reuse_in_files])
def test_both_functions_have_the_same_defaults(function: Any) -> None:
    parameters = inspect.signature(function).parameters
    texts_say = {"tokenizer": "auto"}  # a question without texts is one about words
    for name, value in (vars(Question()) | texts_say).items():
        assert parameters[name].default == value, name
