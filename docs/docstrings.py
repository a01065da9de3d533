"""Makes Markdown of docstrings for the site: examples become blocks of code, roles of reStructuredText plain code."""

import re
from typing import Any

import griffe


class Markdown(griffe.Extension):
    """Rewrites each docstring when its object has been read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object, if it has one."""
        if obj.docstring is not None:
            obj.docstring.value = rewrite(obj.docstring.value)


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
