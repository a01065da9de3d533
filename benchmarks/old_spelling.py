"""How many verses of the Bible of 1611 are similar to the same verse of today's edition, by normalization?

    python benchmarks/old_spelling.py [--quick] [--csv FILE]

Each verse of the King James Bible of 1611 is compared with the verse of today's King James Bible that has its number,
by exact Jaccard similarity of their words, counted as often as they occur. ``advised`` are the options that ``ibidem
advise`` says for both editions together. A verse that says something else in today's edition counts as well.

Without IBIDEM_DATA, a few verses are generated.
"""

import numpy as np
from collections_of_text import BIBLES, generated, rows_of
from report import Report, Row

from ibidem import Weighting, make_tokenizer
from ibidem.similarity import jaccard
from ibidem.text import Texts
from ibidem.text.advice import advise_texts

THRESHOLDS = (0.5, 0.6, 0.7, 0.8)


def verses(quick: bool) -> tuple[list[str], list[str]]:
    """The verses of 1611, and those of today."""
    if quick:
        today = [text for _, text in generated(40, 20)]
        return [text.replace("u", "v") for text in today], today
    rows = list(rows_of(BIBLES))
    old, new = (
        {(row["book"], row["chapter"], row["verse"]): row["text"] for row in rows if row["version"] == version}
        for version in ("kjv1611", "kjv")
    )
    numbers = sorted(old.keys() & new.keys())
    return [old[number] for number in numbers], [new[number] for number in numbers]


def similarities(old: list[str], new: list[str], normalize: str) -> np.ndarray:
    """The similarity of each verse to the same verse of the other edition."""
    tokens = make_tokenizer("words", normalize=normalize).encode(Texts.from_strings([*old, *new]))
    parts = np.split(tokens.ids, tokens.bounds[1:-1])
    counted = Weighting.of("multiset")
    return np.array([jaccard(a, b, counted) for a, b in zip(parts[: len(old)], parts[len(old) :], strict=True)])


def measure(old: list[str], new: list[str], name: str, normalize: str) -> Row:
    found = similarities(old, new, normalize)
    shares = {f"at {least}": f"{(found >= least).mean():.3f}" for least in THRESHOLDS}
    return {"setting": name, "normalize": normalize, "verses": len(found), "mean": f"{found.mean():.3f}"} | shares


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    old, new = verses(options.quick)
    advised = advise_texts(text for pair in zip(old, new, strict=True) for text in pair).options
    settings = {"words": "", "advised": " ".join(advised).removeprefix("--normalize "), "latin,noisy": "latin,noisy"}
    report.finish([measure(old, new, name, normalize) for name, normalize in settings.items()])


if __name__ == "__main__":
    main()
