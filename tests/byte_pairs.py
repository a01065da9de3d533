"""A byte-level tokenizer small enough to be written here, in GPT-2's two files."""

import json
from pathlib import Path


def byte_alphabet() -> dict[int, str]:
    """The character that stands for each byte in a byte-level vocabulary: itself if it prints, or one from 256 on."""
    printing = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printing]
    return {**{byte: chr(byte) for byte in printing}, **{byte: chr(256 + i) for i, byte in enumerate(others)}}


def write_byte_pairs(folder: Path) -> dict[str, str]:
    """Write the files, with the 256 bytes and three merges. Returns the options of ``make_tokenizer``."""
    merges = [("i", "n"), ("t", "h"), ("th", "e")]
    tokens = [*byte_alphabet().values(), *("".join(pair) for pair in merges)]
    file, merges_file = folder / "encoder.json", folder / "vocab.bpe"
    file.write_text(json.dumps({token: number for number, token in enumerate(tokens)}), "utf-8")
    merges_file.write_text("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges), "utf-8")
    return {"file": str(file), "merges": str(merges_file)}
