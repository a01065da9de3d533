"""A collection to be planned for, and each job planned for it."""

from pathlib import Path

import pytest

from .samples import JOBS, Job, write_collection


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    return write_collection(tmp_path / "inputs")


@pytest.fixture(params=JOBS)
def job(request: pytest.FixtureRequest) -> Job:
    return JOBS[request.param]


@pytest.fixture
def planned(job: Job, inputs: Path, tmp_path: Path) -> dict[str, str]:
    """A plan in three parts in the folder ``plan``; what the plain call makes."""
    expected = job.run(inputs, tmp_path / "plain")
    job.plan(inputs, tmp_path / "made", tmp_path / "plan", 3)
    return expected
