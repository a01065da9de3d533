"""The collection that is planned for."""

from ...jobs.conftest import inputs

__all__ = ["inputs"]
