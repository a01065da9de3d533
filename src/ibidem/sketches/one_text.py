"""The compact windows and the sketch of one text, as an index of sketches would keep them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem.arguments import FamilyName, IDFName, SketchName, TFName
from ibidem.errors import ConfigurationError
from ibidem.passage_configuration import LONGEST
from ibidem.sketches import Estimate
from ibidem.sketches.index.configuration import SketchConfiguration
from ibidem.sketches.index.schemes import Scheme
from ibidem.sketches.one_permutation import EMPTY_KEY
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
    configuration: SketchConfiguration

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
        if self.configuration.sketch == "oph":
            is_comparable = ~((self.keys == EMPTY_KEY) & (other.keys == EMPTY_KEY))
        if not is_comparable.any():
            return Estimate(1.0, 0)  # neither text has an element
        agreeing = (self.keys == other.keys) & is_comparable
        return Estimate.of(int(np.count_nonzero(agreeing)), int(np.count_nonzero(is_comparable)))


def sketch_of(
    text: str,
    *,
    tokenizer: TokenizerSpec = "words",
    sketch: SketchName = "minhash",
    num_hashes: int = 16,
    seed: int = 0,
    family: FamilyName | None = None,
    tf: TFName | None = None,
    idf: IDFName | Mapping[str, float] | None = None,
    weight_units: int = 0,
    frequencies: DocumentFrequencies | None = None,
) -> TextSketch:
    """The sketch of a text: its min-hash under each of ``num_hashes`` functions, or in each bin of one.

    Arguments are those of :meth:`SketchIndex.build`; no frequencies are counted.

    Raises:
        ValueError: a choice that makes no sense.

    >>> a = sketch_of("all the world is a stage", num_hashes=256)
    >>> b = sketch_of("all the world is the stage", num_hashes=256)
    >>> a.resemblance(b)  # of 5 / 7
    0.67578125
    """
    choices = {"sketch": sketch, "num_hashes": num_hashes, "seed": seed, "weight_units": weight_units}
    measure = {"family": family, "tf": tf, "idf": idf}
    configuration, scheme, tokens = _prepare(text, tokenizer, frequencies, min_length=1, **choices, **measure)
    return TextSketch(scheme.sketch(tokens), configuration)


def windows_of(
    text: str,
    *,
    tokenizer: TokenizerSpec = "words",
    sketch: SketchName = "minhash",
    num_hashes: int = 16,
    seed: int = 0,
    family: FamilyName | None = None,
    tf: TFName | None = None,
    idf: IDFName | Mapping[str, float] | None = None,
    weight_units: int = 0,
    frequencies: DocumentFrequencies | None = None,
    min_length: int = 1,
    max_length: int = LONGEST,
) -> list[Windows]:
    """The compact windows of a text under each hash function: all its passages, grouped by the min-hash they share.

    Every passage of ``min_length`` to ``max_length`` tokens lies in one window, whose key is that of the passage's own
    sketch. Positions count tokens; ``ibidem.make_tokenizer(...).encode(..., offsets=True)`` says where these are.
    Arguments are those of :meth:`SketchIndex.build`; no frequencies are counted. With ``sketch="oph"``, windows of the
    key 2^32 - 1 hold the passages without a token in a bin (:class:`Windows`).

    Raises:
        ValueError: a choice that makes no sense.

    >>> [windows] = windows_of("a rose is a rose", num_hashes=1, family="set")
    >>> len(set(windows.keys.tolist())), len(windows.keys)
    (3, 5)
    >>> windows.a.tolist(), windows.b.tolist(), windows.c.tolist(), windows.d.tolist()
    ([2, 1, 4, 1, 0], [2, 1, 4, 3, 0], [2, 1, 4, 3, 0], [2, 2, 4, 4, 4])
    """
    choices = {"sketch": sketch, "num_hashes": num_hashes, "seed": seed, "weight_units": weight_units}
    measure = {"family": family, "tf": tf, "idf": idf}
    lengths = {"min_length": min_length, "max_length": max_length}
    configuration, scheme, tokens = _prepare(text, tokenizer, frequencies, **choices, **measure, **lengths)
    stream = prepare_tokens(tokens, max_length=configuration.max_length)
    return list(scheme.windows(stream, range(configuration.num_hashes)))


def _prepare(
    text: str, tokenizer: TokenizerSpec, frequencies: DocumentFrequencies | None, **choices: Any
) -> tuple[SketchConfiguration, Scheme, npt.NDArray[np.uint32]]:
    """The configuration, its scheme, and the tokens of the text."""
    used_tokenizer = make_tokenizer(tokenizer)
    configuration = SketchConfiguration.of(used_tokenizer, **choices)
    tokens = used_tokenizer.encode(Texts.from_strings([text])).ids
    return configuration, configuration.make_scheme(frequencies), tokens
