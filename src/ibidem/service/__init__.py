"""The service: indexes behind HTTP, with a page to search them; it needs the extra ``serve``."""

from ibidem.service.limits import Limits
from ibidem.service.served_index import ServedIndex

__all__ = ["Limits", "ServedIndex"]
