"""Runs and their states."""

import time

from ibidem.web.projects.projects import Project, write_json
from ibidem.web.projects.questions import AskedQuestion, complete_settings
from ibidem.web.projects.runs import Ask, Run

from .conftest import MEMORY, SECONDS


def test_a_run_is_what_its_folder_says(project: Project) -> None:
    run = Run(project.runs / "0123456789ab")
    run.folder.mkdir()
    question = AskedQuestion("reuse", complete_settings("reuse", {}))
    write_json(run.folder / "ask.json", Ask(question, [], time.time(), SECONDS, MEMORY))
    assert run.state == "waiting"
    (run.folder / "progress.json").write_text("{}")
    assert run.state == "running"
    run.fail("no words")
    assert (run.state, run.error) == ("failed", "no words")
    run.answer.mkdir()
    assert run.state == "done"
