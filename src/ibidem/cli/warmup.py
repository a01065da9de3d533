"""Compile everything ahead of its first use.

The inner loops are compiled for this processor when they are first used, and kept in a cache afterwards. This command
makes a few tiny indexes in a temporary folder, searches them, aligns two texts and deduplicates a few more, so that no
later command waits.

Example:

    ibidem warmup
"""

import time
from typing import Any

from ibidem.cli.command import command
from ibidem.cli.terminal import tell

CHOICES: tuple[dict[str, Any], ...] = (
    {"scheme": "exact"},
    {"scheme": "k-mins"},
    {"scheme": "k-mins", "family": "set", "tokenizer": "characters:3"},
    {"scheme": "k-mins", "family": "weighted", "tokenizer": "words:2", "idf": "smooth"},
    {"scheme": "one permutation"},
)
"""Configurations that use every kernel between them."""


PASSAGE = " ".join(f"word{n % 37} and{n % 11}" for n in range(60))


@command(__doc__)
def warmup() -> None:
    """Compile every kernel."""
    from ibidem import align, deduplicate

    started = time.perf_counter()
    for choice in CHOICES:
        compile_for(choice)
    align(PASSAGE, f"before it {PASSAGE} after it")
    deduplicate([f"{PASSAGE} {number}" for number in range(100)])
    tell(f"everything is compiled, after {time.perf_counter() - started:.1f} s")


def compile_for(choice: dict[str, Any]) -> None:
    """Build an index of this configuration, search it and extend it."""
    import tempfile
    from pathlib import Path

    from ibidem import PassageIndex

    documents = [("a", PASSAGE), ("b", f"before it {PASSAGE} after it"), ("c", "zwölf Boxkämpfer, 十二")]
    with (
        tempfile.TemporaryDirectory(prefix="ibidem-") as folder,
        PassageIndex.build(Path(folder, "index"), documents, min_length=8, max_length=100, **choice) as index,
    ):
        index.search(PASSAGE)
        if not index.configuration.is_exact:
            index.search(PASSAGE, report="all", verify=False)
            index.search(PASSAGE, report="longest", verify=False)
        index.search(" ".join([PASSAGE] * 2), report="longest")
        index.add([("d", PASSAGE)])
        index.remove(["a"])
        index.merge()
