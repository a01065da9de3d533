"""Byte-pair encoding: the tokens of a language model, by the Hugging Face ``tokenizers`` package."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import Any, Self

import numpy as np
import xxhash
from numpy.typing import NDArray

from ibidem.errors import ConfigurationError, MissingExtraError
from ibidem.ragged import bounds_of
from ibidem.text.batches import Texts, Tokens
from ibidem.text.json_values import replace_surrogates

_LARGEST_FILE = 1 << 28


class BytePairs:
    """Cuts texts into a language model's tokens; ids are the model's own, and no special token is added.

    Args:
        file: a Hugging Face ``tokenizer.json``; or with ``merges``, GPT-2's ``encoder.json``.
        merges: GPT-2's ``vocab.bpe``.
        digest: hash of the files' bytes, as a configuration has it; other files are then refused.

    A token that holds a part of a code point, as byte-level models have them, has the whole code point as its place. A
    lone surrogate reads as U+FFFD, since these models know valid text only.

    Raises:
        MissingExtraError: the ``tokenizers`` package is not installed.
        ConfigurationError: a file is missing, is not a tokenizer, or is not the one that ``digest`` was taken of.
    """

    def __init__(self, file: str | Path, *, merges: str | Path | None = None, digest: str | None = None) -> None:
        self.files = [Path(file).absolute()] if merges is None else [Path(file).absolute(), Path(merges).absolute()]
        self._take([_read(path) for path in self.files], str(self.files[0]))
        if digest not in (None, self.digest):
            raise ConfigurationError(
                f"{self.files[0]} is not the tokenizer that the work was begun with: restore the file, or begin again"
            )

    @classmethod
    def from_contents(cls, contents: Sequence[bytes], place: str) -> Self:
        """The tokenizer of files with these contents; ``place`` says in messages whose they are.

        Raises:
            MissingExtraError, ConfigurationError: see above.
        """
        tokenizer = object.__new__(cls)
        tokenizer.files = []
        tokenizer._take(contents, place)
        return tokenizer

    def _take(self, contents: Sequence[bytes], place: str) -> None:
        self.contents = tuple(contents)
        self.digest = xxhash.xxh3_128_hexdigest(b"".join(self.contents))
        self._named = place
        self.model = _load(self.contents, place)

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        strings = [replace_surrogates(text) for text in texts]
        batch = self.model.encode_batch if offsets else self.model.encode_batch_fast
        with _refuse_failure(f"{self._named}: the tokenizer fails on a text"):
            encodings = batch(strings, add_special_tokens=False)
        bounds = bounds_of([len(encoding) for encoding in encodings])
        ids = np.fromiter(chain.from_iterable(encoding.ids for encoding in encodings), np.uint32, bounds[-1])
        if not offsets:
            return Tokens(ids, bounds)
        pairs = [np.array(encoding.offsets, np.uint32).reshape(-1, 2) for encoding in encodings]
        return Tokens(ids, bounds, *_in_order(pairs))

    @property
    def config(self) -> dict[str, Any]:
        """The configuration from which ``make_tokenizer()`` rebuilds this tokenizer, while its files are there.

        An index keeps the files themselves, and names them by their contents: see ``kept_config``.
        """
        if not self.files:
            return self.kept_config
        names = dict(zip(("file", "merges"), map(str, self.files), strict=False))
        return {"name": "bpe", **names, "digest": self.digest, "shingle": 1}

    @property
    def kept_config(self) -> dict[str, Any]:
        """The configuration that names no place: the checksum of each file, by which an index keeps it."""
        return {"name": "bpe", "files": [xxhash.xxh3_128_hexdigest(content) for content in self.contents], "shingle": 1}


def _in_order(pairs: list[NDArray[np.uint32]]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Starts and ends [T] of the offsets [t, 2] of each text, with starts that fall, after a normaliser, held up."""
    starts = np.concatenate([np.maximum.accumulate(pair[:, 0]) for pair in pairs] or [np.zeros(0, np.uint32)])
    ends = np.concatenate([pair[:, 1] for pair in pairs] or [np.zeros(0, np.uint32)])
    return starts, np.maximum(starts, ends)


def _read(file: Path) -> bytes:
    """The bytes of a plain file; a file that never ends or takes all memory is refused before it is read."""
    try:
        status = file.stat()
        if not S_ISREG(status.st_mode) or status.st_size > _LARGEST_FILE:
            raise ConfigurationError(
                f"{file}: not the file of a tokenizer: no plain file of at most {_LARGEST_FILE:,} bytes"
            )
        return file.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{file}: the tokenizer cannot be read: {error.strerror}") from error


def _load(contents: Sequence[bytes], place: str) -> Any:
    try:
        import tokenizers
    except ImportError as error:
        raise MissingExtraError("the bpe tokenizer", "bpe") from error
    hint = "" if len(contents) == 2 else "; encoder.json needs merges=, its vocab.bpe"
    with _refuse_failure(f"{place}: not a tokenizer that can be read", hint):
        model = tokenizers.Tokenizer.from_buffer(contents[0]) if len(contents) == 1 else _gpt2(*contents)
    model.no_truncation()
    model.no_padding()
    return model


@contextmanager
def _refuse_failure(message: str, hint: str = "") -> Iterator[None]:
    """Make an error of the package one of ours. It raises no narrower class than Exception, and panics as none."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise ConfigurationError(f"{message} ({error}){hint}") from error
        raise


def _gpt2(encoder: bytes, merges: bytes) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    lines = str(merges, "utf-8").split("\n")
    pairs: Any = [tuple(line.split(" ")) for line in lines if line and not line.startswith("#version")]
    model = Tokenizer(models.BPE(json.loads(encoder), pairs))
    model.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    model.decoder = decoders.ByteLevel()
    return model
