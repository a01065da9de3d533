"""A client of the service that needs only Python's standard library; it returns answers as dictionaries.

>>> client = Client("http://127.0.0.1:8000")  # doctest: +SKIP
>>> client.search("in the same place", threshold=0.7)["matches"]  # doctest: +SKIP
"""

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from ibidem.errors import IbidemError

__all__ = ["Client", "ServiceError"]


class ServiceError(IbidemError):
    """The service refused a request; ``status`` is the status code of HTTP."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status


class Client:
    """Calls a service.

    Args:
        address: of the service, such as ``http://127.0.0.1:8000``.
        token: if it asks for one.
        seconds: until an answer is given up.
    """

    def __init__(self, address: str, *, token: str | None = None, seconds: float = 60.0) -> None:
        self._address, self._token, self._seconds = address.rstrip("/"), token, seconds

    def search(self, text: str, **options: Any) -> dict[str, Any]:
        """Passages that are similar to ``text``: one page of them; see ``SearchRequest`` for the options."""
        return self._call("/v1/search", {"text": text, **options})

    def search_all(self, text: str, **options: Any) -> Iterator[dict[str, Any]]:
        """All passages that are similar to ``text``, page by page."""
        cursor = None
        while True:
            page = self.search(text, cursor=cursor, **options)
            yield from page["matches"]
            cursor = page["cursor"]
            if cursor is None:
                return

    def align(self, text: str, **options: Any) -> dict[str, Any]:
        """Passages that a whole text shares with documents."""
        return self._call("/v1/align", {"text": text, **options})

    def trace(self, text: str, **options: Any) -> dict[str, Any]:
        """Words of a text that occur in the collection."""
        return self._call("/v1/trace", {"text": text, **options})

    def measure(self, text: str, answer: dict[str, Any], **options: Any) -> list[float]:
        """How similar the matches of a search are by another ``family``, ``tf`` or ``idf``, without a new search."""
        names = ("query_start", "query_end", "document", "start", "end")
        matches = [{name: match[name] for name in names} for match in answer["matches"]]
        if not matches:
            return []
        body = {"text": text, "matches": matches, "index": answer["index"], "generation": answer["generation"]}
        similarities: list[float] = self._call("/v1/measure", body | options)["similarities"]
        return similarities

    def compare(self, a: dict[str, Any], b: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Two passages word by word; see ``Passage`` for what names one."""
        return self._call("/v1/compare", {"a": a, "b": b, **options})

    def contamination(self, documents: Iterable[str | dict[str, Any]], **options: Any) -> dict[str, Any]:
        """The items of the evals that ``documents`` hold, texts or ``{"id", "text"}``; see ``ContaminationRequest``."""
        records = [{"text": document} if isinstance(document, str) else document for document in documents]
        return self._call("/v1/contamination", {"documents": records, **options})

    def document(self, name: str, **options: Any) -> dict[str, Any]:
        """A part of a document: ``index``, ``start``, ``end``."""
        return self._get(f"/v1/documents/{quote(name, safe='')}", options)

    def pairs(self, **options: Any) -> dict[str, Any]:
        """Pairs of passages that ``ibidem reuse`` found; see ``PairsRequest`` for the options."""
        return self._get("/v1/pairs", options)

    def document_pairs(self, **options: Any) -> dict[str, Any]:
        """How many words documents share; see ``DocumentPairsRequest`` for the options."""
        return self._get("/v1/document-pairs", options)

    def clusters(self, **options: Any) -> dict[str, Any]:
        """Clusters of matching passages; see ``ClustersRequest`` for the options."""
        return self._get("/v1/clusters", options)

    def cluster(self, name: str, **options: Any) -> dict[str, Any]:
        """The passages of a cluster."""
        return self._get(f"/v1/clusters/{quote(name, safe='')}", options)

    def add(self, documents: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
        """Have documents added (``id``, ``text``, ``metadata``): the task; it needs the token to write."""
        return self._call("/v1/add", {"documents": documents, **options})

    def remove(self, ids: list[str], **options: Any) -> dict[str, Any]:
        """Have documents removed: the task; it needs the token to write."""
        return self._call("/v1/remove", {"ids": ids, **options})

    def wait(self, task: dict[str, Any], *, seconds: float = 3600.0) -> dict[str, Any]:
        """The task when it has ended: ``state`` is ``done`` or ``failed``, and ``detail`` says what came of it."""
        end = time.monotonic() + seconds
        while task["state"] in ("waiting", "running") and time.monotonic() < end:
            time.sleep(0.05)
            task = self._get(f"/v1/tasks/{task['id']}", {})
        return task

    def indexes(self) -> list[dict[str, Any]]:
        """The indexes that are served."""
        indexes: list[dict[str, Any]] = self._call("/v1/indexes")["indexes"]
        return indexes

    def _get(self, path: str, options: dict[str, Any]) -> dict[str, Any]:
        query = urlencode(
            {name: json.dumps(value) if isinstance(value, bool) else value for name, value in options.items()}
        )
        return self._call(f"{path}?{query}" if query else path)

    def _call(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode("ascii")
        request = Request(f"{self._address}{path}", data, headers)
        try:
            with urlopen(request, timeout=self._seconds) as response:
                answer: dict[str, Any] = json.load(response)
                return answer
        except HTTPError as error:
            with error:
                raise ServiceError(error.code, _detail(error.read())) from error
        except OSError as error:
            raise IbidemError(f"{self._address}: no answer: {error}") from error


def _detail(body: bytes) -> str:
    try:
        return str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return body[:200].decode("utf-8", "replace")
