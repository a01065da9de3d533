"""The machine code of kernels that an installed package brings along.

A package built for a system has, in the folder ``libraries``, a library for each kind of processors that is in
``BASELINES`` and was asked for, and an index of it: for each kernel the signatures that it was compiled for, and
digests of its sources. ``release/machine_code`` makes them. A kernel of an edited source, a call with other types, or a
processor of no such kind goes to Numba, as everything does where a package has no libraries.

Nothing is loaded that could not run: the processor has to have every feature of the kind; the structures of Python and
numpy that the library reads have to be as it expects them; and library and index have to be of one build.
"""

import ctypes
import os
import pickle
import platform
import sys
import sysconfig
from base64 import b64decode
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("libraries")

_V2 = "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"
_V3 = f"{_V2} abm avx avx2 bmi1 bmi2 f16c fma movbe"

BASELINES = {
    "x86-64-v3": ("x86_64", frozenset(_V3.split())),
    "x86-64-v2": ("x86_64", frozenset(_V2.split())),
    "aarch64": ("aarch64", frozenset()),
}
"""Kinds of processors, best first: the machine, and the features as Linux names them."""

SCALARS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
"""Types of single numbers. An index writes their places in this tuple. ``runtime.c`` has the same order."""

_ARRAY, _NAMED = len(SCALARS), len(SCALARS) + 1

C_ORDER, FORTRAN_ORDER, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400
"""Flags of numpy's arrays that matter."""


