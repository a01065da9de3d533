"""The service: indexes behind HTTP, with a page to search them; it needs the extra ``serve``."""

from ibidem.service.access import Access
from ibidem.service.limits import Limits
from ibidem.service.served_index import ServedIndex
from ibidem.service.served_reuse import ServedReuse

__all__ = ["Access", "Limits", "ServedIndex", "ServedReuse"]
