"""What is read of the files of a project, and what is said of those that are not."""

import json

from ibidem.web.projects.projects import Project, Reading
from ibidem.web.projects.reading import read_documents

from .conftest import bring, read_all
from .samples import FILES, UNREADABLE, pack


def readings(project: Project) -> dict[str, Reading | None]:
    return {item.name: project.reading(item) for item in project.items()}


def test_each_file_of_a_zip_is_read_by_itself(project: Project) -> None:
    bring(project, {"class.zip": pack(FILES | UNREADABLE)})
    found = readings(project)
    assert {name for name, each in found.items() if each and each.state == "read"} == set(FILES)
    problems = {name: each.problem for name, each in found.items() if each and each.state == "left out"}
    assert set(problems) == set(UNREADABLE)
    assert problems["class/scan.png"] == "a picture, not text"
    assert problems["class/empty.txt"] == "the file is empty"
    assert "damaged" in problems["class/broken.docx"]
    assert str(project.folder) not in json.dumps(problems)
    roles = {item.name: item.role for item in project.items()}
    assert roles["class/template.txt"] == "template"
    assert roles["class/sources/book1.txt"] == "source"


def test_rows_of_a_table_are_documents_and_a_table_without_texts_describes_others(project: Project) -> None:
    bring(project, {"t.csv": b"id,text\n1,the first words\n2,the second words\n", "m.csv": b"file;year\na.txt;1903\n"})
    by_name = {item.name: item for item in project.items()}
    assert [each.id for each in read_documents(project, by_name["t.csv"])] == ["t.csv/1", "t.csv/2"]
    assert project.reading(by_name["m.csv"]) == Reading("metadata", columns=["file", "year"])


def test_an_encoding_is_found_out_or_named(project: Project) -> None:
    text = "Müller über die Straße. Größe und Maß sind schön, sagte er; dann führte er uns über die Brücke. " * 5
    bring(project, {"m.txt": text.encode("cp1252")})
    [item] = project.items()
    read = project.reading(item)
    assert read is not None
    assert read.encoding == "cp1252"
    assert next(read_documents(project, item)).text == text
    from msgspec.structs import replace

    project.put(replace(item, encoding="cp850"))
    read_all(project)
    [item] = project.items()
    assert next(read_documents(project, item)).text == text.encode("cp1252").decode("cp850")