class _Method(ctypes.Structure):
    """A ``PyMethodDef``."""

    _fields_ = (("name", ctypes.c_char_p), ("call", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


class _Host(ctypes.Structure):
    """The objects and addresses that a library receives: ``struct Host`` of ``runtime.c``."""

    _fields_ = (
        *((name, ctypes.py_object) for name in ("array", "boolean", "floating", "integer")),
        ("scalars", ctypes.py_object * len(SCALARS)),
        ("new_array", ctypes.c_void_p),
        ("set_base", ctypes.c_void_p),
        ("unpickle", ctypes.py_object),
        ("raise_", ctypes.py_object),
    )


class _Signature(ctypes.Structure):
    _fields_ = (("entry", ctypes.c_void_p), ("count", ctypes.c_ssize_t), ("types", ctypes.POINTER(ctypes.c_ssize_t)))


class _Environment(ctypes.Structure):
    """Numba's environment of a kernel: an object with the constants from which it makes its results."""

    _fields_ = (
        ("references", ctypes.c_ssize_t),
        ("type", ctypes.py_object),
        ("globals", ctypes.c_void_p),
        ("constants", ctypes.py_object),
    )


_kept: list[Any] = []
"""Objects whose addresses libraries hold."""

_ASKED_OF_NUMBA = ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT")
"""Environment variables by which somebody asks for kernels of another kind."""

_NEW_ARRAY, _SET_BASE = 94, 282
"""Places of functions in numpy's table."""

_NUMPY = 0x02000000
"""The version of numpy's table."""


def find_machine_code(function: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any] | None:
    """A kernel as machine code, which passes on a call with other types; none if there is none of this source."""
    library = _library()
    if library is None:
        return None
    entry = library.index.get(f"{function.__module__}.{function.__qualname__}")
    if entry is None or any(digest_of(module) != digest for module, digest in entry["sources"].items()):
        return None
    return library.bind(entry["signatures"], otherwise)


@cache
def _library() -> "_Library | None":
    """The best library that this processor can run."""
    if not FOLDER.is_dir() or any(os.environ.get(name, "0") not in {"", "0"} for name in _ASKED_OF_NUMBA):
        return None
    for baseline in BASELINES:
        path = FOLDER / f"{baseline}.so"
        if path.is_file() and fits(baseline) and _has_known_structures():
            try:
                return _Library(path)
            except (OSError, ValueError, KeyError):
                continue  # it is of another C library, or not whole
    return None


def fits(baseline: str) -> bool:
    """Whether this processor has every feature of a kind."""
    machine, features = BASELINES[baseline]
    return platform.machine() == machine and sys.byteorder == "little" and features <= _processor_features()


@cache
def _processor_features() -> frozenset[str]:
    """The features of the processor; none where the system is not Linux, or does not say."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
            for line in lines:
                name, _, value = line.partition(":")
                if name.strip() == "flags":
                    return frozenset(value.split())
    except OSError:
        pass
    return frozenset()


@cache
def digest_of(module: str) -> str:
    """A digest of the source of an imported module; empty where it has no file."""
    import xxhash

    try:
        source = Path(sys.modules[module].__file__ or "").read_bytes()
    except (KeyError, AttributeError, OSError):
        return ""
    return xxhash.xxh3_128_hexdigest(source)


def _has_known_structures() -> bool:
    """Whether objects of Python and arrays of numpy lie in memory as ``runtime.c`` reads them."""
    import numpy as np

    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if ctypes.sizeof(ctypes.c_void_p) != 8 or _numpy_function(0, ctypes.c_uint)() != _NUMPY:
        return False
    array = np.zeros((3, 5), np.int32)[:, ::2]
    array.flags.writeable = False
    place, dtype = id(array), id(array.dtype)
    shape, strides = _word(place + 32), _word(place + 40)
    return (
        _word(place + 8) == id(np.ndarray)
        and _word(place + 16) == array.__array_interface__["data"][0]
        and _word(place + 24, ctypes.c_int) == array.ndim
        and (_word(shape), _word(shape + 8)) == array.shape
        and (_word(strides), _word(strides + 8)) == array.strides
        and _word(place + 56) == dtype
        and _word(place + 64, ctypes.c_int) == array.flags.num
        and ctypes.string_at(dtype + 24, 3) == b"ii="
        and _word(dtype + 28, ctypes.c_int) == array.dtype.num
        and _word(dtype + 40) == array.dtype.itemsize
    )


def _word(address: int, kind: Any = ctypes.c_ssize_t) -> int:
    return int(kind.from_address(address).value)


def _numpy_function(place: int, result_type: Any = None) -> Any:
    """A function of numpy's table."""
    capsule = import_module("numpy._core._multiarray_umath")._ARRAY_API
    pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    table = pointer_of(("PyCapsule_GetPointer", ctypes.pythonapi))(capsule, None)
    return ctypes.PYFUNCTYPE(result_type)(_word(table + 8 * place))


class _Library:
    """A library and its index.

    Raises:
        OSError: it cannot be loaded here.
        ValueError: the index is of another build, or cannot be read.
    """

    def __init__(self, path: Path) -> None:
        import msgspec

        read = msgspec.json.decode(path.with_suffix(".json").read_bytes())
        library = ctypes.PyDLL(str(path))
        if ctypes.string_at(_address(library, "ibidem_build")) != read["build"].encode():
            raise ValueError(f"{path} and its index are of two builds")
        self.index: dict[str, Any] = read["kernels"]
        self._entries = _address(library, "ibidem_entries")
        self._environments = _address(library, "ibidem_environments")
        self._method = _Method(b"kernel", _address(library, "ibidem_call"), _VARIABLE_ARGUMENTS, None)
        host = _make_host()
        _kept.append(host)
        library.ibidem_start(ctypes.byref(host))

    def bind(self, signatures: list[dict[str, Any]], otherwise: Callable[..., Any]) -> Callable[..., Any]:
        """A function that calls the machine code of the first signature that fits, or else ``otherwise``."""

        class Table(ctypes.Structure):
            _fields_ = (
                ("otherwise", ctypes.py_object),
                ("count", ctypes.c_ssize_t),
                ("signatures", _Signature * len(signatures)),
            )

        table = Table(otherwise, len(signatures), tuple(map(self._make_signature, signatures)))
        _kept.append(table)
        function: Callable[..., Any] = _make_function(
            ctypes.addressof(self._method), _make_capsule(ctypes.addressof(table), None, None), None
        )
        return function

    def _make_signature(self, description: dict[str, Any]) -> _Signature:
        place = 8 * description["entry"]
        words = [word for type_description in description["types"] for word in _type_words(type_description)]
        types = (ctypes.c_ssize_t * len(words))(*words)
        constants = pickle.loads(b64decode(description["constants"]))
        environment = _Environment(1, object, None, constants)
        ctypes.c_void_p.from_address(_word(self._environments + place)).value = ctypes.addressof(environment)
        _kept.append((types, environment))
        return _Signature(_word(self._entries + place), len(description["types"]), types)


def _address(library: ctypes.CDLL, name: str) -> int:
    return ctypes.addressof(ctypes.c_char.in_dll(library, name))


def _type_words(description: Any) -> Iterator[int]:
    """A type as ``runtime.c`` reads it. Where a class has other fields than it had, no object is of this type."""
    if isinstance(description, int):
        yield description
    elif description[0] == "array":
        yield _ARRAY
        yield ord(description[1])
        yield from description[2:]
    else:
        _, module, name, fields, types = description
        cls = getattr(import_module(module), name)
        is_same = cls is tuple or list(getattr(cls, "_fields", ())) == fields
        yield from (_NAMED, id(cls) if is_same else 0, len(types))
        for part in types:
            yield from _type_words(part)


_VARIABLE_ARGUMENTS = 1

_make_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_make_function = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)


def _make_host() -> _Host:
    import numpy as np

    scalars = [getattr(np, "bool" if name == "bool" else name) for name in SCALARS]
    return _Host(
        np.ndarray,
        bool,
        float,
        int,
        (ctypes.py_object * len(SCALARS))(*scalars),
        ctypes.cast(_numpy_function(_NEW_ARRAY), ctypes.c_void_p).value,
        ctypes.cast(_numpy_function(_SET_BASE), ctypes.c_void_p).value,
        # Where Ctrl-C came inside of a kernel, Python raises it in the next Python code that runs. A kernel asks for
        # the class of its results by this, which has to be C.
        lru_cache(maxsize=None)(pickle.loads),
        _raise,
    )


def _raise(exception: tuple[type[Exception], tuple[Any, ...] | None, object]) -> None:
    """Raise the exception of a kernel."""
    cls, arguments, _ = exception
    raise cls(*arguments or ())
