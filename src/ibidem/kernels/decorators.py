"""Decorators that make a function a kernel.

A kernel takes arrays and numbers and gives arrays and numbers. Its machine code comes with an installed package
(``machine_code.py``). Where the package has none for a kernel, the types of its arguments or the processor, Numba
compiles it at its first call, once, and a cache keeps it (``compiler.py``). This module imports neither Numba nor
numpy. Kernels release the GIL, so parallel work is threads.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])

KERNELS: "list[Kernel]" = []
"""Every kernel that was imported, for the test that no hash value passes through a float."""

LANES = 16
"""Numbers that ``not_greater`` compares at once."""


class Deferred:
    """A function for kernels to call, which Numba sees when something is compiled that calls it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.__wrapped__ = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__

    @cached_property
    def dispatcher(self) -> Any:
        """The dispatcher that Numba makes of the function."""
        raise NotImplementedError

    def __call__(self, *arguments: Any) -> Any:
        """Call it as Numba compiles it."""
        return self.dispatcher(*arguments)

    def __reduce__(self) -> str:
        return self.__qualname__


class Kernel(Deferred):
    """A function that runs as machine code: that of the package, or what Numba compiles."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._run: Callable[..., Any] = self._prepare

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Run it."""
        if keywords:
            code = self.py_func.__code__
            names = code.co_varnames[len(arguments) : code.co_argcount]
            arguments += tuple(keywords.pop(name) for name in names if name in keywords)
            if keywords:
                raise TypeError(f"{self.__name__}() has no argument {min(keywords)!r}")
        return self._run(*arguments)

    @cached_property
    def dispatcher(self) -> Any:
        """The dispatcher that Numba compiles."""
        from ibidem.kernels.compiler import compile_kernel

        return compile_kernel(_resolve(self.py_func))

    @property
    def signatures(self) -> list[Any]:
        """The types that Numba has compiled it for, or read from its cache, in this process."""
        return self.dispatcher.signatures if "dispatcher" in self.__dict__ else []

    def _prepare(self, *arguments: Any) -> Any:
        """Run it for the first time."""
        from ibidem.kernels.machine_code import find_machine_code

        self._run = find_machine_code(self.py_func, self._compile) or self._compile
        return self._run(*arguments)

    def _compile(self, *arguments: Any) -> Any:
        """Run what Numba compiles for these arguments."""
        return self.dispatcher(*arguments)


class _Step(Deferred):
    """A function that is written into the kernels that call it."""

    @cached_property
    def dispatcher(self) -> Any:
        from ibidem.kernels.compiler import compile_step

        return compile_step(_resolve(self.py_func))


class _Comparison(Deferred):
    @cached_property
    def dispatcher(self) -> Any:
        from ibidem.kernels.compiler import make_comparison

        return make_comparison(LANES)


def _resolve(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with dispatchers in place of the kernels and steps that it calls by name."""
    names = function.__globals__
    deferred = {name: names[name] for name in _global_names(function.__code__) if isinstance(names.get(name), Deferred)}
    if not deferred:
        return function
    dispatchers = {name: step.dispatcher for name, step in deferred.items()}
    copy = FunctionType(function.__code__, names | dispatchers, function.__name__, function.__defaults__)
    copy.__dict__.update(function.__dict__)
    copy.__annotations__ = function.__annotations__
    copy.__doc__, copy.__module__, copy.__qualname__ = function.__doc__, function.__module__, function.__qualname__
    return copy


def _global_names(code: CodeType) -> Iterator[str]:
    """The names that a function, and those that it defines, look up outside of it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_names(constant)


def kernel(function: _Function) -> _Function:
    """Make ``function`` a kernel."""
    result = Kernel(function)
    KERNELS.append(result)
    return cast("_Function", result)


def inlined(function: _Function) -> _Function:
    """A step of a kernel of the same file, written into it before compilation.

    A call costs a kernel a reference count, up and down, for every array it passes; in an inner loop that is most of
    the time.
    """
    return cast("_Function", _Step(function))


@_Comparison
def not_greater(values: Any, i: int, bounds: Any, j: int) -> int:
    """Return a word whose bit ``f`` says whether ``values[i + f] <= bounds[j + f]``.

    It is for ``LANES`` numbers of two contiguous uint16 [n], inside of a kernel. LLVM does not make a comparison of
    vectors of the loop that says the same; where a processor has none, it makes a loop of this.
    """
    raise NotImplementedError
