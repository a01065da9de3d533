"""Compile the kernels for a kind of processor, ahead, into a library that an installed package brings along.

    python release/machine_code/build.py x86-64-v3 --output src/ibidem/kernels/libraries

Numba compiles each kernel for the types that ``ibidem warmup`` calls it with, and its machine code is linked with
``runtime.c``, which stands in for Numba's own runtime. So a program that uses the library imports no Numba, and neither
the release of Python nor that of Numba matters to it. Beside the library goes an index: for each kernel its types, and
digests of the sources that it was made of. ``ibidem.kernels.machine_code`` loads both.

It takes a C compiler, and a processor of the kind or better, since the kernels run while they are compiled.
"""

import argparse
import base64
import hashlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

RUNTIME = Path(__file__).with_name("runtime.c")

PROCESSORS = {"aarch64": "generic"}
"""Numba's names of processors, where they are not ours."""

GIVEN = ("Py", "_Py", "NRT_", "numba_", "llvm.")
"""How functions begin that the program or ``runtime.c`` has."""

LIBC = {"exp", "free", "log", "log10", "malloc", "memcpy", "memmove", "memset", "pow", "realloc", "sqrt"}
"""Functions of the C library that kernels call."""


def main() -> None:
    """Build what the command line says."""
    from ibidem.kernels.machine_code import BASELINES

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("baseline", choices=[*BASELINES, "native"], help="the kind of processors")
    parser.add_argument("--output", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("--compile", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    baseline = find_native() if arguments.baseline == "native" else arguments.baseline
    if arguments.compile:
        compile_library(baseline, arguments.output)
    else:
        build(baseline, arguments.output)


def find_native() -> str:
    """The best kind that this processor is of.

    Raises:
        SystemExit: it is of none.
    """
    from ibidem.kernels.machine_code import BASELINES, fits

    for baseline in BASELINES:
        if fits(baseline):
            return baseline
    raise SystemExit("this processor is of no kind that kernels are compiled for ahead")


def build(baseline: str, folder: Path) -> None:
    """Make the library and the index of a kind of processors, in a process of its own: Numba reads its name once.

    Raises:
        subprocess.CalledProcessError: there is no C compiler, or a kernel cannot be compiled ahead.
    """
    environment = {
        **os.environ,
        "NUMBA_CPU_NAME": PROCESSORS.get(baseline, baseline),
        "NUMBA_CPU_FEATURES": "",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, __file__, baseline, "--output", str(folder), "--compile"]
    with tempfile.TemporaryDirectory(prefix="ibidem-build-") as cache:
        subprocess.run(command, env={"NUMBA_CACHE_DIR": cache, **environment}, check=True)


def compile_library(baseline: str, folder: Path, work: Callable[[], None] | None = None) -> None:
    """Compile every kernel that ``work`` calls, for the types that it is called with, and link them."""
    entries = record_calls(work or warm_up)
    described = [describe(number, *entry) for number, entry in enumerate(entries)]
    kernels: dict[str, Any] = {}
    for (kernel, _), signature in zip(entries, described, strict=True):
        named = kernels.setdefault(name_of(kernel), {"sources": digests(kernel), "signatures": []})
        named["signatures"].append(signature)
    code = emit_object([kernel.dispatcher.overloads[types] for kernel, types in entries], baseline)
    folder.mkdir(parents=True, exist_ok=True)
    build_id = hashlib.sha256(code + json.dumps(kernels).encode() + RUNTIME.read_bytes()).hexdigest()[:32]
    link(code, build_id, folder / f"{baseline}.so")
    (folder / f"{baseline}.json").write_text(json.dumps({"build": build_id, "kernels": kernels}), encoding="utf-8")


def warm_up() -> None:
    """Do what ``ibidem warmup`` does."""
    from ibidem.cli.warmup import warmup

    warmup.main([], standalone_mode=False)


def record_calls(work: Callable[[], None]) -> list[tuple[Any, tuple[Any, ...]]]:
    """The kernels that Python calls while ``work`` runs, each with the types of its arguments, in a fixed order."""
    import numba

    from ibidem.kernels.decorators import Kernel

    calls: dict[tuple[str, str], tuple[Any, tuple[Any, ...]]] = {}
    compiled = Kernel._compile

    def compile_and_note(kernel: Kernel, *arguments: Any) -> Any:
        types = tuple(numba.typeof(each) for each in arguments)
        calls[name_of(kernel), str(types)] = kernel, types
        return compiled(kernel, *arguments)

    Kernel._compile = compile_and_note  # type: ignore[method-assign]
    try:
        work()
    finally:
        Kernel._compile = compiled  # type: ignore[method-assign]
    return [calls[key] for key in sorted(calls)]


def name_of(kernel: Any) -> str:
    """The name of a kernel in an index."""
    return f"{kernel.__module__}.{kernel.__qualname__}"


def digests(kernel: Any) -> dict[str, str]:
    """The modules whose kernels and steps a kernel is made of, itself among them, with digests of their sources."""
    from ibidem.kernels.decorators import Deferred
    from ibidem.kernels.machine_code import digest_of

    modules, left = set(), [kernel]
    while left:
        each = left.pop()
        modules.add(each.__module__)
        names = each.py_func.__globals__
        called = [names.get(name) for name in each.py_func.__code__.co_names]
        left += [other for other in called if isinstance(other, Deferred) and other is not each]
    return {module: digest_of(module) for module in sorted(modules)}


def describe(number: int, kernel: Any, types: tuple[Any, ...]) -> dict[str, Any]:
    """A signature: its place in the library's tables, its types, and the constants that it makes its results with."""
    constants = kernel.dispatcher.overloads[types].environment.consts
    return {
        "entry": number,
        "types": [encode_type(each) for each in types],
        "constants": base64.b64encode(pickle.dumps(constants)).decode(),
    }


def encode_type(type_: Any) -> Any:
    """A type as the index writes it, see ``ibidem.kernels.machine_code``."""
    from numba import types
    from numba.np.numpy_support import as_dtype

    from ibidem.kernels.machine_code import ALIGNED, C_ORDER, FORTRAN_ORDER, SCALARS, WRITEABLE

    if isinstance(type_, types.Array):
        dtype = as_dtype(type_.dtype)
        order = {
            "C": (C_ORDER, C_ORDER),
            "F": (C_ORDER | FORTRAN_ORDER, FORTRAN_ORDER),
            "A": (C_ORDER | FORTRAN_ORDER, 0),
        }
        mask, value = order[type_.layout]
        value |= (ALIGNED if type_.aligned else 0) | (WRITEABLE if type_.mutable else 0)
        return ["array", dtype.kind, dtype.itemsize, type_.ndim, mask | ALIGNED | WRITEABLE, value]
    if isinstance(type_, types.BaseNamedTuple):
        cls = type_.instance_class
        return [
            "named",
            cls.__module__,
            cls.__qualname__,
            list(cls._fields),
            [encode_type(each) for each in type_.types],
        ]
    if isinstance(type_, types.BaseTuple):
        return ["named", "builtins", "tuple", None, [encode_type(each) for each in type_.types]]
    return SCALARS.index(str(type_))


def emit_object(compiled: list[Any], baseline: str) -> bytes:
    """The machine code of compiled kernels, in the format of the system's linker."""
    import llvmlite.binding as llvm

    names = [each.fndesc.llvm_cpython_wrapper_name for each in compiled]
    environments = [each.fndesc.env_name for each in compiled]
    module = llvm.parse_assembly(tables(names, environments))
    for each in compiled:
        module.link_in(llvm.parse_bitcode(each.library._get_module_for_linking().as_bitcode()))
    for value in [*module.functions, *module.global_variables]:
        if not value.is_declaration and value.name not in {"ibidem_entries", "ibidem_environments"}:
            value.linkage = "internal"
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=PROCESSORS.get(baseline, baseline), features="", opt=3, reloc="pic", codemodel="default"
    )
    passes = llvm.newpassmanagers.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    module.verify()
    missing = sorted(unknown(module))
    if missing:
        raise SystemExit(f"kernels call what runtime.c does not have: {', '.join(missing)}")
    code: bytes = machine.emit_object(module)
    return code


def tables(names: list[str], environments: list[str]) -> str:
    """Two tables of addresses, as the source of a module: the functions, and the places of their constants."""
    lines = [f'declare ptr @"{name}"(ptr, ptr, ptr)' for name in dict.fromkeys(names)]
    lines += [f'@"{name}" = external global ptr' for name in dict.fromkeys(environments)]
    for table, values in (("entries", names), ("environments", environments)):
        addresses = ", ".join(f'ptr @"{name}"' for name in values)
        lines.append(f"@ibidem_{table} = constant [{len(values)} x ptr] [{addresses}]")
    return "\n".join(lines)


def unknown(module: Any) -> Iterator[str]:
    """The functions that a module calls, and neither has nor gets."""
    for function in module.functions:
        if function.is_declaration and not function.name.startswith(GIVEN) and function.name not in LIBC:
            yield function.name


def link(code: bytes, build_id: str, library: Path) -> None:
    """Link machine code with the runtime. What Python and the C library have is found when it is loaded."""
    with tempfile.TemporaryDirectory(prefix="ibidem-build-") as folder:
        kernels = Path(folder, "kernels.o")
        kernels.write_bytes(code)
        options = ["-std=c11", "-O2", "-fPIC", "-shared", "-nostdlib", "-s", f'-DIBIDEM_BUILD="{build_id}"']
        if sys.platform == "darwin":
            options.append("-Wl,-undefined,dynamic_lookup")
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, *options, str(RUNTIME), str(kernels), "-o", str(library)], check=True)


if __name__ == "__main__":
    main()
