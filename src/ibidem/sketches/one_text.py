"""The compact windows and the sketch of one text, as an index of the same choices would keep them."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ibidem.arguments import SchemeName
from ibidem.errors import ConfigurationError
from ibidem.options import IndexOptions, takes
from ibidem.passages.configuration import LONGEST, Configuration
from ibidem.sketches import Estimate
from ibidem.sketches.one_permutation import EMPTY_KEY
from ibidem.sketches.schemes.schemes import SketchScheme
from ibidem.sketches.windows import Windows
from ibidem.text import Texts, TokenizerSpec, make_tokenizer
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import DocumentFrequencies


@dataclass(frozen=True, eq=False)
class TextSketch:
    """The min-hashes of a text, from which its similarity with others is estimated.

    Attributes:
        keys: int64 [k], what names the min-hash under each hash function, or in each bin of one; equal for two texts
            with a probability equal to their similarity.
        configuration: the choices behind it.
    """

    keys: npt.NDArray[np.int64]
    configuration: Configuration

    def resemblance(self, other: "TextSketch") -> Estimate:
        """The estimated similarity of both texts: the share of the keys that agree, of bins that are not empty in both.

        Raises:
            ConfigurationError: the sketches were made with other choices.
        """
        if self.configuration != other.configuration:
            raise ConfigurationError(
                f"sketches of other choices cannot meet: {self.configuration} and {other.configuration}"
            )
        is_comparable = np.ones(len(self.keys), np.bool_)
        if self.configuration.scheme == "oph":
            is_comparable = ~((self.keys == EMPTY_KEY) & (other.keys == EMPTY_KEY))
        if not is_comparable.any():
            return Estimate(1.0, 0)  # neither text has an element
        agreeing = (self.keys == other.keys) & is_comparable
        return Estimate.of(int(np.count_nonzero(agreeing)), int(np.count_nonzero(is_comparable)))


@dataclass(frozen=True, kw_only=True)
class SketchText(IndexOptions):
    """A call of :func:`sketch_of`."""

    text: str = field(kw_only=False)
    tokenizer: TokenizerSpec = "words"
    frequencies: DocumentFrequencies | None = None
    scheme: SchemeName = "minhash"
    min_length: int | None = 1
    max_length: int = LONGEST


@dataclass(frozen=True, kw_only=True)
class PartitionText(SketchText):
    """A call of :func:`windows_of`."""


@takes(SketchText)
def sketch_of(call: SketchText) -> TextSketch:
    """The sketch of a text: its min-hash under each of ``num_hashes`` functions, or in each bin of one.

    Args:
        tokenizer, frequencies: as :meth:`PassageIndex.build` takes them; no frequencies are counted.
        family, tf, idf, scheme, weight_units, num_hashes, seed, min_length, max_length, layout: those of a build.
            ``num_hashes`` is 16 if not given; lengths and layout change nothing.

    Raises:
        ValueError: a choice that makes no sense, or the scheme ``"exact"``, which hashes nothing.

    >>> a = sketch_of("all the world is a stage", num_hashes=256)
    >>> b = sketch_of("all the world is the stage", num_hashes=256)
    >>> a.resemblance(b)  # of 5 / 7
    0.67578125
    """
    configuration, scheme, tokens = _prepare(call)
    return TextSketch(scheme.sketch(tokens), configuration)


@takes(PartitionText)
def windows_of(call: PartitionText) -> list[Windows]:
    """The compact windows of a text under each hash function: all its passages, grouped by the min-hash they share.

    Every passage of ``min_length`` to ``max_length`` tokens lies in one window, whose key is that of the passage's own
    sketch. Positions count tokens; ``ibidem.make_tokenizer(...).encode(..., offsets=True)`` says where these are.

    Args:
        tokenizer, frequencies: as :meth:`PassageIndex.build` takes them; no frequencies are counted.
        family, tf, idf, scheme, weight_units, num_hashes, seed, min_length, max_length, layout: those of a build.
            ``num_hashes`` is 16 if not given; the layout changes nothing.

    Raises:
        ValueError: a choice that makes no sense, or the scheme ``"exact"``, which hashes nothing.

    >>> [windows] = windows_of("a rose is a rose", num_hashes=1, family="set")
    >>> len(set(windows.keys.tolist())), len(windows.keys)
    (3, 5)
    >>> windows.a.tolist(), windows.b.tolist(), windows.c.tolist(), windows.d.tolist()
    ([2, 1, 4, 1, 0], [2, 1, 4, 3, 0], [2, 1, 4, 3, 0], [2, 2, 4, 4, 4])
    """
    configuration, scheme, tokens = _prepare(call)
    stream = prepare_tokens(tokens, max_length=configuration.max_length)
    return list(scheme.windows(stream, range(configuration.num_hashes)))


def _prepare(call: SketchText) -> tuple[Configuration, SketchScheme, npt.NDArray[np.uint32]]:
    """The configuration, its scheme, and the tokens of the text."""
    tokenizer = make_tokenizer(call.tokenizer)
    configuration = Configuration.of(tokenizer.config, call)
    scheme = configuration.make_scheme(call.frequencies)
    if not isinstance(scheme, SketchScheme):
        raise ValueError("the scheme 'exact' hashes nothing, so a text has no windows and no sketch: use 'minhash'")
    return configuration, scheme, tokenizer.encode(Texts.from_strings([call.text])).ids
