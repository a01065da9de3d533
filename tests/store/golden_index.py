"""The golden index of the present format version: a fixed content, written once and kept.

``python -m store.golden_index FOLDER``, from the folder of the tests, writes it. A golden index is never written again:
what is written in another way has another format version and a golden index of its own.
"""

import sys
from pathlib import Path

import pytest

import ibidem
from ibidem.store import Store
from ibidem.store.format import FORMAT_VERSION, LOCK

from . import samples

FOLDER = Path(__file__).parent / "golden" / f"v{FORMAT_VERSION}"


def write(path: Path) -> None:
    """Three commits: documents; more of them, a removal, frequencies and a file that is kept; a merge of a part."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ibidem, "__version__", "0.1.0")
        store = Store.create(path, samples.CONFIG)
        samples.add(store)
        with store.writer() as writer:
            samples.fill(writer.new_segment(), first=5, count=40)
            samples.put_some_frequencies(writer)
            writer.attach(samples.ATTACHED)
            writer.remove({"000001": [0, 2]})
            writer.commit()
        with store.writer() as writer:
            samples.fill(writer.new_segment(), first=300, count=3, functions=4)
            writer.drop("000001")
            writer.remove({"000002": [7, 39]})
            writer.commit()
    (path / LOCK).unlink()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
