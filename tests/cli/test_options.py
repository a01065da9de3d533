"""Options that several commands share mean the same in each, and offer what the library has."""

from collections import defaultdict

import click
import pytest

from ibidem.cli.group import COMMANDS, main
from ibidem.cli.options import measure, passage_lengths
from ibidem.sketch.families import FAMILIES
from ibidem.weights import IDF, TF


def parameters_of(*decorators) -> dict[str, click.Option]:  # type: ignore[no-untyped-def]
    """The options that decorators give to a command, by name."""

    def function() -> None:
        pass

    for decorator in decorators:
        function = decorator(function)
    return {option.name: option for option in click.command()(function).params}


@pytest.mark.parametrize(("name", "known"), [("family", FAMILIES), ("tf", TF), ("idf", IDF)])
def test_the_choices_are_those_of_the_library(name: str, known: dict[str, object]) -> None:
    assert sorted(parameters_of(measure)[name].type.choices) == sorted(known)


def test_the_help_has_shared_options_in_the_order_in_which_they_are_written() -> None:
    assert list(parameters_of(passage_lengths(3))) == ["min_length", "max_length"]
    assert list(parameters_of(measure)) == ["family", "tf", "idf"]


def test_a_default_is_shown_only_where_there_is_one() -> None:
    options = parameters_of(passage_lengths(shortest=3))
    assert (options["min_length"].default, options["min_length"].show_default) == (3, True)
    assert (options["max_length"].default, options["max_length"].show_default) == (None, False)


@pytest.mark.parametrize("name", ["text", "id", "threads", "memory", "as_json", "with_text"])
def test_an_option_is_the_same_in_every_command_that_has_it(name: str) -> None:
    found = defaultdict(list)
    with click.Context(main) as context:
        for command in COMMANDS:
            for option in main.get_command(context, command).params:
                if option.name == name:
                    found[option.opts[0], option.type.name].append(command)
    assert len(found) == 1, dict(found)
