"""Rules that hold for every kernel: its size, what it calls, and that no hash value changes its type unasked.

What becomes of ``uint64 + int64`` is a trap: by Numba's version and the operation, a float64, which has no room for 64
bits, or an int64, whose order and shifts are others; and the two are compared as floats. These tests read the types
that Numba infers for each kernel, and fail on every step that takes a uint64 and gives a float or a signed integer,
unless a call such as ``np.float64(...)`` asks for it.
"""

import ast
import inspect
import pkgutil
import textwrap
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import compiler, ir, types
from numba.core.compiler_machinery import PassManager
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.typed_passes import NopythonTypeInference

import baselines
import ibidem
from ibidem.kernels import KERNELS
from tests.test_release import load

MOST_PARAMETERS = 8
MOST_LINES = 80

FROZEN = (
    "ibidem.sketches.windows.bits",
    "ibidem.hashing",
    "ibidem.text.code_points",
    "ibidem.disjoint_sets",
    "ibidem.alignment.overlap_evidence",
    "ibidem.evidence.background",
    "ibidem.reuse.places",
)
"""Files of primitives that kernels elsewhere may call: hash functions of the index format, the decoder of UTF-8, sets
and two formulas, which never change."""

FOUND = load("machine_code/build").LIBC | {"floor", "inf"}
"""Functions of the C library that machine code finds, and what is an instruction or a number."""

UNMIXED = (float, bool, len, range, np.empty, np.zeros, np.full, np.arange)
"""Functions that convert because they are asked to, or whose numbers are lengths. (``int`` leaves a uint64 one.)"""


def import_everything() -> None:
    modules = [
        *pkgutil.walk_packages(ibidem.__path__, "ibidem."),
        *pkgutil.iter_modules(baselines.__path__, "baselines."),
    ]
    for module in modules:
        if not module.name.endswith(".__main__"):
            import_module(module.name)


import_everything()


def name_of(kernel: Any) -> str:
    return f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"


def own_kernels() -> list[Any]:
    """The kernels of the package, without those that other tests make; a kernel imported twice counts once."""
    of_ours = [kernel.dispatcher for kernel in KERNELS if kernel.__module__.startswith(("ibidem.", "baselines."))]
    named = {name_of(kernel): kernel for kernel in of_ours}
    return [named[name] for name in sorted(named)]


OWN_KERNELS = own_kernels()


def test_kernels_are_small() -> None:
    large = [
        name_of(kernel)
        for kernel in OWN_KERNELS
        if len(inspect.signature(kernel.py_func).parameters) > MOST_PARAMETERS
        or len(inspect.getsourcelines(kernel.py_func)[0]) - 1 > MOST_LINES  # the decorator is no part of it
    ]
    assert large == []


def test_the_parameters_of_kernels_are_typed() -> None:
    untyped = [
        f"{name_of(kernel)}: {name}"
        for kernel in OWN_KERNELS
        for name in inspect.signature(kernel.py_func).parameters
        if kernel.py_func.__annotations__.get(name, Any) is Any
    ]
    assert untyped == []


def test_kernels_call_only_kernels_of_their_file_and_frozen_primitives() -> None:
    strangers = [
        f"{name_of(kernel)}: {name_of(other)}"
        for kernel in OWN_KERNELS
        for other in map(kernel.py_func.__globals__.get, kernel.py_func.__code__.co_names)
        # Numba's cache does not see an edit in another file.
        if isinstance(other, Dispatcher) and other.py_func.__module__ not in {kernel.py_func.__module__, *FROZEN}
    ]
    assert strangers == []


def test_kernels_call_only_functions_that_machine_code_finds() -> None:
    strangers = [
        f"{name_of(kernel)}: math.{node.attr}"
        for kernel in OWN_KERNELS
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(kernel.py_func))))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "math"
        if node.attr not in FOUND
    ]
    assert strangers == []


# What each kind of work calls. Kernels are compiled for the types that they meet here.

WORDS = "the quick brown fox jumps over the lazy dog and the other dog sleeps by the old mill "
TEXTS = [WORDS * 4, "Ça ne vaut pas la peine; 這是一個測試。 " + WORDS * 3, "", "short"]


