"""A client of the service. Its methods are the operations that the service declares; answers are dictionaries.

>>> client = Client("http://127.0.0.1:8000")  # doctest: +SKIP
>>> client.search("in the same place", threshold=0.7)["matches"]  # doctest: +SKIP
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import msgspec

from ibidem.errors import IbidemError
from ibidem.web.indexes.operations import OPERATIONS
from ibidem.web.operations import Operation

__all__ = ["Client", "ServiceError"]

_BY_NAME = {operation.name: operation for operation in OPERATIONS}


class ServiceError(IbidemError):
    """The service refused a request; ``status`` is the status code of HTTP."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status


class Client:
    """Calls a service: a method for each operation, such as ``search``, ``align`` or ``document``.

    What a request needs is given in order, as in ``compare(a, b)``, all else by name; ``/openapi.json`` says what each
    takes and gives.

    Args:
        address: of the service, such as ``http://127.0.0.1:8000``.
        token: if it asks for one.
        seconds: until an answer is given up.
    """

    def __init__(self, address: str, *, token: str | None = None, seconds: float = 60.0) -> None:
        self._address, self._token, self._seconds = address.rstrip("/"), token, seconds

    def __getattr__(self, name: str) -> Callable[..., dict[str, Any]]:
        if name not in _BY_NAME:
            raise AttributeError(f"the service has no operation {name!r}; it has {', '.join(_BY_NAME)}")
        return partial(self._operate, _BY_NAME[name])

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_BY_NAME]

    def _operate(self, operation: Operation, *arguments: Any, **options: Any) -> dict[str, Any]:
        names = [field.name for field in msgspec.structs.fields(operation.takes) if field.required]
        values = dict(zip(names, arguments, strict=False)) | options
        if not operation.has_query:
            return self._ask(operation.method, operation.path, json.dumps(values).encode("ascii"))
        return self._ask(operation.method, f"{operation.path}?{urlencode(values)}")

    def _ask(self, method: str, path: str, body: bytes | None = None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        request = Request(f"{self._address}{path}", body, headers, method=method)
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
