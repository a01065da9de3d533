"""Options that several commands share, so that each means the same everywhere and is described once."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import click

from ibidem.cli.terminal import be_quiet, progress

if TYPE_CHECKING:
    from ibidem.alignment.ignored import NamedTexts
    from ibidem.corpus.failures import Failures
    from ibidem.options import Option

_Function = TypeVar("_Function", bound=Callable[..., Any])


def together(*decorators: Callable[[Any], Any]) -> Callable[[_Function], _Function]:
    """Combine several options into one decorator, in the order of the help."""

    def decorate(function: _Function) -> _Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


class InputPath(click.Path):
    """A path that a command reads; no output may have the same path."""

    def __init__(self) -> None:
        super().__init__(allow_dash=True)


class OutputPath(click.Path):
    """A path that a command writes, which must not be a path that it reads; see ``ibidem.corpus.writing.apart``."""


index_argument = click.argument("index", type=InputPath())

inputs_argument = click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=InputPath())


def evals(*, required: bool) -> Callable[[_Function], _Function]:
    """The files of evaluations."""
    return click.option(
        "--evals",
        metavar="EVALS",
        multiple=True,
        required=required,
        type=InputPath(),
        help="Items; can be given again.",
    )


def _parse_normalization(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
    if value is None:
        return ()
    from ibidem.text.normalization import parse_names

    try:
        return parse_names(value)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


normalize = click.option(
    "--normalize",
    metavar="NAME,...",
    callback=_parse_normalization,
    help="Spellings that count as the same: latin, greek, hyphens and more; auto goes by script, none counts points.",
)

threads = click.option(
    "--threads", metavar="N", type=click.IntRange(1), help="Threads to use.  [default: one per processor]"
)

resources = together(
    click.option("--memory", metavar="SIZE", default="1G", show_default=True, help="Approximate limit of memory."),
    threads,
    click.option(
        "-q",
        "--quiet",
        is_flag=True,
        expose_value=False,
        callback=lambda context, option, is_quiet: be_quiet(is_quiet),
        help="Tell of the work only what is wrong or left out.",
    ),
)

cluster = together(
    click.option(
        "--ray",
        metavar="ADDRESS",
        help="Work on a Ray cluster: auto, local or ray://HOST:PORT. Its nodes all see the input and the work folder.",
    ),
    click.option(
        "--work",
        metavar="FOLDER",
        type=OutputPath(),
        help="Folder for the work until it is done.  [default: OUT.partial]",
    ),
)
"""Where the work is done, and where its files lie until then: ``ray`` and ``work`` of a function for files."""

dry_run = click.option(
    "--dry-run", is_flag=True, help="Say what would be read and written, and do neither; options are not checked."
)

max_line = click.option(
    "--max-line",
    metavar="SIZE",
    default="256M",
    show_default=True,
    help="Most bytes of a line, and of a file of plain text.",
)


def _make_failures(context: click.Context, option: click.Parameter, value: str) -> "Failures | None":
    if value == "stop":
        return None
    from ibidem.corpus.failures import Failures

    return Failures()


reading = together(
    click.option("--text", metavar="COLUMN", default="text", show_default=True, help="Column that holds the text."),
    click.option("--id", metavar="COLUMN", default="id", show_default=True, help="Column that holds the id."),
    click.option(
        "--encoding",
        metavar="NAME",
        help="Encoding of text files, web pages, CSV and TSV.  [default: detected]",
    ),
    click.option(
        "--delimiter", metavar="SIGN", help="Delimiter of CSV and TSV, such as ';' or tab.  [default: detected]"
    ),
    click.option(
        "--include",
        metavar="GLOB",
        multiple=True,
        help="Read only such files of folders, by their names or paths there; repeatable.",
    ),
    click.option(
        "--exclude", metavar="GLOB", multiple=True, help="Read no such files of folders, such as '*.md'; repeatable."
    ),
    click.option("--pages", is_flag=True, help="Read the files of a folder as the pages of one document."),
    click.option(
        "--on-error",
        "failures",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        callback=_make_failures,
        help="At a row or a file that cannot be read, stop, or skip it and list all of them at the end.",
    ),
)
"""How documents are read. ``failures`` are what a command hands to its readers, or nothing; ``Command`` reports them.
"""


def duplicate_ids(default: str) -> Callable[[_Function], _Function]:
    """What becomes of repeated ids, for commands whose documents have distinct ones."""
    return click.option(
        "--duplicate-ids",
        type=click.Choice(["number", "first", "error"]),
        default=default,
        show_default=True,
        help="Give later documents of an id a number, leave them out, or stop; --on-error skip lists them then.",
    )


READING = ("text", "id", "max_line", "encoding", "delimiter", "include", "exclude", "pages", "duplicate_ids")


def take_reading(settings: dict[str, Any]) -> dict[str, Any]:
    """Move the options of reading out of the ``settings`` of a command, as arguments of ``ibidem.read``."""
    return {name: settings.pop(name) for name in (*READING, "failures") if name in settings}


def call_on_files(function: Callable[..., Any], **settings: Any) -> Any:
    """Call a function for files with those of the ``settings`` that are its arguments, and show how far it is."""
    from inspect import signature

    from ibidem.corpus import ReadingProgress

    names, reading = signature(function).parameters, ReadingProgress()
    arguments = {name: value for name, value in settings.items() if name in names}
    with progress(reading) as on_progress:
        return function(**arguments, progress=on_progress, reading=reading)


def list_given() -> dict[str, str]:
    """The options of the command that runs which the user gave, by name, as they are spelled in full."""
    context = click.get_current_context()
    return {
        param.name: max(param.opts, key=len)
        for param in context.command.params
        if param.name and context.get_parameter_source(param.name) is click.core.ParameterSource.COMMANDLINE
    }


def find_given(names: Iterable[str]) -> str | None:
    """The first of these options of the command that runs which the user gave, as it is spelled; nothing if none."""
    given = list_given()
    return next((given[name] for name in names if name in given), None)


within = click.option(
    "--within",
    metavar="PLACE",
    help="Use only this place of each document, such as 'page 3, line 12' or 'pages 3 to 5'.",
)

ignore = click.option(
    "--ignore",
    metavar="FILE",
    multiple=True,
    type=InputPath(),
    help="Passages similar to texts of this file, such as a worksheet or a licence, count as absent; repeatable.",
)
"""Gives a command paths; ``read_ignored`` has their texts."""


def read_ignored(paths: tuple[str, ...], settings: Mapping[str, Any]) -> "NamedTexts":
    """The texts of the files of ``--ignore``, which are read as the ``settings`` say, and not in part."""
    if not paths:
        return ()
    from ibidem.alignment.ignored import list_texts
    from ibidem.corpus.listing import list_sources
    from ibidem.corpus.reading import CountedDocuments
    from ibidem.corpus.rows import Columns

    names = [name for name in READING if name != "duplicate_ids"]
    columns = Columns.of(**{name: settings[name] for name in names if name in settings})
    return list_texts(CountedDocuments(list_sources(paths, indexes=True), columns))


share = click.FloatRange(0, 1, min_open=True)
"""A threshold or a recall: above 0, at most 1."""


class OptionsOfFunctions(NamedTuple):
    """The options of functions, in the place of these until they are asked for."""

    functions: Mapping[str, Callable[..., Any] | str]
    leave_out: Sequence[str] = ()

    def make(self) -> list[click.Parameter]:
        """The options, in the order of the arguments."""
        from ibidem.options import list_arguments

        declarations: dict[str, dict[str, Declaration]] = {}
        for case, function in self.functions.items():
            for name, declaration in list_arguments(find_function(function)).items():
                if name not in self.leave_out:
                    declarations.setdefault(name, {})[case] = declaration
        options = [_make_option(name, *_join_declarations(cases)) for name, cases in declarations.items()]
        holder: Any = together(*options)(lambda: None)
        return list(reversed(holder.__click_params__))


Declaration = tuple[Any, Any, "Option"]
"""The type, the default and the option of an argument."""


def find_function(function: Callable[..., Any] | str) -> Callable[..., Any]:
    """A function, or that of a name such as ``"ibidem.contamination.find:decontaminate_files"``."""
    if not isinstance(function, str):
        return function
    module, _, name = function.partition(":")
    found: Callable[..., Any] = attrgetter(name)(import_module(module))
    return found


def from_function(
    function: Callable[..., Any] | str, *, leave_out: Sequence[str] = ()
) -> Callable[[_Function], _Function]:
    """An option for each argument of a function that is annotated with one, but for those to ``leave_out``.

    Only a ``Command`` takes these options.

    Args:
        function: itself, or its name if its module is costly to import: the help of ``ibidem`` lists all commands
            without it.
    """
    return from_functions({"": function}, leave_out=leave_out)


def from_functions(
    functions: Mapping[str, Callable[..., Any] | str], *, leave_out: Sequence[str] = ()
) -> Callable[[_Function], _Function]:
    """The options of several functions, of which a command calls one: one option where they share a name.

    Args:
        functions: by the case in which each is called, such as ``"with --sketch"``, as the help says it; one is called
            in all other cases, ``""``. An option whose defaults differ has none: the function that is called has it.
    """

    def decorate(command: _Function) -> _Function:
        command.__dict__.setdefault("__click_params__", []).append(OptionsOfFunctions(functions, leave_out))
        return command

    return decorate


def _join_declarations(cases: Mapping[str, Declaration]) -> Declaration:
    """The declaration of the option that stands for an argument of the functions of several cases."""
    (kind, default, option), *others = cases.values()
    helps: dict[str, list[str]] = {}
    defaults: dict[str, list[str]] = {}
    for case, (_, its_default, its_option) in cases.items():
        text, _, described = its_option.help.partition(_DEFAULT)
        known = str(its_default) if _is_known(its_default, its_option) else ""
        helps.setdefault(text, []).append(case)
        defaults.setdefault(described.removesuffix("]") or known or "none", []).append(case)
    if not others and "" in cases:
        return kind, default, option
    help = " ".join(_say_case(text, names) for text, names in helps.items())
    if len(defaults) > 1:
        default = None
        help += (
            _DEFAULT + "; ".join(f"{value} {_join_cases(names)}".rstrip() for value, names in defaults.items()) + "]"
        )
    elif _DEFAULT in option.help:
        help += _DEFAULT + option.help.partition(_DEFAULT)[2]
    return kind, default, option._replace(help=help)


_DEFAULT = "  [default: "
"""How the help of an option begins to describe a default."""


def _join_cases(names: list[str]) -> str:
    return "" if "" in names else " or ".join(names)


def _say_case(text: str, names: list[str]) -> str:
    """A text of the help, after the cases that it is for."""
    case = _join_cases(names)
    return f"{case[0].upper()}{case[1:]}: {text[0].lower()}{text[1:]}" if case else text


def _is_known(default: Any, option: "Option") -> bool:
    """Return whether the help can show this default as it is."""
    return default not in (None, (), 0) or (default == 0 and option.least == 0)


def _make_option(name: str, kind: Any, default: Any, option: "Option") -> Callable[[Any], Any]:
    """The option of an argument of this type."""
    long = f"--{name.replace('_', '-')}"
    names = [spelling for spelling in (option.short, long) if spelling]
    if kind is bool:
        switch = f"{long}/--{option.off or 'no-' + long[2:]}" if default else long
        return click.option(switch, name, is_flag=True, default=default, show_default=default, help=option.help)
    multiple = default == ()
    is_known = _is_known(default, option)
    return click.option(
        *names,
        name,
        metavar=option.metavar,
        type=InputPath() if option.path else _find_type(kind, option),
        default=default if is_known else None,
        show_default=is_known,
        multiple=multiple,
        help=option.help,
    )


def _find_type(kind: Any, option: "Option") -> "click.ParamType[Any]":
    """The type of click that makes values of a type."""
    kinds = (kind,) if get_origin(kind) is Literal else get_args(kind) or (kind,)
    for alternative in kinds:
        if get_origin(alternative) is Literal:
            return click.Choice(get_args(alternative))
    if float in kinds:
        return share if option.most == share.max else click.FloatRange(0, option.most, min_open=True)
    return click.IntRange(option.least) if int in kinds else click.STRING


summary_as_json = click.option(
    "--json", "as_json", is_flag=True, help="Write the summary as JSON, in place of sentences."
)

as_json = click.option("--json", "as_json", is_flag=True, help="Write JSON on a terminal, too, as on a pipe.")

with_text = click.option(
    "--no-text", "with_text", is_flag=True, flag_value=False, default=True, help="In JSON, leave out the texts."
)


def read_lines(path: str | None) -> tuple[str, ...]:
    """The non-empty lines of a file, such as phrases or names; no lines if no file is given."""
    if path is None:
        return ()
    lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    return tuple(line.strip() for line in lines if line.strip())
