"""The configuration of an index: written into the index, and obeyed by everything added or searched later."""

from importlib import import_module
from typing import Any, Literal, cast, get_args

import msgspec

from ibidem.arguments import FamilyName, IDFName, Layout, SchemeName, TFName
from ibidem.collection_index import read_configuration
from ibidem.hashing import require_seed
from ibidem.options import IndexOptions, values_of
from ibidem.passages.query.options import SearchOptions
from ibidem.passages.schemes.base import Scheme
from ibidem.weights import IDF, DocumentFrequencies, Weighting

# Where each scheme is: who searches an exact index loads no other.
_SCHEMES = {
    "exact": "ibidem.passages.schemes.exact:Exact",
    "minhash": "ibidem.sketches.schemes.schemes:KMinsScheme",
    "oph": "ibidem.sketches.schemes.schemes:OnePermutationScheme",
}
_FAMILIES = get_args(FamilyName)

LONGEST = 65535
"""The longest passage of any index: the widths of a window are stored in 16 bits."""

# Collisions are counted in 16 bits.
_MOST_FUNCTIONS = 65535

# Every unit of a weight is hashed.
_MOST_UNITS = 1024


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """The choices behind a passage index.

    Attributes:
        tokenizer: the tokenizer's own configuration.
        family: ``"set"``, ``"multiset"`` or ``"weighted"``.
        scheme: ``"minhash"``, ``"oph"``, or ``"exact"``, which hashes nothing.
        num_hashes: number of hash functions, or of the bins of one, ``k``; 0 for the scheme ``"exact"``.
        seed: names the hash functions; two indexes with one seed use the same.
        min_length, max_length: tokens of the shortest and the longest passage that is indexed.
        tf, idf: names of the weights of the family ``"weighted"``.
        weight_units: parts of a weight of 1 that ``"oph"`` counts as elements of the family ``"weighted"``;
            0 for all others.
        layout: ``"compact"`` for segments in half of the bytes; of a plain index it is not set.

    In an exact index the family, its weights and the lengths are those of a search that asks for no others.
    """

    tokenizer: dict[str, Any]
    family: FamilyName = "multiset"
    scheme: SchemeName = "minhash"
    num_hashes: int = 16
    seed: int = 0
    min_length: int = 32
    max_length: int = 1024
    tf: TFName = "raw"
    idf: IDFName = "unary"
    weight_units: int = 0
    layout: Literal["compact"] | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        if self.family not in _FAMILIES:
            raise ValueError(f"no family is called {self.family!r}; there are {', '.join(_FAMILIES)}")
        if self.scheme not in _SCHEMES:
            raise ValueError(f"no scheme is called {self.scheme!r}; there are {', '.join(_SCHEMES)}")
        if self.is_exact and self.num_hashes:
            raise ValueError(f"the scheme {self.scheme!r} hashes nothing, so it has no num_hashes = {self.num_hashes}")
        if not (self.is_exact or 1 <= self.num_hashes <= _MOST_FUNCTIONS):
            raise ValueError(f"num_hashes is between 1 and {_MOST_FUNCTIONS}, not {self.num_hashes}")
        if not 1 <= self.min_length <= self.max_length <= LONGEST:
            raise ValueError(
                f"passages have 1 <= min_length <= max_length <= {LONGEST} tokens, "
                f"not {self.min_length} and {self.max_length}"
            )
        require_seed(self.seed)
        if self.family != "weighted" and (self.tf, self.idf) != ("raw", "unary"):
            raise ValueError(f"tf and idf are weights of the family 'weighted', not of {self.family!r}")
        self._require_units()
        Weighting.of("weighted", tf=self.tf, idf="unary")  # refuses an unknown tf
        if not isinstance(self.idf, str):
            raise ValueError(
                "an index keeps an idf by its name alone; weights of words are given to a search of an exact index"
            )
        if self.idf not in IDF:  # and this, before a collection is read whose frequencies it would weigh
            raise ValueError(f"no idf is called {self.idf!r}; there are {', '.join(IDF)}")

    def _require_units(self) -> None:
        """One permutation hashing counts elements, so weights must be numbers of them."""
        needs_units = self.family == "weighted" and self.scheme == "oph"
        if needs_units and not 1 <= self.weight_units <= _MOST_UNITS:
            raise ValueError(
                "a consistent weighted sample is one value of a whole text and none of each bin, so the scheme "
                "'oph' has no family 'weighted' but with weights that count as whole elements: give "
                f"weight_units (--weight-units), from 1 to {_MOST_UNITS} parts of a weight of 1, or use 'minhash'"
            )
        if self.weight_units and not needs_units:
            raise ValueError("weight_units are for the family 'weighted' with the scheme 'oph'")

    @classmethod
    def of(cls, tokenizer: dict[str, Any], options: IndexOptions) -> "Configuration":
        """The configuration of a build, with the defaults that depend on the scheme and on the weights.

        Raises:
            ValueError: a choice that makes no sense, or one that the scheme or the family does not have.
        """
        if is_exact := options.scheme == "exact":
            for name in ("num_hashes", "seed"):
                if getattr(options, name) != getattr(IndexOptions, name):
                    raise ValueError(
                        f"the scheme 'exact' hashes nothing, so it has no {name}: leave it out, or build with the "
                        "scheme 'minhash' or 'oph'"
                    )
        choices = {name: value for name, value in values_of(options, IndexOptions).items() if value is not None}
        shortest, hashes = (1, 0) if is_exact else (32, 16)
        family: FamilyName = "multiset" if options.tf is None and options.idf is None else "weighted"
        defaults = {"family": family, "num_hashes": hashes, "min_length": shortest}
        choices = _leave_to_family(choices.get("family", family), choices)
        return cls(tokenizer=tokenizer, **defaults | choices | {"layout": _require_layout(options.layout)})

    @classmethod
    def read(cls, config: dict[str, Any]) -> "Configuration":
        """The configuration that an index holds.

        Raises:
            ConfigurationError: it is that of another kind of index, or of another version of ibidem.
        """
        return read_configuration(cls, config)

    def with_options(self, options: SearchOptions) -> "Configuration":
        """The configuration of a search: this one with the measure and the lengths of ``options``.

        Raises:
            ValueError: the options choose a measure or lengths, and the index is not an exact one.
        """
        choices = options.measure
        if options.word_weights is not None:
            choices["idf"] = "unary"
        if not choices:
            return self
        if not self.is_exact:
            raise ValueError(
                f"{', '.join(choices)}: chosen when the index was built; only in an exact index a search can choose"
            )
        return msgspec.structs.replace(self, **self._complete(choices))

    def with_measure(self, **choices: Any) -> "Configuration":
        """The configuration of an exact index whose measure has ``choices``: ``family``, ``tf``, ``idf``."""
        return msgspec.structs.replace(self, scheme="exact", num_hashes=0, weight_units=0, **self._complete(choices))

    def _complete(self, choices: dict[str, Any]) -> dict[str, Any]:
        """The choices, with what follows from them: tf and idf are weights of the family ``"weighted"`` alone."""
        if "family" not in choices and ("tf" in choices or "idf" in choices):
            choices = choices | {"family": "weighted"}
        return _leave_to_family(choices.get("family", self.family), choices)

    @property
    def is_exact(self) -> bool:
        """Whether the postings are the positions of the tokens, instead of windows of hash values."""
        return self.scheme == "exact"

    @property
    def token_bytes(self) -> int:
        """Memory that a token of a segment takes while the segment is built."""
        return self._scheme_class.token_bytes

    @property
    def needs_frequencies(self) -> bool:
        """Whether the weights depend on the collection's document frequencies."""
        return self.family == "weighted" and self.idf != "unary"

    def weighting(self, frequencies: DocumentFrequencies | None) -> Weighting:
        """The weights of a token in a passage."""
        if self.family == "weighted":
            return Weighting.of("weighted", tf=self.tf, idf=self.idf, frequencies=frequencies)
        return Weighting.of(self.family)

    @property
    def lengths(self) -> tuple[int, int]:
        """Tokens of the shortest and the longest passage."""
        return self.min_length, self.max_length

    def make_scheme(self, frequencies: DocumentFrequencies | None) -> Scheme:
        """The scheme under these weights."""
        return self._scheme_class.of(
            self.weighting(frequencies),
            family=self.family,
            num_hashes=self.num_hashes,
            seed=self.seed,
            lengths=self.lengths,
            weight_units=self.weight_units,
        )

    @property
    def chosen_layout(self) -> Layout:
        """How segments are laid out on disk."""
        return "plain" if self.layout is msgspec.UNSET else "compact"

    @property
    def _scheme_class(self) -> type[Scheme]:
        module, name = _SCHEMES[self.scheme].split(":")
        return cast(type[Scheme], getattr(import_module(module), name))


def _leave_to_family(family: FamilyName, choices: dict[str, Any]) -> dict[str, Any]:
    """The choices with the tf and idf that a configuration keeps: of a family that has its own, none is kept.

    Raises:
        ValueError: they choose a tf or an idf that the family does not have.
    """
    if family == "weighted":
        return choices
    Weighting.of(family, tf=choices.get("tf"), idf=choices.get("idf"))
    return choices | {"tf": "raw", "idf": "unary"}


def _require_layout(layout: str) -> Literal["compact"] | msgspec.UnsetType:
    """The value of ``Configuration.layout``. An index that is plain says nothing, so that any version reads it."""
    if layout not in get_args(Layout):
        raise ValueError(f"layout is one of {', '.join(get_args(Layout))}, not {layout!r}")
    return "compact" if layout == "compact" else msgspec.UNSET
