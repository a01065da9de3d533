"""ibidem finds near-duplicate text, from whole documents down to the exact passage.

``align`` compares two texts, ``PassageIndex`` searches a collection, ``find_reuse`` finds the passages that occur more
than once in it, ``deduplicate`` its near-duplicate documents, and the command ``ibidem`` does the same. Names are
loaded when they are used, so that ``import ibidem`` costs nothing. ``__init__.pyi`` lists them.
"""

from functools import cache
from importlib import import_module
from typing import Any

__version__ = "0.1.0"


@cache
def _read_homes() -> dict[str, str]:
    """The module that each public name is imported from; that of a public module is the package."""
    import ast
    from pkgutil import get_data

    stub = ast.parse(get_data(__name__, "__init__.pyi") or b"")
    return {
        alias.name: node.module or "" for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }


def __getattr__(name: str) -> Any:
    if name == "__all__":
        value: Any = sorted(name for name, home in _read_homes().items() if home != __name__)
    elif name.startswith("_") or name not in _read_homes():
        raise AttributeError(f"module 'ibidem' has no attribute {name!r}")
    elif (home := _read_homes()[name]) == __name__:
        return import_module(f"{__name__}.{name}")
    else:
        value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_read_homes(), "__all__", "__version__"])
