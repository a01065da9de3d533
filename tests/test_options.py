"""The declared arguments: calls and commands have the same ones, with the same defaults."""

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import click
import pytest

import ibidem
from ibidem import PassageIndex, options
from ibidem.cli.command import command
from ibidem.cli.options import from_function
from ibidem.contamination.find import decontaminate_files
from ibidem.documents.deduplicate import deduplicate_files
from ibidem.options import Option, list_arguments, list_options

COMMANDS = {
    "index": [options.IndexOptions],
}

FUNCTIONS: dict[str, list[Callable[..., Any]]] = {
    "decontaminate": [decontaminate_files, ibidem.audit],
    "dedup": [deduplicate_files],
    "trace": [ibidem.trace],
}


@pytest.mark.parametrize("call", [ibidem.deduplicate, ibidem.deduplicate_passages, ibidem.find_reuse])
def test_documents_are_given_by_place_or_by_name(call: Any) -> None:
    texts = [("a", "one two three"), ("b", "four five six")]
    assert repr(call(texts)) == repr(call(documents=texts))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_each_declared_option_with_its_default(command: str) -> None:
    made = getattr(import_module(f"ibidem.cli.{command}"), command)
    parameters = {each.name: each for each in made.params if not getattr(each, "hidden", False)}
    for declared in COMMANDS[command]:
        for name, (_, default, option) in list_options(declared).items():
            assert parameters[name].help == option.help
            assert parameters[name].get_default(click.Context(made)) == (None if default == () else default)


def test_only_annotated_fields_are_options() -> None:
    assert "frequencies" not in list_options(options.BuildIndex)
    kind, default, option = list_options(options.BuildIndex)["max_length"]
    assert (kind, default, option) == (int, 1024, Option("Tokens of the longest passage.", "N"))


def test_a_method_of_a_value_has_its_arguments_behind_self() -> None:
    shown, own = (list(inspect.signature(each).parameters) for each in (PassageIndex.align, options.AlignToIndex))
    assert shown == ["self", *own]
    assert list(inspect.signature(ibidem.PassageIndex.build).parameters) == list(
        inspect.signature(options.BuildIndex).parameters
    )
    with pytest.raises(TypeError, match=r"PassageIndex.build\(\) got an unexpected keyword argument 'token'"):
        PassageIndex.build("index", ["text"], token=1)


def test_a_command_has_each_annotated_argument_of_its_function_with_its_default() -> None:
    for name, functions in FUNCTIONS.items():
        made = getattr(import_module(f"ibidem.cli.{name}"), name)
        parameters = {each.name: each for each in made.params}
        for function in functions:
            for argument, (_, default, option) in list_arguments(function).items():
                assert parameters[argument].help == option.help
                assert parameters[argument].get_default(click.Context(made)) in (default, None)


def find_pairs(
    texts: list[str],
    *,
    threshold: Annotated[float, Option("Least similarity.")] = 0.8,
    memory: str = "1G",
    unit: Annotated["TokenizerSpec", Option("Unit.", "SPEC")] = "words",  # type: ignore[name-defined] # noqa: F821
) -> None:
    """A function with options among its arguments."""


def test_the_annotated_arguments_of_a_function_are_options() -> None:
    arguments = list_arguments(find_pairs)
    assert [(name, default) for name, (_, default, _) in arguments.items()] == [("threshold", 0.8), ("unit", "words")]

    @command("Help.")
    @from_function(f"{__name__}:find_pairs", leave_out=["unit"])
    def pairs() -> None:
        pass

    (made,) = pairs.params
    assert (made.opts, made.default, made.help) == (["--threshold"], 0.8, "Least similarity.")
