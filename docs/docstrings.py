"""Makes Markdown of docstrings for the site: examples become blocks of code, roles of reStructuredText plain code.

A call whose arguments a class declares (``ibidem.options.takes``) is shown with them.
"""

import inspect
import re
from importlib import import_module
from typing import Any, get_args

import griffe


class Markdown(griffe.Extension):
    """Rewrites each docstring when its object has been read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = rewrite(obj.docstring.value)


class Arguments(griffe.Extension):
    """Gives each function that ``takes`` a class, which its module has by this name, the fields of it as parameters."""

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Replace the one parameter of such a function."""
        for decorator in func.decorators:
            if name := re.fullmatch(r"takes\((\w+)\)", str(decorator.value)):
                func.parameters = list_parameters(getattr(import_module(func.module.path), name[1]))


def list_parameters(declared: type) -> griffe.Parameters:
    """The arguments that a class declares, with types as they are written."""
    hints = {
        name: hint
        for each in reversed(declared.__mro__)
        for name, hint in vars(each).get("__annotations__", {}).items()
    }
    parameters = []
    for name, parameter in inspect.signature(declared).parameters.items():
        hint = hints[name]
        named = getattr(get_args(hint)[0], "__forward_arg__", None) if hasattr(hint, "__metadata__") else None
        shown = named or (
            hint if isinstance(hint, str) else inspect.formatannotation(getattr(hint, "__origin__", hint))
        )
        kind = griffe.ParameterKind[parameter.kind.name.lower()]
        default = None if parameter.default is parameter.empty else repr(parameter.default)
        parameters.append(griffe.Parameter(name, kind=kind, annotation=shown, default=default))
    return griffe.Parameters(*parameters)


def rewrite(text: str) -> str:
    """The docstring as Markdown."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text).replace("``", "`")
    lines: list[str] = []
    in_example = False
    for line in text.splitlines():
        starts = line.lstrip().startswith(">>> ")
        indent = line[: len(line) - len(line.lstrip())]
        if starts and not in_example:
            lines += ["", f"{indent}```pycon"]
            in_example = True
        elif in_example and not line.strip():
            lines.append("```")
            in_example = False
        lines.append(line)
    if in_example:
        lines.append("```")
    return "\n".join(lines)
