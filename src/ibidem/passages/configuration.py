"""The configuration of an index: written into the index, and obeyed by everything added or searched later."""

from typing import Any

import msgspec

from ibidem.arguments import FamilyName, IDFName, TFName
from ibidem.passage_configuration import PassageConfiguration, choose_measure
from ibidem.passages.query.options import SearchOptions

TOKEN_BYTES = 32
"""Memory that a token of a segment takes while the segment is built: positions are sorted as a whole."""


class Configuration(PassageConfiguration, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices behind a passage index. Family, weights and lengths are those of a search that asks for no others."""

    @classmethod
    def of(
        cls,
        tokenizer: dict[str, Any],
        *,
        family: FamilyName | None = None,
        tf: TFName | None = None,
        idf: IDFName | None = None,
        min_length: int = 1,
        max_length: int = 1024,
    ) -> "Configuration":
        """The configuration of a build.

        Raises:
            ValueError: a choice that makes no sense, or one that the family does not have.
        """
        return cls(
            tokenizer=tokenizer,
            min_length=min_length,
            max_length=max_length,
            **choose_measure(family, tf, idf),
        )

    def with_options(self, options: SearchOptions) -> "Configuration":
        """The configuration of a search: this one with the measure and the lengths of ``options``.

        Raises:
            ValueError: the family has no such tf or idf, or the lengths make no sense.
        """
        choices = options.measure
        if options.word_weights is not None:
            choices["idf"] = "unary"
        return self.with_choices(**choices) if choices else self

    def with_choices(self, **choices: Any) -> "Configuration":
        """This configuration with another measure or other lengths: fields by name, ``None`` where none is chosen."""
        measure = {name: choices.get(name) for name in ("family", "tf", "idf")}
        if any(value is not None for value in measure.values()):
            choices |= choose_measure(**measure)
        return msgspec.structs.replace(self, **{name: value for name, value in choices.items() if value is not None})
