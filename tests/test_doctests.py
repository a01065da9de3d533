"""The examples in docstrings give what they say."""

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import baselines
import ibidem

NAMES = [
    module.name
    for package in (ibidem, baselines)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]
MODULES = [import_module(name) for name in NAMES if not name.endswith(".__main__")]
EXAMPLES = [
    example
    for module in MODULES
    for example in doctest.DocTestFinder(exclude_empty=True).find(module)
    if example.examples
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_examples_of_a_docstring_hold(
    example: doctest.DocTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(example, out=said.append, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0, "".join(said)
