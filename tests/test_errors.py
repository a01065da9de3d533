"""The tree of exceptions."""

import inspect

import pytest

from ibidem import errors

CLASSES = [getattr(errors, name) for name in errors.__all__]


def test_every_exception_is_exported_and_stands_in_the_tree() -> None:
    defined = {name for name, value in vars(errors).items() if inspect.isclass(value)}
    assert defined == set(errors.__all__)
    assert all(issubclass(each, errors.IbidemError) for each in CLASSES)
    assert errors.__doc__ is not None
    assert {word for word in errors.__doc__.split() if word in defined} == defined


def test_the_drawing_of_the_tree_is_the_tree() -> None:
    assert errors.__doc__ is not None
    drawing = errors.__doc__.split("::\n")[1]
    parents: list[str] = []
    for line in drawing.splitlines():
        name = next((word for word in line.split() if word in errors.__all__), None)
        if name is None:
            continue
        depth = (line.index(name) - 4) // 4
        parents[depth:] = [name]
        assert getattr(errors, name).__bases__[0].__name__ == (parents[depth - 1] if depth else "Exception")


def test_an_error_about_an_extra_gives_the_command_that_installs_it() -> None:
    error = errors.MissingExtraError("the bpe tokenizer", "bpe")
    assert str(error) == "the bpe tokenizer needs an optional dependency: pip install 'ibidem[bpe]'"
    assert isinstance(error, ImportError)


@pytest.mark.parametrize("error", [each for each in CLASSES if each is not errors.MissingExtraError])
def test_an_error_says_what_it_was_given(error: type[errors.IbidemError]) -> None:
    assert str(error("poems.jsonl, line 3: not JSON")) == "poems.jsonl, line 3: not JSON"
