"""What users may import: it is sorted, it exists, it is documented, and asking for it costs nothing."""

import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import pyarrow
import pytest

import ibidem
from ibidem import resources, text, token_weights
from ibidem.contamination import evals
from ibidem.corpus import ReadingProgress
from ibidem.corpus.failures import Failures
from ibidem.store import Checksums

ROOT = Path(__file__).resolve().parent.parent
API_PAGE = (ROOT / "docs" / "guide" / "api.md").read_text("utf-8")

MODULES = [name for name in ibidem.__all__ if inspect.ismodule(getattr(ibidem, name))]
NAMES = [name for name in ibidem.__all__ if name not in MODULES]

HEAVY = {"numba", "numpy", "pyarrow", "rich", "tokenizers"}
"""What `import ibidem` and the help of a command do without."""


def modules_after(*arguments: str) -> set[str]:
    """The modules that Python has loaded at the end of a program."""
    program = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
        f"sys.argv = ['ibidem', *{arguments[1:]!r}]; {arguments[0]}"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_all_is_sorted_and_complete() -> None:
    assert ibidem.__all__ == sorted(set(ibidem.__all__))
    assert set(ibidem.__all__) == set(dir(ibidem))
    names: dict[str, object] = {}
    exec("from ibidem import *", names)
    assert set(ibidem.__all__) == set(names) - {"__builtins__"}


def test_public_names_have_docstrings() -> None:
    assert [name for name in ibidem.__all__ if not getattr(ibidem, name).__doc__] == []


def test_the_page_of_public_names_lists_each_of_them_once() -> None:
    cells = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", API_PAGE, re.MULTILINE)
    assert sorted(re.findall(r"\w+", " ".join(cells))) == sorted(NAMES)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="No ibidem attribute allign"):
        ibidem.allign  # noqa: B018


@pytest.mark.parametrize(
    "package",
    [
        "clusters",
        "text",
        "store",
        "corpus",
        "sketches",
        "sketches.datasketch",
        "sketches.windows",
        "passages",
        "comparison",
        "evaluation",
        "web.report",
        "results",
        "cli",
    ],
)
def test_what_a_package_exports_exists(package: str) -> None:
    module = import_module(f"ibidem.{package}")
    exported = getattr(module, "__all__", [])
    assert exported == sorted(set(exported))
    assert all(hasattr(module, name) for name in exported)


def test_importing_ibidem_loads_nothing_heavy() -> None:
    assert not modules_after("import ibidem") & HEAVY


def test_the_help_of_the_command_loads_nothing_heavy() -> None:
    assert not modules_after("from ibidem.cli import main; main()", "--help") & HEAVY


@pytest.mark.parametrize("how", [["-m", "ibidem.cli"], [str(Path(sys.executable).with_name("ibidem"))]])
def test_the_command_says_its_version(how: list[str]) -> None:
    command = [sys.executable, *how] if how[0] == "-m" else how
    version = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert ibidem.__version__ in version.stdout


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {ibidem.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_public_modules_are_there_after_importing_ibidem_alone() -> None:
    program = f"import ibidem; print([name for name in {MODULES} if not getattr(ibidem, name).__doc__])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert [name for name in MODULES if f"`ibidem.{name}`" not in API_PAGE] == []


GUIDE = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]


def test_the_guide_imports_public_names_alone() -> None:
    guide = "\n".join(page.read_text("utf-8") for page in GUIDE)
    for module, names in re.findall(r"from ibidem\.([\w.]+) import ([\w, ]+)", guide):
        assert module.startswith("integrations.") or module in (
            *MODULES,
            "web.client",
            "web.report",
            "sketches.datasketch",
        )
        exported = import_module(f"ibidem.{module}").__all__
        assert set(re.findall(r"\w+", names)) <= set(exported), f"{module}: {names}"


def test_every_error_is_at_the_top_level() -> None:
    assert set(ibidem.errors.__all__) <= set(ibidem.__all__)


CHOICES = {
    "average",
    "cluster_mode",
    "family",
    "idf",
    "option",
    "select",
    "side",
    "sketch",
    "tf",
    "weighting",
}
"""Arguments that take one of a few words."""


def public_callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions that users call, and the methods of public classes that are ours."""
    for module in (ibidem, *(import_module(f"ibidem.{name}") for name in MODULES)):
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isclass(value) and not issubclass(value, BaseException):
                for attribute, member in inspect.getmembers(value):
                    function = getattr(member, "__func__", member)
                    if inspect.isfunction(function) and not attribute.startswith("_") and is_ours(function):
                        yield f"{module.__name__}.{name}.{attribute}", function
            elif inspect.isfunction(value):
                yield f"{module.__name__}.{name}", value


def is_ours(function: Callable[..., Any]) -> bool:
    return function.__module__.startswith("ibidem")


TYPES = {
    **{name: getattr(ibidem, name) for name in NAMES},
    **vars(text),
    **vars(resources),
    **vars(token_weights),
    **vars(evals),
    "Checksums": Checksums,
    "Failures": Failures,
    "ReadingProgress": ReadingProgress,
    "pa": pyarrow,
    "Axes": object,
}


def arguments_of(function: Callable[..., Any]) -> dict[str, Any]:
    # Types that are costly to import are imported for type checkers alone.
    annotations = {name: hint for name, hint in function.__annotations__.items() if name != "return"}
    return get_type_hints(
        SimpleNamespace(__annotations__=annotations),
        {**TYPES, **function.__globals__},
    )


def test_arguments_of_public_calls_say_their_types_and_name_the_words_they_take() -> None:
    for name, function in public_callables():
        for argument, hint in arguments_of(function).items():
            assert hint is not Any, f"{name}: {argument}"
            assert argument not in CHOICES or str not in (hint, *get_args(hint)), f"{name}: {argument}: {hint}"


def test_an_exact_search_loads_no_sketch(tmp_path: Path) -> None:
    path = str(tmp_path / "index")
    program = f"import ibidem; i = ibidem.PassageIndex.build({path!r}, ['one two three']); i.search('one two three')"
    assert not {module for module in modules_after(program) if module.startswith("ibidem.sketches")}
