"""Forget the compiled kernels that the sources have outdated, and no others.

Numba compiles a kernel again when its own file changes, but not when a constant or a kernel that it imports does. So
the caches keep, for each file of kernels, a digest of this file and of all that it imports. A file whose digest changed
loses its compiled kernels. An edit of a command, a page or a docstring elsewhere costs no compilation.
"""

import ast
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "src"
DECORATORS = SOURCES / "ibidem" / "kernels" / "__init__.py"


def forget_outdated(folder: Path) -> None:
    """Remove from ``folder``, which holds a cache a subfolder, the kernels of files that are not what they were."""
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / "digests.json"
    then = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    now = {str(source.relative_to(SOURCES)): digest_with_imports(source) for source in kernel_files()}
    for name in then:
        if now.get(name) != then[name]:
            _forget(folder, Path(name))
    record.write_text(json.dumps(now, indent=1), encoding="utf-8")


def kernel_files() -> Iterator[Path]:
    """The sources that compile a kernel: those that import the decorators."""
    return (source for source in sorted(SOURCES.rglob("*.py")) if DECORATORS in imported(source))


def digest_with_imports(source: Path) -> str:
    """A digest of a source and of every source of the project that it imports, directly or not."""
    compiler = DECORATORS.with_name("compiler.py")  # which the decorators import when a kernel is called
    seen = {source, compiler} if compiler.exists() else {source}
    left = list(seen)
    while left:
        left = [other for other in set().union(*map(imported, left)) if other not in seen]
        seen.update(left)
    digest = hashlib.sha256()
    for file in sorted(seen):
        digest.update(str(file.relative_to(SOURCES)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def imported(source: Path) -> frozenset[Path]:
    """The sources of the project that a source imports when it is imported itself, whose values its kernels can use."""
    names = set()
    for node in ast.parse(source.read_bytes()).body:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update([node.module, *(f"{node.module}.{alias.name}" for alias in node.names)])
    return frozenset(file for name in names for file in _files(name))


def _files(module: str) -> Iterator[Path]:
    place = SOURCES.joinpath(*module.split("."))
    return (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.exists())


def _forget(folder: Path, source: Path) -> None:
    # Numba names a folder after that of the source, and a file after the source: <parent>_<digest>/<stem>.<kernel>-...
    for kind in ("nbi", "nbc"):
        for compiled in folder.glob(f"*/{source.parent.name}_*/{source.stem}.*.{kind}"):
            compiled.unlink(missing_ok=True)