def tokenize() -> None:
    from ibidem.text import Texts, make_tokenizer

    texts = Texts.from_strings(TEXTS)
    for spec in ("words:3", "characters:5", str.split):
        make_tokenizer(spec).encode(texts)
    for spec in ("words:3", "characters:5"):
        make_tokenizer(spec).encode(texts, offsets=True)
        make_tokenizer(spec, normalize="auto,latin,hyphens").encode(texts, offsets=True)


def partition() -> None:
    from baselines import jitted, stack_sweep
    from ibidem.sketches.families import MultisetFamily, SetFamily, WeightedFamily
    from ibidem.sketches.windows.scanline import partition as by_scanline
    from ibidem.text.token_stream import prepare_tokens
    from ibidem.weights import Weighting

    stream = prepare_tokens(np.array([7, 7, 3, 9, 7, 3, 2**32 - 1, 7] * 4, dtype=np.uint32))
    for family in (SetFamily(), MultisetFamily(), WeightedFamily(Weighting.of("multiset"))):
        values = family.active(stream.vocabulary, stream.peaks, np.uint64(2**63 + 1))
        for algorithm in (
            by_scanline,
            jitted.monoall_partition,
            jitted.monoactive_partition,
            jitted.allalign_partition,
        ):
            algorithm(stream.ids, values)
        stack_sweep.scanline(stream, values)


def partition_in_bins() -> None:
    from baselines.one_permutation import jitted_windows
    from ibidem.sketches.one_permutation import bin_values
    from ibidem.sketches.windows.one_permutation import bin_windows
    from ibidem.text.token_stream import prepare_tokens
    from ibidem.weights import Weighting

    stream = prepare_tokens(np.array([7, 7, 3, 9, 7, 3, 2**32 - 1, 7] * 4, dtype=np.uint32))
    values = bin_values(Weighting.of("multiset"), stream.vocabulary, stream.peaks, np.uint64(2**63 + 1), 2)
    bin_windows(stream, values, range(2))
    of_a_set = bin_values(Weighting.of("set"), stream.vocabulary, stream.peaks, np.uint64(2**63 + 1), 2)
    jitted_windows(stream, of_a_set, 2)


def search(folder: Path) -> None:
    from ibidem import PassageIndex, SketchIndex

    documents = [(str(number), text) for number, text in enumerate(TEXTS)]
    for family in ("set", "multiset", "weighted"):
        lengths = {"min_length": 8, "max_length": 64}
        index = PassageIndex.build(folder / family, documents, family=family, **lengths)
        index.add([("added", WORDS)])
        index.search(WORDS)
        index.search(WORDS, select="longest")
        index.search(WORDS, select="document")
        index.search(TEXTS[1] + WORDS[::-1] + TEXTS[0])
        index.merge()
        sketches = SketchIndex.build(folder / f"{family}-sketches", documents, family=family, num_hashes=8, **lengths)
        sketches.add([("added", WORDS)])
        sketches.search(WORDS)
        sketches.search(WORDS, select="all", verify=True)
        sketches.merge()
    sketches = SketchIndex.build(folder / "oph", documents, sketch="oph", min_length=8, max_length=64, num_hashes=8)
    sketches.search(WORDS)
    sketches.search(WORDS, select="all")
    exact = PassageIndex.build(folder / "exact", documents, min_length=8)
    exact.search(WORDS)
    exact.search(WORDS, family="set")
    exact.align(TEXTS[1])
    ibidem.trace([TEXTS[1]], exact)


def look_up() -> None:
    from ibidem.store.postings.packing import pack
    from ibidem.store.postings.unpacking import find_start
    from tests.store.postings.samples import with_margin

    blocks = pack(np.full(1, 300, np.uint32), np.arange(300, dtype=np.uint32), np.zeros((300, 3), np.uint16))
    assert find_start(with_margin(blocks), (0, 300), 290, 3) == 290


def documents() -> None:
    from ibidem.documents.deduplicate import deduplicate

    one_apart = [f"{TEXTS[0]} {number}" for number in range(70)]  # more than a bucket of which every pair is listed
    assert deduplicate(TEXTS + one_apart, shingle="words:3", threshold=0.5).kept.sum() < len(TEXTS)


