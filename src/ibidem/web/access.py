"""Access control: the host names of a service, its tokens, and the web pages that may call it."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ibidem.web.problems import ProblemError

if TYPE_CHECKING:
    from starlette.requests import Request

Right = Literal["open", "read", "write"]
"""The right that a request needs: none, the token to read if there is one, or the token to write."""

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "testserver")


@dataclass(frozen=True)
class Access:
    """The rules by which requests are admitted.

    Attributes:
        token: what a request must bring as ``Authorization: Bearer`` to read; none if not given.
        write_token: what it must bring to change an index, and may to read; without it nothing can be changed.
        hosts: names by which the service is called; those of this machine alone if not given, so that no other page
            that a browser shows can reach it under a name of its own.
        origins: of pages of other sites that may call the service from a browser, such as ``https://texts.example``.
    """

    token: str | None = None
    write_token: str | None = None
    hosts: Sequence[str] | None = None
    origins: Sequence[str] = ()

    def admit(self, request: "Request", right: Right) -> None:
        """Let a request pass.

        Raises:
            ProblemError: it may not.
        """
        name, _ = _split_host(request.headers.get("host", ""))
        if name not in [
            _split_host(allowed_host)[0] for allowed_host in (_LOOPBACK if self.hosts is None else self.hosts)
        ]:
            raise ProblemError(421, "the service is not known by this host name; name it with --allow-host")
        if not self._is_own_page(request, right):
            raise ProblemError(403, "a page of another site may not call the service; name it with --allow-origin")
        if right == "open" or (right == "read" and self.token is None):
            return
        if right == "write" and self.write_token is None:
            raise ProblemError(403, "the service only reads; start it with --write-token to change an index")
        credentials = request.headers.get("authorization", "")
        if self.write_token is not None and _is_token(credentials, self.write_token):
            return
        reads = self.token is not None and _is_token(credentials, self.token)
        if reads and right == "read":
            return
        if reads:
            raise ProblemError(403, "this token may only read; an index is changed with the write token")
        raise ProblemError(401, "a token is needed: Authorization: Bearer TOKEN", www_authenticate="Bearer")

    def _is_own_page(self, request: "Request", right: Right) -> bool:
        """Return whether a request comes from the service's own page, from one that is allowed, or from no page at all.

        Current browsers say whence a request comes in ``Sec-Fetch-Site``, which no page can forge. Without it there is
        only ``Origin``, which a browser sends with every POST.
        """
        if self.allowed_origin(request) is not None:
            return True
        site = request.headers.get("sec-fetch-site")
        if site in ("same-origin", "none"):
            return True
        if site is not None:
            # Whoever follows a link to the page comes from another site, too.
            return right == "open" and request.headers.get("sec-fetch-mode") == "navigate"
        origin = request.headers.get("origin")
        return origin is None or _split_host(origin.partition("://")[2]) == _split_host(request.headers.get("host", ""))

    def allowed_origin(self, request: "Request") -> str | None:
        """The origin whose pages may read the answer; ``None`` if the request names no allowed one."""
        origin = request.headers.get("origin")
        return origin if origin in self.origins else None


def _split_host(host: str) -> tuple[str, str]:
    """Name and port in a ``Host`` header; names are compared as DNS compares them. The name is empty if the header is
    none."""
    name, colon, port = host.rpartition(":") if ":" in host.rpartition("]")[2] else (host, "", "")
    if "@" in host or (colon and not port.isdecimal()):
        return "", ""
    return name.lower().removesuffix("."), port


def _is_token(credentials: str, token: str) -> bool:
    return hmac.compare_digest(credentials.encode("utf-8", "replace"), f"Bearer {token}".encode())
