"""Settings of questions."""

from dataclasses import asdict
from typing import Any

import pytest

from ibidem.reuse.question import Question
from ibidem.web.problems import ProblemError
from ibidem.web.projects.questions import QUESTIONS, complete_settings


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
        ("other", {}),
    ],
)
def test_what_no_setting_takes_is_refused(kind: Any, given: dict[str, Any]) -> None:
    with pytest.raises(ProblemError):
        complete_settings(kind, given)


def test_every_setting_takes_its_default_and_its_bounds() -> None:
    for kind, settings in QUESTIONS.items():
        for name, setting in settings.items():
            whole = setting.default is None
            for value in (setting.default, *setting.choices, *(each for each in (setting.least, setting.most) if each)):
                fitting = int(value) if whole and value is not None else value
                assert complete_settings(kind, {name: fitting})[name] == fitting
