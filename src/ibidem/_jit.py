"""The one place that knows how kernels are compiled.

A kernel takes arrays and numbers and gives arrays and numbers. It is compiled by Numba at its first call, once for a
processor, and read back from a cache afterwards. Kernels release the GIL, so parallel work is threads.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import event as numba_events

__all__ = ["KERNELS", "inlined", "kernel"]

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"nogil": True, "fastmath": False, "error_model": "numpy"}

KERNELS: list[Any] = []
"""Every kernel that was imported, for the test that no hash value passes through a float."""


def kernel(function: _Function) -> _Function:
    """Compile ``function`` at its first call and keep the machine code, where a folder for it can be written."""
    try:
        compiled = numba.njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:
        compiled = numba.njit(**_OPTIONS)(function)
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


class _CompileNotice(numba_events.Listener):
    """Tells a person at a terminal, once, why the first call takes seconds."""

    told = False

    def on_start(self, event: Any) -> None:
        if not self.told and sys.stderr is not None and sys.stderr.isatty():
            print("compiling kernels for this processor, once (ibidem warmup does it ahead) ...", file=sys.stderr)
        self.told = True

    def on_end(self, event: Any) -> None:
        """The end of a compilation needs no word."""


numba_events.register("numba:compile", _CompileNotice())  # type: ignore[no-untyped-call]
