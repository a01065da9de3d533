"""The configuration of an index of sketches: written into the index, and obeyed by all that is added or searched."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, get_args

from ibidem.arguments import FamilyName, IDFName, SketchName, TFName
from ibidem.hashing import require_seed
from ibidem.passage_configuration import PassageConfiguration, choose_measure
from ibidem.sketches.families import FAMILIES
from ibidem.sketches.index.schemes import SCHEMES, Scheme
from ibidem.text import Tokenizer, keep_tokenizer
from ibidem.token_weights import TokenWeights, require_weight
from ibidem.weights import DocumentFrequencies, Weighting

# Collisions are counted in 16 bits.
_MOST_FUNCTIONS = 65535

# Every unit of a weight is hashed.
_MOST_UNITS = 1024


class SketchConfiguration(PassageConfiguration, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices behind an index of sketches.

    Attributes:
        sketch: ``"minhash"`` or ``"oph"``.
        num_hashes: number of hash functions, or of the bins of one: the papers' ``k``.
        seed: names the hash functions; two indexes with one seed use the same.
        weights: tokens and their weights, if these are the user's own; others weigh 1.
        weight_units: parts of a weight of 1 that ``"oph"`` counts as elements of the family ``"weighted"``; 0 for all
            others.
    """

    kind: Literal["sketches"] = "sketches"
    sketch: SketchName = "minhash"
    num_hashes: int = 16
    seed: int = 0
    min_length: int = 32
    weights: tuple[tuple[int, float], ...] = ()
    weight_units: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sketch not in SCHEMES:
            raise ValueError(f"sketch is one of {', '.join(get_args(SketchName))}, not {self.sketch!r}")
        if not 1 <= self.num_hashes <= _MOST_FUNCTIONS:
            raise ValueError(f"num_hashes is between 1 and {_MOST_FUNCTIONS}, not {self.num_hashes}")
        require_seed(self.seed)
        needs_units = self.family == "weighted" and self.sketch == "oph"
        if needs_units and not 1 <= self.weight_units <= _MOST_UNITS:
            raise ValueError(
                "a consistent weighted sample is one value of a whole text and none of each bin, so the sketch 'oph' "
                "has no family 'weighted' but with weights that count as whole elements: give weight_units "
                f"(--weight-units), from 1 to {_MOST_UNITS} parts of a weight of 1, or use 'minhash'"
            )
        if self.weight_units and not needs_units:
            raise ValueError("weight_units are for the family 'weighted' with the sketch 'oph'")
        if self.weights:
            tokens = [token for token, _ in self.weights]
            if (self.family, self.idf) != ("weighted", "unary") or not _are_tokens(tokens):
                raise ValueError("weights are pairs of tokens, which ascend, and numbers, of the family 'weighted'")
            for token, weight in self.weights:
                require_weight(str(token), weight)

    @classmethod
    def of(
        cls,
        tokenizer: Tokenizer,
        *,
        family: FamilyName | None,
        tf: TFName | None,
        idf: IDFName | Mapping[str, float] | None,
        **choices: Any,
    ) -> "SketchConfiguration":
        """The configuration of a build, with the family that the weights ask for.

        Raises:
            ValueError: a choice that makes no sense, or one that the family does not have.
        """
        config = keep_tokenizer(tokenizer)[0]
        if idf is None or isinstance(idf, str):
            return cls(tokenizer=config, **choose_measure(family, tf, idf), **choices)
        if family not in (None, "weighted"):
            raise ValueError(f"weights of words are those of the family 'weighted', not of {family!r}")
        weights = TokenWeights.of_words(idf, tokenizer)
        pairs = tuple(zip(weights.tokens.tolist(), weights.weights.tolist(), strict=True))
        return cls(tokenizer=config, **choose_measure("weighted", tf, None), weights=pairs, **choices)

    def weighting(self, frequencies: DocumentFrequencies | None) -> Weighting:
        """The weights of a token in a passage."""
        if not self.weights:
            return super().weighting(frequencies)
        tokens, weights = zip(*self.weights, strict=True)
        return Weighting(self.tf, weights=TokenWeights(tokens, weights))

    def make_scheme(self, frequencies: DocumentFrequencies | None) -> Scheme:
        """The min-hash scheme under these weights."""
        family = FAMILIES[self.family](self.weighting(frequencies))
        return SCHEMES[self.sketch](family, self.num_hashes, self.seed, self.lengths, self.weight_units)


def _are_tokens(tokens: Sequence[int]) -> bool:
    """Whether these are numbers of tokens, and ascend."""
    return tokens[0] >= 0 and tokens[-1] < 1 << 32 and all(low < high for low, high in pairwise(tokens))