def sweep() -> None:
    from baselines.faerie import jitted_faerie
    from baselines.interval_scan import jitted_scan
    from ibidem.sketches.index.collided_windows import WindowSet

    windows = WindowSet(*(np.array([1, 2], np.int64) + column for column in (0, 1, 2, 9, 1)))
    jitted_scan(windows, 1, longest=True, ordered=True)
    tokens = np.array([5, 1, 2, 5, 1], np.uint32)
    assert len(jitted_faerie(tokens, tokens[1:3], 0.5, "set"))


def align() -> None:
    from ibidem.alignment.shared_by_chance import measure_unforetold
    from ibidem.alignment.summaries import find_fullest_place, find_summary
    from ibidem.alignment.weighted_pair import Pair

    assert ibidem.align(TEXTS[0], TEXTS[1])
    refrain = ["row", "row", "your", "boat"] * 60
    assert ibidem.align(" ".join(refrain), " ".join([*refrain[:120], "ship", *refrain[121:]]))
    nothing = np.empty((0, 2), np.int64)
    tokens = np.arange(400, dtype=np.int32)
    assert find_summary(tokens, tokens[::2] + 300, np.ones(800), nothing, nothing) is None
    assert find_fullest_place(tokens[50:60], tokens, np.ones(400)) == 50
    of_itself = Pair(tokens, tokens, np.ones(400), np.ones(1), 32)
    assert measure_unforetold(of_itself, np.array([0, 40, 0, 40]), np.inf) > 0


def compare() -> None:
    assert ibidem.compare(TEXTS[0], TEXTS[1]).runs
    assert ibidem.comparison.count_shares(WORDS, WORDS[4:], ibidem.align(WORDS, WORDS[4:])).a.words
    from ibidem.comparison.global_alignment import Sequences, align_long

    ids, gains = np.arange(2_000, dtype=np.int32), np.ones(2_000, np.int64)
    align_long(Sequences(ids, ids[::-1].copy(), gains, 1))  # too many for a table of which all cells are filled
    align_long(Sequences(ids, np.roll(ids, 9), gains, 1), most_cells=99)


def cluster() -> None:
    from ibidem.clusters import cluster_components, cluster_greedily, label_components

    label_components([(0, 1)], 2)
    cluster_components([(0, 1)], [0.5], 2)
    cluster_greedily([(0, 1)], [0.5], 2)


def join(folder: Path) -> None:
    from ibidem.resources import Resources
    from ibidem.reuse.collection import Comparable
    from ibidem.reuse.explain import find_best_windows
    from ibidem.reuse.frequent import hash_shingles
    from ibidem.reuse.windows import WindowJoin, find_boxes
    from ibidem.text import make_tokenizer
    from tests.reuse.small_collections import read_collection

    resources = Resources.of("64M", 1, None)
    folder.mkdir()
    collection = read_collection([enumerate(TEXTS)], make_tokenizer("words"), folder, resources)
    given = Comparable.of(collection, 8)
    for recall in (0.9, 1.0):
        assert len(find_boxes(collection, given, WindowJoin(window=8, recall=recall), folder, resources).boxes.pairs)
    find_best_windows(given, 0, 1, Resources.of("64M", 1, None))
    assert len(ibidem.find_reuse(enumerate(TEXTS), min_pair_length=8, threshold=0.3).pairs)
    novel = " ".join(f"word{at}" for at in range(2000))
    assert len(ibidem.find_reuse(enumerate([novel, novel])).pairs)  # so long a copy is followed
    assert ibidem.deduplicate_passages(enumerate(TEXTS), min_length=8, threshold=0.5).removed
    sheet = " ".join(f"task{at}" for at in range(40))
    answers = [(str(at), f"{sheet} " + " ".join(f"answer{at}x{word}" for word in range(50))) for at in range(20)]
    assert not len(ibidem.find_reuse(answers).pairs)  # the sheet is common
    assert len(ibidem.find_reuse(answers[:12]).pairs) == 66  # or just frequent
    assert len(hash_shingles(np.arange(9, dtype=np.uint32), np.array([0, 4, 9]), 3)[0]) == 5
    with pytest.warns(UserWarning, match="left out for one reason"):
        assert not len(ibidem.find_reuse(answers[:2], phrases=[sheet]).pairs)


