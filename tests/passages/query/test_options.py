"""A question is the same to a caller, to the command line and to the index."""

import dataclasses
import inspect
from typing import get_args

import pytest

from ibidem import PassageIndex
from ibidem.cli.search import search as search_command
from ibidem.options import Selection
from ibidem.passages.query.options import SearchOptions

FIELDS = {field.name: field.default for field in dataclasses.fields(SearchOptions) if field.name != "count_all"}
"""The options of a search; to count all matches is asked of ``explain`` alone, since matches do not say it."""


def test_a_search_takes_what_a_question_holds_with_the_same_defaults():
    arguments = inspect.signature(PassageIndex.search).parameters
    assert {name: each.default for name, each in arguments.items() if name not in ("self", "text", "name")} == FIELDS


def test_the_command_asks_every_question_with_the_same_defaults():
    with search_command.make_context("search", ["books.ibidem", "letter.txt"]) as context:
        given = {name: context.params[name] for name in FIELDS}
    # What kinds of index have different defaults of is left to the search of each.
    assert {name: FIELDS[name] if value is None else value for name, value in given.items()} == FIELDS
    (select,) = (option for option in search_command.params if option.name == "select")
    assert tuple(select.type.choices) == get_args(Selection)


def test_an_explained_search_gives_the_matches_of_the_search(tmp_path):
    text = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    with PassageIndex.build(tmp_path / "index", [("blake", text)], min_length=4) as index:
        for question in ({}, {"threshold": 0.9, "family": "set"}, {"select": "all"}):
            matches, statistics = index.explain(text, name="tyger", **question)
            assert matches == index.search(text, name="tyger", **question) != []
            assert statistics.matches == len(matches)
        with pytest.raises(TypeError, match="treshold"):
            index.explain(text, treshold=0.5)


@pytest.mark.parametrize(
    "wrong",
    [{"threshold": 0}, {"threshold": 1.1}, {"select": "first"}, {"limit": 0}, {"limit": 10**30}],
)
def test_a_question_out_of_range_is_refused_by_name(wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=f"^{name} (is|must be)"):
        SearchOptions(**wrong)
