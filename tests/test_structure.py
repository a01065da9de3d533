"""The shape of the source tree: no cycle of imports, a test file for each module, one place for the margins."""

import ast
from pathlib import Path

from ibidem.rounding import EQUAL, SLACK

SOURCE = Path(__file__).resolve().parent.parent / "src"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in SOURCE.rglob("*.py")
}
UNMIRRORED = {
    "cli/__main__.py": "one call",
    "contamination/items.py": "values without behaviour, of which all tests of contamination make some",
    "passages/query/areas.py": "a value without behaviour; verification and selection are tested with it",
    **{
        f"corpus/readers/{name}.py": "one suite, tests/corpus/readers/test_readers.py, holds all readers"
        for name in [
            "books",
            "document",
            "encodings",
            "form_feeds",
            "html",
            "isolation",
            "layout",
            "office",
            "packed",
            "pdf",
            "plain_markup",
            "registry",
            "rich_text",
            "rtf_groups",
            "running_text",
            "tei",
            "worker",
            "xml",
        ]
    },
}
"""Modules that need no test file of their own, and why."""


def imports_of(module: str) -> set[str]:
    """The modules of the package that a module imports, anywhere in its text."""
    imported = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            submodules = {f"{node.module}.{alias.name}" for alias in node.names}
            imported |= (submodules & MODULES.keys()) or {node.module}
    return (imported & MODULES.keys()) - {module}


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    """The nodes that are left when those without an edge to what is left are taken away again and again."""
    left = dict(graph)
    while True:
        ends = {node for node, targets in left.items() if not targets & left.keys()}
        if not ends:
            return sorted(left)
        left = {node: targets for node, targets in left.items() if node not in ends}


def test_no_two_modules_import_each_other_even_by_way_of_others() -> None:
    # The package itself names all public modules, to load them when they are used.
    assert cycle_in({module: imports_of(module) for module in MODULES if module != "ibidem"}) == []


def test_a_cycle_is_found() -> None:
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set()}) == ["a", "b", "c"]


def test_each_module_has_a_test_file_at_the_same_place() -> None:
    package, tests = SOURCE / "ibidem", Path(__file__).resolve().parent
    modules = [path.relative_to(package) for path in package.rglob("*.py") if path.name != "__init__.py"]
    missing = [
        module.as_posix()
        for module in modules
        if not (tests / module.parent / f"test_{module.name.removeprefix('_')}").exists()
    ]
    assert [module for module in missing if module not in UNMIRRORED] == []
    assert UNMIRRORED.keys() <= set(missing)


def test_the_margins_of_rounding_stand_in_one_module() -> None:
    """A float of these values elsewhere is a rounding rule of its own, or needs a name and a reason here."""
    apart = {
        "ibidem.passages.filters.query_prefix": "a token that is absent must not divide by zero",
        "ibidem.sketches.index.window_postings": "a share of nothing must not divide by zero",
    }
    found = {
        module
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in (SLACK, EQUAL)
    }
    assert found - apart.keys() == {"ibidem.rounding"}