def fingerprint() -> None:
    from ibidem.sketches.elements import fingerprints, hash_values
    from ibidem.sketches.rabin import Rabin
    from ibidem.sketches.shingling import Shingling

    for method in ("mix", "rabin"):
        fingerprints(WORDS.encode(), 9, method)
    Rabin.of(64).fingerprint(WORDS.encode())
    Shingling(3, fingerprint="rabin").shingles(WORDS)
    hash_values(np.array([2**63 + 1], np.uint64), np.uint64(2**63 + 1))


def summarise() -> None:
    from ibidem.sketches.bottom_s import BottomS
    from ibidem.sketches.datasketch import WeightedMinHashGenerator
    from ibidem.sketches.densification import OnePermutation
    from ibidem.sketches.signatures import KMins

    elements = [2**64 - 1, 2**63 + 1, 7]
    for kind in (BottomS, KMins, OnePermutation):
        kind.of(elements, 8).resemblance(kind.of(elements[1:], 8))
    assert len(OnePermutation.of(elements, 8).signature) == 8
    assert len(WeightedMinHashGenerator(2, 8).minhash([1, 2])) == 8


def decontaminate() -> None:
    assert ibidem.find_contamination(TEXTS, [{"question": WORDS}]).contamination.num_rows


def order() -> None:
    """Sort so many large numbers that they are parted first."""
    from ibidem.radix_sort import sort_stably

    sort_stably(np.arange(1 << 20, dtype=np.uint32) << np.uint32(11))


def exercise(folder: Path) -> None:
    """Call every kernel. ``folder`` is empty, and holds the indexes and columns that this takes."""
    tokenize()
    partition()
    partition_in_bins()
    search(folder)
    order()
    look_up()
    documents()
    sweep()
    align()
    compare()
    cluster()
    join(folder / "columns")
    fingerprint()
    summarise()
    decontaminate()


@pytest.fixture(scope="module")
def exercised(tmp_path_factory: pytest.TempPathFactory) -> None:
    exercise(tmp_path_factory.mktemp("kernels"))


@pytest.mark.usefixtures("exercised")
def test_every_kernel_is_exercised_and_keeps_its_hash_values_whole() -> None:
    faults, seen = faults_of(OWN_KERNELS)
    assert not faults, "\n".join(faults)
    unseen = [name_of(kernel) for kernel in OWN_KERNELS if kernel not in seen]
    assert not unseen, f"no work in this file calls {', '.join(unseen)}"


# The test of the test.


def with_int64(h, i):  # type: ignore[no-untyped-def]
    return h + i


def with_a_literal(h, i):  # type: ignore[no-untyped-def]
    return h + 1


def compared(h, i):  # type: ignore[no-untyped-def]
    return h < i


def joined(h, i):  # type: ignore[no-untyped-def]
    x = h
    if i > 3:
        x = i
    return x


def accumulated(h, i):  # type: ignore[no-untyped-def]
    for _ in range(i):
        h += i
    return h


def smaller(h, i):  # type: ignore[no-untyped-def]
    return min(h, i)


def halved(h, i):  # type: ignore[no-untyped-def]
    return h / np.uint64(2)


def stored_as_float(h, i):  # type: ignore[no-untyped-def]
    room = np.zeros(1)
    room[0] = h
    return room


def column_with_int64(h, i):  # type: ignore[no-untyped-def]
    return np.full(3, h) + np.arange(3)


def returned_with_int64(h, i):  # type: ignore[no-untyped-def]
    if i > 3:
        return h
    return i


@pytest.mark.parametrize(
    "function",
    [
        with_int64,
        with_a_literal,
        compared,
        joined,
        accumulated,
        smaller,
        halved,
        stored_as_float,
        column_with_int64,
        returned_with_int64,
    ],
)
def test_a_kernel_that_changes_a_hash_value_is_caught(function: Callable[..., Any]) -> None:
    kernel = compiled(function)
    faults, _ = faults_of([kernel])
    assert faults
    assert all("test_kernels.py" in fault for fault in faults)


def test_a_fault_in_a_kernel_that_another_calls_is_caught() -> None:
    inner = numba.njit(with_int64)

    def outer(h, i):  # type: ignore[no-untyped-def]
        return np.uint64(inner(h, i))

    outer_kernel = compiled(outer)
    faults, seen = faults_of([outer_kernel, inner])
    assert faults
    assert inner in seen


