"""A sample of the texts of an input of any size, from all of it in whatever order its documents are."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import InputPart, Inputs
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import stored_size
from ibidem.resources import Resources
from ibidem.text.advice import thin_texts

_PARTS = 32
"""Parts of an input that are looked at, at most, from its first to its last."""

_LEAST_PART = 1 << 20

LOOKED_AT = 8 << 20
"""Bytes of text, at most, from which a sample is chosen before other work on it."""


class Sample(NamedTuple):
    """Some of the texts of an input.

    Attributes:
        texts: documents, and pieces of long ones, in order.
        documents: how many documents were looked at.
    """

    texts: list[str]
    documents: int


def sample_texts(
    paths: Iterable[str],
    columns: Columns,
    size: int = 1_000_000,
    failures: Failures | None = None,
    *,
    most: int = 64 << 20,
) -> Sample:
    """About ``size`` code points of the texts of ``paths``, from half as many on, evenly from all parts of the input.

    Args:
        most: about how many bytes of text of all parts are read, of which the sample is chosen.

    Raises:
        CorpusError: a path does not exist, or what is looked at cannot be read and there are no ``failures``.
    """
    return sample_inputs(Inputs(paths, columns, failures=failures), size, most, failures=failures)


def sample_inputs(inputs: Inputs, size: int, most: int, *, failures: Failures | None = None) -> Sample:
    """A sample as :func:`sample_texts` takes it of ``inputs``, of which about ``most`` bytes of text are read."""
    total = sum(stored_size(source) or 0 for source in inputs.sources)
    count = max(1, min(_PARTS, most // _LEAST_PART))
    parts = inputs.cut(max(_LEAST_PART, total // count))
    chosen = parts if len(parts) <= count else [parts[n * len(parts) // count] for n in range(count)]
    texts: list[str] = []
    documents = 0
    for part in chosen:
        sample = _sample_part(part, size // len(chosen), most // len(chosen), failures)
        texts += sample.texts
        documents += sample.documents
    return Sample(texts, documents)


def _sample_part(part: InputPart, size: int, most: int, failures: Failures | None) -> Sample:
    """The sample of a part, of which about ``most`` bytes are read."""
    documents = 0

    def read_texts() -> Iterator[str]:
        nonlocal documents
        bytes_read = 0
        for batch in part.open(Resources.of("64M", 1, None), failures):
            for text in batch.texts:
                documents += 1
                bytes_read += len(text)
                yield text
            if bytes_read > most:
                return

    texts = thin_texts(read_texts(), size)
    return Sample(texts, documents)
