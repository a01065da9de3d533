"""The declared arguments: calls and commands have the same ones, with the same defaults."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import click
import pytest

import ibidem
from ibidem import DocumentIndex, PassageIndex, SketchIndex
from ibidem.cli.command import command
from ibidem.cli.options import from_function, from_functions
from ibidem.contamination.find import decontaminate_files
from ibidem.documents.deduplicate import deduplicate_files
from ibidem.options import Option, list_arguments, list_defaults
from ibidem.reuse.find import find_reuse_in_files

FUNCTIONS: dict[str, list[Callable[..., Any]]] = {
    "decontaminate": [decontaminate_files, ibidem.audit],
    "dedup": [deduplicate_files],
    "trace": [ibidem.trace],
    "align": [ibidem.align],
    "index": [PassageIndex.build, SketchIndex.build, DocumentIndex.build],
    "reuse": [find_reuse_in_files],
    "search": [PassageIndex.search, SketchIndex.search, DocumentIndex.search],
}


@pytest.mark.parametrize("call", [ibidem.deduplicate, ibidem.deduplicate_passages, ibidem.find_reuse])
def test_documents_are_given_by_place_or_by_name(call: Any) -> None:
    texts = [("a", "one two three " * 20), ("b", "four five six " * 20)]
    assert repr(call(texts)) == repr(call(documents=texts))


def test_only_annotated_arguments_are_options() -> None:
    arguments = list_arguments(PassageIndex.build)
    assert "frequencies" not in arguments
    assert arguments["max_length"] == (int, 1024, Option("Tokens of the longest passage.", "N"))


SEARCHES = [PassageIndex.search, PassageIndex.search_many, PassageIndex.explain, PassageIndex.explain_many]


@pytest.mark.parametrize("call", SEARCHES)
def test_every_search_has_the_same_options(call: Callable[..., Any]) -> None:
    assert list_arguments(call) == list_arguments(PassageIndex.search)
    assert ("count_all" in list_defaults(call)) == call.__name__.startswith("explain")


def test_texts_are_aligned_with_an_index_by_the_options_of_an_alignment() -> None:
    arguments = list_arguments(ibidem.align)
    del arguments["tokenizer"]  # an index has its own
    assert list_arguments(PassageIndex.align) == arguments


BUILDS = [PassageIndex.build, SketchIndex.build, DocumentIndex.build]


@pytest.mark.parametrize("call", [ibidem.align, PassageIndex.align, *BUILDS, *SEARCHES])
def test_the_signature_that_is_shown_is_the_one_that_is_written(call: Callable[..., Any]) -> None:
    """Editors and type checkers read the source; ``help`` reads the function."""
    function = getattr(call, "__func__", call)
    (written,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(written, ast.FunctionDef)
    names = [each.arg for each in (*written.args.args, *written.args.kwonlyargs)]
    assert names == list(inspect.signature(function).parameters)
    assert not hasattr(function, "__wrapped__")


def test_a_command_has_each_annotated_argument_of_its_function_with_its_default() -> None:
    for name, functions in FUNCTIONS.items():
        made = getattr(import_module(f"ibidem.cli.{name}"), name)
        parameters = {each.name: each for each in made.params}
        for function in functions:
            for argument, (_, default, option) in list_arguments(function).items():
                described = option.help.partition("  [default: ")[0]
                assert described[1:] in parameters[argument].help
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


def count_pairs(
    *,
    threshold: Annotated[float, Option("Least similarity.")] = 0.5,
    limit: Annotated[int | None, Option("At most N pairs.", "N")] = None,
    size: Annotated[int, Option("Bins of one.", "N")] = 16,
) -> None:
    """Another function with options, one of which the first has too."""


def measure_pairs(*, size: Annotated[int, Option("Functions.", "N")] = 128) -> None:
    """A third."""


def test_an_argument_of_several_functions_is_one_option() -> None:
    names = {
        "": f"{__name__}:find_pairs",
        "with --count": f"{__name__}:count_pairs",
        "with --measure": f"{__name__}:measure_pairs",
    }

    @command("Help.")
    @from_functions(names)
    def pairs() -> None:
        pass

    made = {each.name: each for each in pairs.params if isinstance(each, click.Option)}
    assert {name: (each.help, each.default) for name, each in made.items()} == {
        "threshold": ("Least similarity.  [default: 0.8; 0.5 with --count]", None),
        "unit": ("Unit.", "words"),
        "limit": ("With --count: at most N pairs.", None),
        "size": (
            "With --count: bins of one. With --measure: functions.  [default: 16 with --count; 128 with --measure]",
            None,
        ),
    }