def asked_for(h, i):  # type: ignore[no-untyped-def]
    slot = np.int64(h >> np.uint64(40))
    return np.float64(h >> np.uint64(11)) * 2.0**-53, slot + i, h + np.uint64(i), h < np.uint64(i)


def test_a_conversion_that_is_asked_for_is_none_of_them() -> None:
    faults, seen = faults_of([compiled(asked_for)])
    assert not faults
    assert len(seen) == 1


def compiled(function: Callable[..., Any]) -> Any:
    kernel = numba.njit(function)
    kernel(np.uint64(2**63 + 1), 5)
    return kernel


# How the types of a kernel are read.


class TypesOnly(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's pipeline up to the types of all variables."""

    def define_pipelines(self) -> list[PassManager]:
        untyped = compiler.DefaultPassBuilder.define_untyped_pipeline(self.state)
        passes = PassManager("types only")
        passes.passes.extend(untyped.passes)
        passes.add_pass(NopythonTypeInference, "types")
        passes.finalize()
        return [passes]


def faults_of(kernels: list[Any]) -> tuple[list[str], list[Any]]:
    """Every unasked change of a hash value, and the kernels that were compiled and so could be read.

    Reading a kernel compiles the kernels that it calls, which Numba's cache had spared: so all are read until nothing
    new turns up.
    """
    faults: list[str] = []
    read: set[tuple[str, Any]] = set()
    while True:
        new = [
            (kernel, args) for kernel in kernels for args in kernel.signatures if (name_of(kernel), args) not in read
        ]
        if not new:
            return sorted(set(faults)), [kernel for kernel in kernels if kernel.signatures]
        for kernel, args in new:
            read.add((name_of(kernel), args))
            faults += faults_under(kernel, args)


def faults_under(kernel: Any, args: tuple[types.Type, ...]) -> Iterator[str]:
    flags = compiler.Flags()
    flags.nrt = True
    flags.error_model = "numpy"
    context, target = cpu_target.typing_context, cpu_target.target_context
    pipeline = TypesOnly(context, target, None, args, None, flags, {})
    pipeline.state.cr = ()  # in the place of a result: nothing is compiled
    pipeline.compile_extra(kernel.py_func)
    state = pipeline.state
    for block in state.func_ir.blocks.values():
        for statement in block.body:
            if changes_a_hash(statement, state.typemap, state.calltypes):
                yield f"{statement.loc}: {name_of(kernel)}: {statement}, under {args}"


def changes_a_hash(statement: Any, typemap: dict[str, types.Type], calltypes: dict[Any, Any]) -> bool:
    """Whether a step takes a uint64, or an array of them, and gives a float or a signed integer unasked."""
    if isinstance(statement, (ir.SetItem, ir.StaticSetItem)):
        return unsigned(typemap[statement.value.name]) and number(typemap[statement.target.name]) in types.real_domain
    if not isinstance(statement, ir.Assign):
        return False
    value, result = statement.value, number(typemap[statement.target.name])
    if isinstance(value, ir.Var):
        return unsigned(typemap[value.name]) and is_other(result)
    if not isinstance(value, ir.Expr) or value.op not in ("binop", "inplace_binop", "unary", "phi", "cast", "call"):
        return False
    if value.op == "call" and not may_mix(typemap[value.func.name]):
        return False
    operands = [typemap[variable.name] for variable in value.list_vars() if variable.name in typemap]
    if not any(unsigned(operand) for operand in operands):
        return False
    compared_as_floats = value.op == "binop" and any(number(arg) in types.real_domain for arg in calltypes[value].args)
    return is_other(result) or compared_as_floats


def may_mix(function: types.Type) -> bool:
    """Whether a call may convert unasked: min, max and NumPy's functions; not a type, a method or another kernel."""
    if isinstance(function, (types.NumberClass, types.Dispatcher, types.BoundFunction)):
        return False
    return getattr(function, "typing_key", None) not in UNMIXED


def number(of: types.Type) -> types.Type:
    """The type of the numbers in an array, or of a number."""
    plain = of.dtype if isinstance(of, types.Array) else of
    return types.unliteral(plain)


def unsigned(of: types.Type) -> bool:
    return bool(number(of) == types.uint64)


def is_other(result: types.Type) -> bool:
    return result in types.real_domain or result in types.signed_domain
