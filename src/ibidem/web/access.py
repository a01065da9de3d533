"""Access control: the host names of a service, and its token.

A page of another site cannot make a browser send JSON or a file, which needs leave that the service never gives, and
cannot read an answer. Under a name of its own it could do both, so the name in ``Host`` has to be one of the service.
"""

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ibidem.web.problems import ProblemError

if TYPE_CHECKING:
    from starlette.requests import Request

LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "testserver")
"""Names of this machine."""

_HOST = re.compile(r"(?P<name>.*?)\.?(:\d+)?")
"""A name as DNS compares it, and a port."""


@dataclass(frozen=True)
class Access:
    """The rules by which requests are admitted.

    Attributes:
        token: what a request must bring as ``Authorization: Bearer``; none if not given.
        hosts: names by which the service is called.
    """

    token: str | None = None
    hosts: Sequence[str] = LOOPBACK

    def admit(self, request: "Request", *, is_open: bool) -> None:
        """Let a request pass; one of what is open needs no token.

        Raises:
            ProblemError: it may not.
        """
        host = _HOST.fullmatch(request.headers.get("host", "").lower())
        if host is None or host["name"] not in map(str.lower, self.hosts):
            raise ProblemError(421, "the service is not known by this host name; name it with --allow-host")
        credentials = request.headers.get("authorization", "")
        if not (is_open or self.token is None or is_secret(credentials, f"Bearer {self.token}")):
            raise ProblemError(401, "a token is needed: Authorization: Bearer TOKEN", www_authenticate="Bearer")


def is_secret(value: str, secret: str) -> bool:
    """Return whether a value is the secret; how long that takes does not tell how much of it is right."""
    return hmac.compare_digest(value.encode("utf-8", "replace"), secret.encode())
