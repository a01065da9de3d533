"""The one place that knows how kernels are compiled.

A kernel takes arrays and numbers and gives arrays and numbers. It is compiled by Numba at its first call, once for a
processor, and read back from a cache afterwards. Kernels release the GIL, so parallel work is threads.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar

import numba
from numba.core import event as numba_events
from numba.core import serialize, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.cgutils import ir  # type: ignore[attr-defined]
from numba.extending import intrinsic

__all__ = ["KERNELS", "LANES", "inlined", "kernel", "not_greater"]

_Function = TypeVar("_Function", bound=Callable[..., Any])

# A kernel makes its results with constants that it asks this function for at each call. Where Ctrl-C came inside of the
# kernel, Python raises it in the first Python code that runs afterwards. If that is this function, the kernel goes on
# without its constant, which ends in a SystemError or a crash. What a cache in C gives back runs no Python code. Only
# the first call of a kernel in a process is left, which finds nothing in the cache.
serialize._numba_unpickle = lru_cache(maxsize=None)(serialize._numba_unpickle)

_OPTIONS: dict[str, Any] = {"nogil": True, "fastmath": False, "error_model": "numpy"}

KERNELS: list[Any] = []
"""Every kernel that was imported, for the test that no hash value passes through a float."""


class _NamedFolder(UserProvidedCacheLocator):
    """The folder that ``NUMBA_CACHE_DIR`` names. What an image or another user put there is read, too.

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
    """The machine code of a kernel on disk. What cannot be read back is compiled again."""

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


def kernel(function: _Function) -> _Function:
    """Compile ``function`` at its first call and keep the machine code, where a folder for it can be written."""
    compiled: Any = numba.njit(**_OPTIONS)(function)
    # Without a folder that can be written, a kernel is compiled in each process.
    with suppress(RuntimeError):
        compiled._cache = _KernelCache(function)  # type: ignore[no-untyped-call]
    KERNELS.append(compiled)
    jitted: _Function = compiled
    return jitted


def inlined(function: _Function) -> _Function:
    """A step of a kernel of the same file, written into it before compilation.

    A call costs a kernel a reference count, up and down, for every array it passes; in an inner loop that is most of
    the time.
    """
    step: _Function = numba.njit(inline="always", **_OPTIONS)(function)
    return step


LANES = 16
"""Numbers that ``not_greater`` compares at once."""


def _not_greater(_context: Any, values: Any, i: Any, bounds: Any, j: Any) -> Any:
    signature = types.uint64(values, types.intp, bounds, types.intp)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = ir.VectorType(ir.IntType(16), LANES).as_pointer()

        def lanes(of: int) -> Any:
            data = context.make_array(signature.args[of])(context, builder, args[of]).data
            return builder.load(builder.bitcast(builder.gep(data, [args[of + 1]]), vector), align=2)

        found = builder.icmp_unsigned("<=", lanes(0), lanes(2))
        return builder.zext(builder.bitcast(found, ir.IntType(LANES)), ir.IntType(64))

    return signature, generate


not_greater: Any = intrinsic(_not_greater)
"""``not_greater(values, i, bounds, j)``, a word whose bit ``f`` says whether ``values[i + f] <= bounds[j + f]``.

It is for ``LANES`` numbers of two contiguous uint16 [n], inside of a kernel. LLVM does not make a comparison of vectors
of the loop that says the same; where a processor has none, it makes a loop of this.
"""


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
