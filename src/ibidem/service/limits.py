"""What one request may take, and how many may be at work."""

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """Limits of a service, each with a clear answer when it is reached.

    Attributes:
        body_bytes: of a request; 413.
        body_seconds: until a whole request has come; 408.
        seconds: until an answer is given up; 503. A search ends itself before and says what it left out; other work
            cannot be stopped, and keeps its place until it ends.
        at_work: requests that search, align or compare at once.
        waiting: requests that wait for a place; 429 for one more.
        matches: that a search looks for, the most similar; the answer warns of more.
        tasks: that may wait; 429 for one more.
    """

    body_bytes: int = 4_000_000
    body_seconds: float = 20.0
    seconds: float = 30.0
    at_work: int = 4
    waiting: int = 64
    matches: int = 10_000
    tasks: int = 16
