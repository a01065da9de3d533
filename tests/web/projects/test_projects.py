"""Projects on the disk: names, roles, files that come and go, and marks."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.web.problems import ProblemError
from ibidem.web.projects import projects
from ibidem.web.projects.projects import Incoming, Project, Projects, clean_name
from ibidem.web.report.marks import Mark


@given(st.text())
def test_a_name_is_printable_and_leads_nowhere_else(name: str) -> None:
    cleaned = clean_name(name)
    assert cleaned.isprintable()
    assert not {"..", "."} & set(cleaned.split("/"))
    assert not cleaned.startswith("/")


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "..\\..\\x", "a\0b", "", "🙂" * 400, "..", "x" * 5000]
)
def test_no_name_puts_bytes_outside_of_the_project(project: Project, name: str) -> None:
    item = project.add(name, [b"words"])
    inside = {path.name for path in (project.folder / "contents").iterdir()}
    assert inside == {item.content}
    assert [each.name for each in project.folder.parent.iterdir()] == [project.id]


def test_a_folder_or_a_name_tells_the_role(project: Project) -> None:
    names = {
        "a.txt": "text",
        "Quellen/b.txt": "source",
        "x/templates/c.txt": "template",
        "template 9b.docx": "template",
    }
    assert {name: project.add(name, [b"words"]).role for name in names} == names


def test_another_file_of_a_name_gets_a_number_and_the_same_file_is_there_once(project: Project) -> None:
    added = [project.add("a.txt", [data]).name for data in (b"one", b"two", b"one")]
    assert added == ["a.txt", "a (2).txt", "a.txt"]
    assert len(project.items()) == 2


def test_bytes_stay_as_long_as_a_file_has_them(project: Project) -> None:
    first, second = (project.add(name, [b"words"]) for name in ("a.txt", "b.txt"))
    assert first.content == second.content
    project.remove(first)
    assert project.content_path(second.content).read_bytes() == b"words"
    project.remove(second)
    assert list((project.folder / "contents").iterdir()) == []


def test_a_file_that_is_too_large_leaves_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projects, "MOST_BYTES", 10)
    with pytest.raises(ProblemError, match="at most"):
        project.add("a.txt", [b"eight by", b"tes more"])
    assert project.items() == []
    assert list((project.folder / "contents").iterdir()) == []


def test_more_files_than_a_project_has_are_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projects, "MOST_FILES", 2)
    for name in "ab":
        project.add(name, [b"words"])
    with pytest.raises(ProblemError, match="2 files"):
        project.add("c", [b"words"])


def test_what_did_not_come_to_its_end_is_no_file(project: Project) -> None:
    incoming = Incoming(project)
    incoming.write(b"half of")
    assert project.items() == []  # as after a kill here
    incoming.close()
    assert list((project.folder / "contents").iterdir()) == []


def test_a_project_that_was_not_made_to_the_end_is_none(projects: Projects) -> None:
    made = projects.create("whole")
    (made.folder.parent / "0123456789ab").mkdir()  # as after a kill before its name was written
    assert [each.id for each in projects.list()] == [made.id]
    with pytest.raises(ProblemError, match="no such project"):
        projects.open("0123456789ab")


@pytest.mark.parametrize("id", ["..", "../x", "", "zzzzzzzzzzzz", "0123456789ab/.."])
def test_an_id_that_is_none_opens_nothing(projects: Projects, id: str) -> None:
    with pytest.raises(ProblemError):
        projects.open(id)
    with pytest.raises(ProblemError):
        projects.create("one").item(id)


def test_a_removed_project_is_gone_and_what_a_kill_left_of_it_too(projects: Projects) -> None:
    made = projects.create("one")
    made.add("a.txt", [b"words"])
    made.folder.rename(made.folder.with_name(f".removed-{made.id}"))  # as after a kill between the two steps
    assert Projects(made.folder.parent).list() == []
    assert list(made.folder.parent.iterdir()) == []


def test_a_mark_is_of_two_documents_in_any_order_and_can_be_taken_back(project: Project) -> None:
    project.put_mark(Mark("b", "a", "quotation", "see page 3"))
    project.put_mark(Mark("a", "b", "nothing to discuss"))
    assert project.marks() == [Mark("a", "b", "nothing to discuss")]
    project.put_mark(Mark("a", "b"))
    assert project.marks() == []


def test_marks_that_come_at_once_are_all_kept(project: Project) -> None:
    marks = [Mark("a.txt", f"b{number:02}.txt", "looked at") for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(project.put_mark, marks))
    assert sorted(project.marks(), key=lambda mark: mark.b) == marks


def test_what_a_killed_server_had_begun_to_write_is_removed(project: Project) -> None:
    kept = project.add("a.txt", [b"words"])
    for place, name in ((".", ".0123456789ab"), ("contents", ".0123456789abcdef"), ("items", ".0123456789ab")):
        (project.folder / place / name).write_bytes(b"half")
    project.remove_partial()
    assert not list(project.folder.rglob(".0123456789ab*"))
    assert project.items() == [kept]
