"""The settings of a deduplication of passages."""

import inspect
import json
from typing import Any

import pytest

from ibidem import deduplicate_passages
from ibidem.reuse.removal.deduplicate import deduplicate_passages_of_files
from ibidem.reuse.removal.question import PassageQuestion


@pytest.mark.parametrize(
    "settings",
    [{"threshold": 0}, {"recall": 2}, {"seed": -1}, {"keep": "best"}, {"min_length": 0}, {"boundary": "pages"}],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        PassageQuestion(**settings).require_valid()


@pytest.mark.parametrize("function", [deduplicate_passages, deduplicate_passages_of_files])
def test_both_functions_have_the_same_defaults(function: Any) -> None:
    parameters = inspect.signature(function).parameters
    for name, value in vars(PassageQuestion()).items():
        assert parameters[name].default == value, name


def test_settings_are_described_as_json_has_them() -> None:
    asked = [PassageQuestion(), PassageQuestion(normalize=("latin",)), PassageQuestion(ignore=(("sheet", "one two"),))]
    described = [json.dumps(question.require_valid().describe()) for question in asked]
    assert len(set(described)) == 3
