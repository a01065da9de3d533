"""Where the steps of a pipeline run, and where their outputs lie until the result is whole.

A pipeline is a function that one reads from top to bottom. Each of its steps is a function of a task, which writes its
output into a folder; ``Engine.map`` runs it for all tasks. An output that is whole is not made again: that is all of
resuming. The engines are one for this process, and one for a Ray cluster; the bytes that a step writes depend on
neither. This package knows no algorithm.
"""

from ibidem.engine.choice import open_engine
from ibidem.engine.engine import Engine, Here, Step
from ibidem.engine.work import Work, WrittenResult, open_work

__all__ = ["Engine", "Here", "Step", "Work", "WrittenResult", "open_engine", "open_work"]
