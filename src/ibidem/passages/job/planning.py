"""Planning an index: which shards go to which part, and what it will take."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Unpack

import msgspec

from ibidem.corpus.failures import OnError
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.reading import read_sources
from ibidem.corpus.sources import ReadingProgress
from ibidem.errors import IndexExistsError
from ibidem.jobs.plan import Plan, require_rebuildable, write_plan
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.result import list_apart, name_output
from ibidem.jobs.shards import choose_parts, describe_shards, sources_of
from ibidem.passages.configuration import BuildKeywords, Configuration
from ibidem.passages.job.planned import FREQUENCIES_FILE, IndexSettings
from ibidem.passages.job.prediction import predict_index
from ibidem.remote.storage import Storage, is_remote
from ibidem.resources import Progress, Resources
from ibidem.store.remote.publication import Publication
from ibidem.text import Normalize, Tokenizer, make_tokenizer
from ibidem.weights import DocumentFrequencies

__all__ = ["plan_index"]


def plan_index(
    inputs: Iterable[str],
    output: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    text: str = "text",
    id: str = "id",
    max_line: str | int = LARGEST_LINE,
    encoding: str | None = None,
    on_error: OnError = "stop",
    tokenizer: str | Mapping[str, Any] | Tokenizer = "words",
    normalize: Normalize = (),
    frequencies: DocumentFrequencies | None = None,
    memory: str | int = "1G",
    parts: int | None = None,
    progress: Progress | None = None,
    **choices: Unpack[BuildKeywords],
) -> Plan:
    """Write a plan to ``folder`` that makes an index of the files ``inputs`` at ``output``.

    Args:
        text, id, max_line, encoding, on_error: as ``ibidem.read`` takes them.
        tokenizer: a name, a configuration or a tokenizer that has one; no function.
        normalize: names of normalizations, as ``ibidem.make_tokenizer`` takes them.
        frequencies, choices: as ``PassageIndex.build`` takes them.
        memory: what a rank may take; as of a build, the sizes of segments follow from it.
        parts: how many tasks read the input; one for each ``PART_BYTES`` if not given.
        progress: called with the number of bytes of the input that were read.

    Raises:
        PlanError: ``folder`` exists or is a URL, an input is a pipe, or the tokenizer is a function.
        IndexExistsError: ``output`` exists.
        CorpusError: an input cannot be read, or ``output`` or ``folder`` is one or lies where it must not.
    """
    given, _ = list_apart(inputs, folder, output)
    place = name_output(output)
    _require_room(place)
    made = make_tokenizer(tokenizer, normalize=normalize)
    configuration = Configuration.of(tokenizer=dict(require_rebuildable(made.config)), **choices)
    resources = Resources.of(memory, None, progress)
    reading = InputSettings.from_arguments(text, id, max_line, on_error, encoding)
    failures = reading.make_failures()
    looked_at = ReadingProgress()
    shards = describe_shards(given, resources, parts, failures, looked_at)
    sources = sources_of(shards, reading.make_failures())
    samples = read_sources(sources, reading.columns, batch_bytes=1 << 20)
    settings = IndexSettings(
        configuration=msgspec.to_builtins(configuration),
        **reading.describe(failures, looked_at.passed_over),
        frequencies=frequencies is not None,
    )
    plan = Plan.of(
        kind="index",
        output=place,
        shards=shards,
        parts=choose_parts(shards, parts),
        settings=msgspec.to_builtins(settings),
        memory=resources.memory,
        prediction=predict_index(shards, samples, configuration, resources.memory),
    )
    write_plan(folder, plan, {} if frequencies is None else {FREQUENCIES_FILE: frequencies.save})
    return plan


def _require_room(output: str) -> None:
    if is_remote(output):
        Publication(Storage(output)).require_room()
        return
    place = Path(output)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise IndexExistsError(f"{output}: something stands there; an index needs a folder of its own")
