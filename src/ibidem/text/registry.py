"""The tokenizers by name. Other packages add theirs by entry points of the group ``ibidem.tokenizers``."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from ibidem.errors import ConfigurationError
from ibidem.plugins import find_plugins, load_plugin
from ibidem.text.batches import Tokenizer

if TYPE_CHECKING:
    from ibidem.text.normalization import Normalization

Token = str | int | tuple[str | int, int, int]
"""A token as a function gives it: a word or an id, or one of these with the start and end of its place."""

TokenizerSpec = str | Mapping[str, Any] | Tokenizer | Callable[[str], Iterable[Token]]
"""The argument of ``make_tokenizer``: a name, a configuration, a tokenizer or a function."""

Normalize = str | Iterable[str]
"""Names of normalizations: in a string, between commas, or one by one."""

_GROUP = "ibidem.tokenizers"


def _make_words(
    *, version: int | None = None, normalization: dict[str, Any] | None = None, stems: dict[str, str] | None = None
) -> Tokenizer:
    from ibidem.text.words_and_characters import Words

    _require_version("words", version)
    if stems is None:
        return Words(_restore_normalization(normalization))
    from ibidem.text.stems import Stems

    return Stems(stems["language"], _restore_normalization(normalization), stems.get("snowball"))


def _make_characters(*, version: int | None = None, normalization: dict[str, Any] | None = None) -> Tokenizer:
    from ibidem.text.words_and_characters import Characters

    _require_version("characters", version)
    return Characters(_restore_normalization(normalization))


def _restore_normalization(config: dict[str, Any] | None) -> "Normalization | None":
    from ibidem.text.normalization import Normalization

    return None if config is None else Normalization.restore(config)


def _make_bpe(*, file: str, merges: str | None = None, digest: str | None = None) -> Tokenizer:
    from ibidem.text.bpe import BytePairs

    return BytePairs(file, merges=merges, digest=digest)


def keep_tokenizer(tokenizer: Tokenizer) -> tuple[dict[str, Any], tuple[bytes, ...]]:
    """The parts of a tokenizer that an index keeps: a configuration without paths, and the contents of its files."""
    inner, shingles = _split_shingles(tokenizer)
    contents: tuple[bytes, ...] = getattr(inner, "contents", ())
    config: dict[str, Any] = getattr(inner, "kept_config", inner.config)
    return config | shingles, contents


def restore_tokenizer(config: Mapping[str, Any], read: Callable[[str], bytes], place: str) -> Tokenizer:
    """The tokenizer that an index keeps; ``read`` gives the file of a checksum, ``place`` is the index in messages.

    Raises:
        ConfigurationError: the configuration names a file outside of the index, or cannot be rebuilt here.
        MissingExtraError: it needs a package that is not installed.
    """
    if config.get("name") != "bpe":
        try:
            return make_tokenizer(config)
        except (TypeError, ValueError) as error:
            raise ConfigurationError(f"{place}: its tokenizer cannot be made here: {error}") from error
    from ibidem.text.bpe import BytePairs

    checksums = config.get("files")
    is_valid = (
        config.keys() <= {"name", "files", "shingle", "every"}
        and isinstance(checksums, list)
        and len(checksums) in (1, 2)
    )
    if not is_valid or not all(isinstance(checksum, str) for checksum in checksums or ()):
        raise ConfigurationError(
            f"{place}: its configuration does not say which of its files the tokenizer is: a tokenizer of an index is "
            "kept in the index, and no file outside of it is read"
        )
    inner = BytePairs.from_contents([read(checksum) for checksum in checksums or ()], place)
    try:
        return _add_shingles(inner, config.get("shingle", 1), config.get("every", 1))
    except ValueError as error:
        raise ConfigurationError(f"{place}: {error}") from error


def _split_shingles(tokenizer: Tokenizer) -> tuple[Tokenizer, dict[str, int]]:
    """The tokenizer inside of one that makes shingles, and what its configuration says of these."""
    config = tokenizer.config
    if config.get("shingle", 1) == 1:
        return tokenizer, {}
    from ibidem.text.shingles import Shingles

    if not isinstance(tokenizer, Shingles):
        return tokenizer, {}
    return tokenizer.inner, {name: config[name] for name in ("shingle", "every") if name in config}


_Factory = Callable[..., Tokenizer]

_FACTORIES: dict[str, _Factory] = {
    "bpe": _make_bpe,
    "characters": _make_characters,
    "words": _make_words,
}


def _require_version(name: str, version: int | None) -> None:
    from ibidem.text.words_and_characters import VERSION

    if version not in (None, VERSION):
        raise ConfigurationError(
            f"this index was made with version {version} of the {name} tokenizer, and this ibidem knows version "
            f"{VERSION}: use the ibidem that made it, or build the index again"
        )


def make_tokenizer(
    spec: TokenizerSpec = "words",
    *,
    normalize: Normalize = (),
    **options: str | int | None,
) -> Tokenizer:
    """Make a tokenizer.

    Args:
        spec: ``"words"``, or ``"words:3"`` for shingles of three words each; ``"characters"``, ``"characters:5"``, or
            ``"characters:4/3"`` for about one in three of the shingles of four characters;
            ``"bpe"`` with ``file=`` a Hugging Face ``tokenizer.json``, or GPT-2's ``encoder.json`` with ``merges=`` its
            ``vocab.bpe``; a tokenizer's ``config``; a tokenizer; or a function that takes a text and returns its
            tokens, each a ``str``, an ``int`` below 2^32, or a tuple of one of these with the start and end of its
            place in the text. Other packages add names by entry points of the group ``ibidem.tokenizers``: a callable
            that takes ``options`` and returns a tokenizer.
        normalize: names of normalizations, such as ``"latin,hyphens"``: which spellings of a word or character count as
            the same; see the guide. For ``"words"`` and ``"characters"`` only.

    Raises:
        ValueError: no tokenizer has this name or this option, no normalization has this name or the tokenizer takes
            none, or a shingle is shorter than 1.
        ConfigurationError: a ``config`` that cannot be rebuilt here.
        MissingExtraError: ``"bpe"`` without the package it needs.

    >>> make_tokenizer("words:3").config
    {'name': 'words', 'version': 2, 'shingle': 3}
    """
    names = _parse_normalization(normalize)
    if names:
        return _normalize(make_tokenizer(spec, normalize=(), **options), names)
    if isinstance(spec, str):
        short = re.fullmatch(r"([^:]*):(\d+)(?:/(\d+))?", spec, re.ASCII)
        if short is None:
            return _make(spec, options)
        return _add_shingles(_make(short[1], options), int(short[2]), int(short[3] or 1))
    if isinstance(spec, Mapping):
        return _rebuild(spec, options)
    if options:
        raise ValueError(f"{', '.join(sorted(options))}: only a tokenizer that is made by name takes options")
    if isinstance(spec, Tokenizer):
        return spec
    if callable(spec):
        from ibidem.text.callables import FunctionTokenizer

        return FunctionTokenizer(spec)
    raise TypeError(f"a tokenizer is a name, a configuration, a tokenizer or a function, not {type(spec).__name__}")


def _parse_normalization(normalize: Normalize) -> tuple[str, ...]:
    if not normalize:
        return ()
    from ibidem.text.normalization import parse_names

    return parse_names(normalize)


def _normalize(tokenizer: Tokenizer, names: tuple[str, ...]) -> Tokenizer:
    """The same tokenizer with a normalization.

    Raises:
        ValueError: it takes none, or has another.
    """
    from ibidem.text.normalization import Normalization
    from ibidem.text.normalization.chain import STEMS

    tokenizer_config, stems = tokenizer.config, [name.removeprefix(STEMS) for name in names if name.startswith(STEMS)]
    tables = tuple(name for name in names if not name.startswith(STEMS))
    if stems and tokenizer_config.get("name") != "words":
        raise ValueError(f"words have stems, not the tokens of {tokenizer_config.get('name')!r}")
    if stems:
        if tokenizer_config.get("stems", {}).get("language", stems[0]) != stems[0]:
            raise ValueError(f"the tokenizer has the stems of {tokenizer_config['stems']['language']} already")
        tokenizer_config = {**tokenizer_config, "stems": {"language": stems[0]} | tokenizer_config.get("stems", {})}
        if not tables:
            return make_tokenizer(tokenizer_config)
    config = Normalization(tables).config
    if tokenizer_config.get("name") not in ("words", "characters"):
        raise ValueError(f"the tokenizers words and characters can be normalized, not {tokenizer_config.get('name')!r}")
    if tokenizer_config.get("normalization", config) != config:
        raise ValueError(
            f"the tokenizer is normalized already: {', '.join(tokenizer_config['normalization']['names'])}"
        )
    return make_tokenizer({**tokenizer_config, "normalization": config})


def _make(name: str, options: Mapping[str, Any]) -> Tokenizer:
    factory = _FACTORIES.get(name) or _load_factory(name)
    try:
        tokenizer = factory(**options)
    except TypeError as error:
        # Python says what an argument lacks behind the name of the function, which is not what the caller called.
        cause = str(error).removeprefix(f"{getattr(factory, '__qualname__', '')}() ")
        hint = f"; for shingles of 3 tokens, its name is {name + ':3'!r}" if "shingle" in options else ""
        raise ValueError(f"the tokenizer {name!r} cannot be made: it {cause}{hint}") from error
    if name not in _FACTORIES and not isinstance(tokenizer, Tokenizer):
        raise ConfigurationError(f"the tokenizer {name!r} is a {type(tokenizer).__name__} without encode and config")
    return tokenizer


def _load_factory(name: str) -> _Factory:
    """The factory that another package has under this name. Only a name that is not ours asks the installed packages.

    Raises:
        ValueError: there is none.
        ConfigurationError: it cannot be imported.
    """
    plugins = find_plugins(_GROUP)
    if name not in plugins:
        raise ValueError(f"no tokenizer is called {name!r}; there are {', '.join(sorted({*_FACTORIES, *plugins}))}")
    return cast(_Factory, load_plugin(plugins[name], "tokenizer"))


def _rebuild(config: Mapping[str, Any], options: Mapping[str, Any]) -> Tokenizer:
    settings = {**config, **options}
    name = settings.pop("name", None)
    if name == "callable":
        raise ConfigurationError(
            f"the tokenizer is the function {settings.get('function')}, which cannot be rebuilt from a configuration: "
            "give the function itself as the tokenizer"
        )
    if "files" in settings:
        raise ConfigurationError(
            "the files of this tokenizer are kept in an index: use the tokenizer of the opened index, or name the files"
        )
    width, every = settings.pop("shingle", 1), settings.pop("every", 1)
    return _add_shingles(_make(str(name), settings), width, every)


def _add_shingles(inner: Tokenizer, width: int, every: int) -> Tokenizer:
    if type(width) is int and width == 1 and every == 1:
        return inner
    from ibidem.text.shingles import Shingles

    return Shingles(inner, width, every)
