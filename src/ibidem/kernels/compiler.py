"""The one place that imports Numba: how kernels are compiled, and kept in a cache.

``decorators.py`` imports it where a kernel is called of which there is no machine code.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numba
from numba.core import event as numba_events
from numba.core import serialize, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.cgutils import ir  # type: ignore[attr-defined]
from numba.extending import intrinsic

# A kernel makes its results with constants that it asks this function for at each call. Where Ctrl-C came inside of the
# kernel, Python raises it in the first Python code that runs afterwards. If that is this function, the kernel goes on
# without its constant, which ends in a SystemError or a crash. A cache in C returns values without running Python code.
# Only the first call of a kernel in a process is left, which finds nothing in the cache.
serialize._numba_unpickle = lru_cache(maxsize=None)(serialize._numba_unpickle)

_OPTIONS: dict[str, Any] = {"nogil": True, "fastmath": False, "error_model": "numpy"}


class _NamedFolder(UserProvidedCacheLocator):
    """The folder that ``NUMBA_CACHE_DIR`` names. Files that an image or another user put there are read, too.

    Numba itself passes over a folder that it cannot write to.
    """

    def ensure_cache_path(self) -> None:
        """Make the folder.

        Raises:
            OSError: it cannot be made. That it cannot be written to is no error.
        """
        try:
            super().ensure_cache_path()  # type: ignore[no-untyped-call]
        except OSError:
            if not os.path.isdir(self.get_cache_path()):  # type: ignore[no-untyped-call]
                raise


class _KernelPlaces(CompileResultCacheImpl):
    """Where the machine code of a kernel may be kept: the named folder first."""

    _locator_classes = [_NamedFolder, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012 - as Numba declares it


class _KernelCache(FunctionCache):
    """The machine code of a kernel on disk. Code that cannot be read back is compiled again."""

    _impl_class = _KernelPlaces

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code, unless the folder is read-only or the disk is full."""
        with suppress(OSError):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature; none if there is none, or if what is there cannot be read.

        A cache names the types of a kernel's arguments. After an update one of them may have another name or place,
        and Numba reads the names before it looks whether the cache is of this version.
        """
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # unpickling raises anything
            self._forget()
            return None

    def _forget(self) -> None:
        try:
            self.flush()  # type: ignore[no-untyped-call]
        except OSError:
            self.disable()  # type: ignore[no-untyped-call]


def compile_kernel(function: Callable[..., Any]) -> Any:
    """The dispatcher of a kernel: it compiles for the types of the first call and keeps the machine code."""
    dispatcher: Any = numba.njit(**_OPTIONS)(function)
    # Without a folder that can be written, a kernel is compiled in each process.
    with suppress(RuntimeError):
        dispatcher._cache = _KernelCache(function)  # type: ignore[no-untyped-call]
    return dispatcher


def compile_step(function: Callable[..., Any]) -> Any:
    """The dispatcher of a step that is written into the kernels that call it."""
    return numba.njit(inline="always", **_OPTIONS)(function)


def make_comparison(lanes: int) -> Any:
    """Make the implementation of ``not_greater`` in kernels, for so many numbers at once."""

    def compare(_context: Any, values: Any, i: Any, bounds: Any, j: Any) -> Any:
        signature = types.uint64(values, types.intp, bounds, types.intp)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            vector = ir.VectorType(ir.IntType(16), lanes).as_pointer()

            def load(place: int) -> Any:
                data = context.make_array(signature.args[place])(context, builder, args[place]).data
                return builder.load(builder.bitcast(builder.gep(data, [args[place + 1]]), vector), align=2)

            bits = builder.icmp_unsigned("<=", load(0), load(2))
            return builder.zext(builder.bitcast(bits, ir.IntType(lanes)), ir.IntType(64))

        return signature, generate

    return intrinsic(compare)


class _CompileNotice(numba_events.Listener):
    """Says on standard error, once, why the first call takes seconds; a notebook and a log show it too."""

    told = False

    def on_start(self, event: Any) -> None:
        """Say it, if it was not said."""
        if not self.told and sys.stderr is not None:
            print("compiling kernels for this processor, once (ibidem warmup does it ahead) ...", file=sys.stderr)
        self.told = True

    def on_end(self, event: Any) -> None:
        """The end of a compilation needs no word."""


_notice = _CompileNotice()
numba_events.register("numba:compile", _notice)  # type: ignore[no-untyped-call]
