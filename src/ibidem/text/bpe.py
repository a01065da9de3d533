"""Byte-pair encoding: the tokens of a language model, by the Hugging Face ``tokenizers`` package."""

import json
import re
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ibidem.errors import ConfigurationError, MissingExtraError
from ibidem.ragged import bounds_of
from ibidem.text.batches import Texts, Tokens

__all__ = ["BytePairs"]

_LARGEST_FILE = 1 << 28

_SURROGATES = re.compile("[\ud800-\udfff]")


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
        self.digest = _digest(self.files)
        if digest not in (None, self.digest):
            raise ConfigurationError(
                f"{self.files[0]} is not the tokenizer that the index was made with: restore the file, or build again"
            )
        self.model = _load(self.files)

    def encode(self, texts: Texts, *, offsets: bool = False) -> Tokens:
        """Tokens of ``texts``."""
        strings = [_SURROGATES.sub("�", text) for text in texts]
        batch = self.model.encode_batch if offsets else self.model.encode_batch_fast
        encodings = batch(strings, add_special_tokens=False)
        bounds = bounds_of([len(encoding) for encoding in encodings])
        ids = np.fromiter(chain.from_iterable(encoding.ids for encoding in encodings), np.uint32, bounds[-1])
        if not offsets:
            return Tokens(ids, bounds)
        pairs = [np.array(encoding.offsets, np.uint32).reshape(-1, 2) for encoding in encodings]
        return Tokens(ids, bounds, *_in_order(pairs))

    @property
    def config(self) -> dict[str, Any]:
        """What ``make_tokenizer()`` rebuilds this tokenizer from, while the files stand where they are."""
        names = dict(zip(("file", "merges"), map(str, self.files), strict=False))
        return {"name": "bpe", **names, "digest": self.digest, "shingle": 1}


def _in_order(pairs: list[NDArray[np.uint32]]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Starts and ends [T] of the offsets [t, 2] of each text, with starts that fall, after a normaliser, held up."""
    starts = np.concatenate([np.maximum.accumulate(pair[:, 0]) for pair in pairs] or [np.zeros(0, np.uint32)])
    ends = np.concatenate([pair[:, 1] for pair in pairs] or [np.zeros(0, np.uint32)])
    return starts, np.maximum(starts, ends)


def _require_plain_file(file: Path) -> None:
    """Refuse what never ends or takes all memory: a configuration of somebody else's index may name any file."""
    status = file.stat()
    if not S_ISREG(status.st_mode) or status.st_size > _LARGEST_FILE:
        raise ConfigurationError(
            f"{file}: not the file of a tokenizer: no plain file of at most {_LARGEST_FILE:,} bytes"
        )


def _digest(files: list[Path]) -> str:
    hasher = xxhash.xxh3_128()
    for file in files:
        try:
            _require_plain_file(file)
            hasher.update(file.read_bytes())
        except OSError as error:
            raise ConfigurationError(f"{file}: the tokenizer cannot be read: {error.strerror}") from error
    return hasher.hexdigest()


def _load(files: list[Path]) -> Any:
    try:
        import tokenizers
    except ImportError as error:
        raise MissingExtraError("the bpe tokenizer", "bpe") from error
    try:
        model = tokenizers.Tokenizer.from_file(str(files[0])) if len(files) == 1 else _gpt2(*files)
    except Exception as error:  # the package raises no narrower class
        hint = "" if len(files) == 2 else "; encoder.json needs merges=, its vocab.bpe"
        raise ConfigurationError(f"{files[0]}: not a tokenizer that can be read ({error}){hint}") from error
    model.no_truncation()
    model.no_padding()
    return model


def _gpt2(encoder: Path, merges: Path) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    lines = merges.read_text("utf-8").split("\n")
    pairs: Any = [tuple(line.split(" ")) for line in lines if line and not line.startswith("#version")]
    model = Tokenizer(models.BPE(json.loads(encoder.read_text("utf-8")), pairs))
    model.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    model.decoder = decoders.ByteLevel()
    return model
