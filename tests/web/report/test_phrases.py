"""The words of a report: what its modules and Python say in English, other languages have, too."""

import re
from pathlib import Path
from typing import get_args

import pytest
from click import Choice

from ibidem.cli.report import report
from ibidem.contamination import frequencies, judging
from ibidem.web.report.html import (
    _MORE_CLUSTERS,
    _MORE_PAIRS,
    _SET_ASIDE,
    _WITHOUT_TEXT,
    MODULES,
    Language,
    page_file,
)


def phrases_in(language: str) -> set[str]:
    source = page_file("phrases.js").partition(f"\n  {language}: {{")[2].partition("\n  },")[0]
    return {a or b for a, b in re.findall(r'(?:^|[{,])\s*(?:"([^"]+)"|(\w+)): "', source, re.M)}


def phrases_said() -> set[str]:
    """The phrases in the modules: in calls, in lists of titles, and in conditions."""
    modules = {name: page_file(name) for name in MODULES if name != "phrases.js"}
    said = {words for module in modules.values() for words in re.findall(r'phrase\("([^"]+)"', module)}
    counted = {words for module in modules.values() for words in re.findall(r'count\([^"()]*, "([^"]+)"', module)}
    kinds = set(
        re.findall(r'^  \w+: "([^"]+)",$', modules["passage.js"].partition("KINDS = {")[2].partition("};")[0], re.M)
    )
    titles = set(re.findall(r'^  \["\w+", "([^"]+)"', modules["overview.js"], re.M))
    assert len(said) > 60
    assert len(kinds) == len(titles) == 5
    return said | counted | {f"{noun}s" for noun in counted} | kinds | titles


@pytest.mark.parametrize("language", [each for each in get_args(Language) if each != "en"])
def test_every_phrase_is_there_in_every_language(language: str) -> None:
    notes = {*_MORE_PAIRS, *_SET_ASIDE, *_MORE_CLUSTERS, *_WITHOUT_TEXT}
    assert notes | phrases_said() <= phrases_in(language)


@pytest.mark.parametrize("language", [each for each in get_args(Language) if each != "en"])
def test_every_reason_of_contamination_is_there_in_every_language(language: str) -> None:
    templates = re.findall(r'return "(template)", "(of [^"]+)"', Path(judging.__file__).read_text("utf-8"))
    spreads = re.findall(r'"((?:within|across) [^"]+)"', Path(frequencies.__file__).read_text("utf-8"))
    details = {" ".join(each) for each in templates} | {f"boilerplate {each}" for each in spreads}
    assert len(details) == 4
    assert details | set(judging.KINDS) <= phrases_in(language)


def test_a_phrase_has_the_same_values_in_every_language() -> None:
    pairs = re.findall(r'(?:^|[{,])\s*(?:"([^"]+)"|\w+): "([^"]+)"', page_file("phrases.js"), re.M)
    values = [[sorted(set(re.findall(r"\{(\w+)\}", words))) for words in pair] for pair in pairs if pair[0]]
    assert len(values) > 60
    assert [pair for pair in values if pair[0] != pair[1]] == []


def test_the_command_offers_the_languages_that_there_are() -> None:
    (kind,) = (option.type for option in report.params if option.name == "language")
    assert isinstance(kind, Choice)
    assert tuple(kind.choices) == get_args(Language)
