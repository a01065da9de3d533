"""The store of an index, of any kind: what was read from it is checked, and documents in it are placed and removed."""

from collections.abc import Container, Iterable
from typing import Any, TypeVar

import msgspec
import numpy as np

from ibidem.errors import ConfigurationError, CorpusError, DamagedError
from ibidem.store.segments.segment import Segment
from ibidem.store.store import Store
from ibidem.text import Tokenizer, TokenizerSpec, keep_tokenizer, make_tokenizer, restore_tokenizer

_Configuration = TypeVar("_Configuration", bound=msgspec.Struct)


class BuildReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report of what a write added to an index.

    Attributes:
        documents, tokens, postings: how many were written.
        short: ids of the documents that have fewer tokens than the shortest passage, in order: they are stored, but no
            search finds them. In an index of documents, than a shingle: each is one shingle.
        empty: ids of those of them without a token; in an index of documents, only a query of the same text finds them.
        recovered: what an interrupted writer had left behind, and this one cleared away.
        seconds: time taken.
    """

    documents: int
    tokens: int
    postings: int
    short: list[str]
    empty: list[str]
    recovered: list[str]
    seconds: float


def place_documents(segments: Iterable[Segment], ids: Container[str] | None = None) -> dict[str, tuple[Segment, int]]:
    """The segment and the row of each document that is not removed, by id; with ``ids``, of these alone."""
    return {
        document_id: (segment, row)
        for segment in segments
        for row, (document_id, alive) in enumerate(zip(segment.document_ids(), segment.alive, strict=True))
        if alive and (ids is None or document_id in ids)
    }


def remove_documents(store: Store, ids: Iterable[str]) -> list[str]:
    """Remove documents by id, as ``CollectionIndex.remove`` says; gives the ids, each once."""
    if isinstance(ids, str):
        raise TypeError(f"ids are given as a list or another iterable, not as one string: [{ids!r}]")
    id_set = dict.fromkeys(ids)
    with store.writer() as writer:
        places = place_documents(store.segments, id_set)
        missing = [document_id for document_id in id_set if document_id not in places]
        if missing:
            raise CorpusError(f"no document has the id {', '.join(map(repr, missing[:10]))}; nothing was removed")
        rows: dict[str, list[int]] = {}
        for document_id in id_set:
            segment, row = places[document_id]
            rows.setdefault(segment.name, []).append(row)
        writer.remove({name: np.array(segment_rows, np.int64) for name, segment_rows in rows.items()})
        writer.commit()
    return list(id_set)


def read_configuration(configuration_type: type[_Configuration], store: Store) -> _Configuration:
    """The configuration that an index of one kind holds.

    Raises:
        ConfigurationError: it is that of another kind of index, or of another version of ibidem.
    """
    config = store.config
    defaults = {field.name: field.default for field in msgspec.structs.fields(configuration_type)}
    kind_of_type, kind = (values.get("kind", "passages") for values in (defaults, config))
    if kind != kind_of_type:
        raise ConfigurationError(
            f"{store.given}: an index of {kind}, not of {kind_of_type}: open it as one, or build one of {kind_of_type}"
        )
    try:
        return msgspec.convert(config, configuration_type)
    except (msgspec.ValidationError, ValueError) as error:
        raise ConfigurationError(
            f"{store.given}: the index was built by another version of ibidem, whose configuration this one does not "
            f"read: build it again ({error})"
        ) from error


def open_tokenizer(store: Store, config: dict[str, Any], spec: TokenizerSpec | None) -> Tokenizer:
    """The tokenizer of an index, whose configuration is ``config``: restored, or made of ``spec`` if that is given.

    Raises:
        ConfigurationError: it cannot be restored, or ``spec`` is not what the index was made with.
    """
    if spec is None:
        return restore_tokenizer(config, store.attachment, str(store.given))
    tokenizer = make_tokenizer(spec)
    given_config, _ = keep_tokenizer(tokenizer)
    if given_config != config:
        raise ConfigurationError(f"{store.given}: made with the tokenizer {config}, opened with {given_config}")
    return tokenizer


def require_functions(store: Store, functions: int) -> None:
    """Refuse an index whose segments have the postings of another number of functions than it was made with.

    Raises:
        DamagedError: names the segment; its configuration and its postings cannot both be right.
    """
    for segment in store.segments:
        if segment.num_functions != functions:
            raise DamagedError(
                f"{store.given}: the index has {functions} functions, and its segment {segment.name} has "
                f"{segment.num_functions}: a file was altered"
            )


def require_offsets(store: Store) -> None:
    """Refuse an index of passages whose segments lack the places of their tokens.

    Raises:
        DamagedError: names the segment; every build writes it.
    """
    for segment in store.segments:
        if not segment.has_offsets:
            raise DamagedError(
                f"{store.given}: segment {segment.name} does not say where its tokens are: a file was altered"
            )


def require_new(ids: list[str], known_ids: set[str]) -> None:
    """Add ``ids`` to ``known_ids``.

    Raises:
        CorpusError: one of them is known already, or occurs twice among them.
    """
    for document_id in ids:
        if document_id in known_ids:
            raise CorpusError(
                f"document id {document_id!r} occurs twice: ids name documents, so give each its own, "
                "or remove the old document first"
            )
        known_ids.add(document_id)
