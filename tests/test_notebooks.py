"""The notebooks of the documentation run, and show what they say."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "docs" / "notebooks").glob("*.ipynb"))


def run(notebook: Path, folder: Path) -> Any:
    """The notebook after all of its cells were run, in a process of its own."""
    read = nbformat.read(notebook, as_version=4)
    return NotebookClient(read, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()


def shown(notebook: Any, kind: str) -> list[str]:
    """What the cells show, in one of the forms that they offer."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output.data[kind] for output in outputs if kind in output.get("data", {})]


def test_a_folder_of_texts_becomes_a_cluster_and_its_picture(tmp_path: Path) -> None:
    done = run(NOTEBOOKS[0], tmp_path)
    assert len(shown(done, "image/png")) == 2
    clusters, table, pairs = shown(done, "text/html")
    assert "3 passages of 3 documents" in clusters
    assert "passing day" in clusters
    assert table.count("<tr") == 4
    assert "1 pair of passages" in pairs
    assert shown(done, "text/plain")[-1] == "3"
    assert (tmp_path / "works.html").is_file()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_what_it_shows(notebook: Path) -> None:
    cells = nbformat.read(notebook, as_version=4).cells
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)
