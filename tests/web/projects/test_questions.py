"""Settings of questions."""

from dataclasses import asdict
from typing import Any

import pytest

from ibidem.reuse.question import Question
from ibidem.web.problems import ProblemError
from ibidem.web.projects.questions import QUESTIONS, complete_settings, describe_settings


def test_defaults_are_those_of_the_calls() -> None:
    settings = complete_settings("reuse", {})
    defaults = asdict(Question())
    assert settings.pop("quotations") == 5  # a teacher wants quotations shown as such
    shared = defaults.keys() & settings.keys()
    assert len(shared) >= 4
    assert {name: settings[name] for name in shared} == {name: defaults[name] for name in shared}


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("reuse", {"nothing": 1}),
        ("reuse", {"threshold": 2}),
        ("reuse", {"threshold": "0.5"}),
        ("reuse", {"threshold": True}),
        ("reuse", {"min_pair_length": 7.5}),
        ("reuse", {"within": 1}),
        ("reuse", {"compare": "../x"}),
        ("reuse", {"quotations": None}),
    ],
)
def test_what_no_setting_takes_is_refused(kind: Any, given: dict[str, Any]) -> None:
    with pytest.raises(ProblemError):
        complete_settings(kind, given)


def test_every_setting_takes_its_default_and_its_bounds() -> None:
    kinds: Any = QUESTIONS
    for kind in kinds:
        for name, setting in describe_settings(kind).items():
            bounds = [setting[each] for each in ("minimum", "maximum") if each in setting]
            for value in (setting["default"], *setting.get("enum", ()), *bounds):
                assert complete_settings(kind, {name: value})[name] == value


def test_the_page_is_told_the_bounds_of_a_setting_that_may_be_left_to_the_program() -> None:
    setting = describe_settings("reuse")["min_pair_length"]
    assert (setting["default"], setting["minimum"], setting["maximum"]) == (None, 4, 1000)
