"""Files of this machine."""

from pathlib import Path

import pytest

from ibidem.web.problems import ProblemError
from ibidem.web.projects import importing
from ibidem.web.projects.importing import add_path
from ibidem.web.projects.projects import Project


def test_a_folder_comes_with_the_names_below_it(project: Project, tmp_path: Path) -> None:
    for name in ("essays/a.txt", "essays/sources/b.txt", "essays/.hidden", "essays/.git/config"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("words")
    (tmp_path / "secret").write_text("elsewhere")
    (tmp_path / "essays" / "link").symlink_to(tmp_path / "secret")
    add_path(project, str(tmp_path / "essays"), None)
    assert {item.name: item.role for item in project.items()} == {
        "essays/a.txt": "text",
        "essays/sources/b.txt": "source",
    }
    add_path(project, str(tmp_path / "secret"), "template")
    assert project.items()[-1].role == "template"


def test_what_is_not_there_or_too_much_is_said(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    for path in ("relative", str(tmp_path / "missing"), str(tmp_path / "empty")):
        with pytest.raises(ProblemError):
            add_path(project, path, None)
    (tmp_path / "a.txt").write_text("words")
    monkeypatch.setattr(importing, "MOST_BYTES", 3)
    with pytest.raises(ProblemError, match="3 bytes"):
        add_path(project, str(tmp_path / "a.txt"), None)
    assert project.items() == []
