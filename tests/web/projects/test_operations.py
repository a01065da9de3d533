"""The operations of the app: each is declared once, and answers of theirs can be searched like any index."""

import inspect

import httpx
import msgspec
import pytest

from ibidem.web.limits import Limits
from ibidem.web.openapi import describe_api
from ibidem.web.operations import File, Operation
from ibidem.web.projects.operations import OPERATIONS, FileRequest, Workshop, remove_file
from ibidem.web.projects.processes import ProjectProcesses
from ibidem.web.projects.projects import Project, Projects
from ibidem.web.projects.runs import Run, runs_of

from .conftest import answer_here, bring
from .samples import COPIED, FILES


@pytest.mark.parametrize("operation", OPERATIONS, ids=[each.name for each in OPERATIONS])
def test_each_declares_what_it_takes_and_gives(operation: Operation) -> None:
    assert list(inspect.signature(operation.run).parameters)[:2] == ["workshop", "request"]
    assert issubclass(operation.takes, msgspec.Struct)
    assert operation.gives is File or operation.gives is not None


def test_openapi_describes_them_all() -> None:
    page = describe_api(OPERATIONS)
    described = {each["operationId"] for path in page["paths"].values() for each in path.values()}
    assert described == {each.name for each in OPERATIONS} | {"health"}
    asked = page["paths"]["/v1/projects/{project}/runs"]["post"]
    assert [each["name"] for each in asked["parameters"]] == ["project"]
    schema = asked["requestBody"]["content"]["application/json"]["schema"]
    assert set(schema["properties"]) == {"kind", "settings", "items"}


def test_an_answer_is_searched_like_an_index(answers: str, school: Project, answered: Run) -> None:
    root = answers.partition("/#")[0]
    with httpx.Client(base_url=root, timeout=120, follow_redirects=True) as client:
        from .conftest import SECRET

        client.get("/", params={"key": SECRET})
        path = f"/v1/projects/{school.id}/runs/{answered.id}"
        found = client.post(f"{path}/search", json={"text": COPIED[:200]}).json()
        assert {match["document"] for match in found["matches"]} == {"class/essay5.txt", "class/sources/book1.txt"}
        aligned = client.post(f"{path}/align", json={"text": f"And then: {COPIED[:200]}"}).json()
        assert aligned["matches"]
        sides = {"a": {"text": COPIED}, "b": {"document": "class/essay5.txt"}}
        assert client.post(f"{path}/compare", json=sides).json()["runs"]


def test_an_answer_that_a_removed_file_was_part_of_is_asked_again_without_it(
    project: Project, projects: Projects, workers: ProjectProcesses
) -> None:
    bring(project, {name: FILES[name] for name in ("class/essay3.txt", "class/essay9.txt", "class/essay5.txt")})
    earlier = answer_here(project, "reuse")
    workshop = Workshop(projects, workers, Limits(), lambda: None)
    [item] = [item for item in project.items() if item.name == "class/essay9.txt"]
    left = remove_file(workshop, FileRequest(project=project.id, file=item.id))
    assert {file.name for file in left.files} == {"class/essay3.txt", "class/essay5.txt"}
    [run] = runs_of(project)
    assert run.id != earlier.id
    assert {name for name, _, _ in run.ask.items} == {"class/essay3.txt", "class/essay5.txt"}
    workers.cancel(run)
