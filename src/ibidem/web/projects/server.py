"""The application of ``ibidem app``, which asks for a secret of its own.

Whoever opens the address that is printed at the start has the secret, which becomes a cookie. Pages of other sites can
neither guess it nor make the browser send it. The page itself says nothing, so it is shown to everyone: one that is
opened without the secret explains what to do.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ibidem.web.access import Access, is_secret
from ibidem.web.application import Application
from ibidem.web.limits import Limits
from ibidem.web.problems import ProblemError
from ibidem.web.projects.operations import OPERATIONS, Workshop

if TYPE_CHECKING:
    from ibidem.web.projects.processes import ProjectProcesses
    from ibidem.web.projects.projects import Projects

_LIMITS = Limits(seconds=150.0)


def make_app(
    projects: "Projects", processes: "ProjectProcesses", secret: str, stop: Callable[[], object] = lambda: None
) -> Starlette:
    """The ASGI application; ``stop`` ends its server."""
    access = SecretAccess(secret=secret)
    return Application(
        OPERATIONS,
        Workshop(projects, processes, _LIMITS, stop),
        "projects",
        access=access,
        limits=_LIMITS,
        enter=access.let_in,
        begin=processes.resume,
        end=processes.close,
    ).app


@dataclass(frozen=True)
class SecretAccess(Access):
    """Admits requests of this machine that have the secret as a cookie."""

    secret: str = ""

    def admit(self, request: Request, *, is_open: bool) -> None:
        """Let a request pass.

        Raises:
            ProblemError: it may not.
        """
        super().admit(request, is_open=True)
        if not (is_open or is_secret(request.cookies.get(_cookie_of(request), ""), self.secret)):
            raise ProblemError(
                401, "start ibidem again, or open the address that ibidem app has printed: it has the secret"
            )

    def let_in(self, request: Request) -> Response | None:
        """Move the secret from the address into a cookie, so that no history and no screenshot shows it."""
        if not is_secret(request.query_params.get("key", ""), self.secret):
            return None
        response = RedirectResponse("/", 303)
        response.set_cookie(_cookie_of(request), self.secret, httponly=True, samesite="strict")
        return response


def _cookie_of(request: Request) -> str:
    """The name of the cookie; cookies of one host are sent to all its ports."""
    return f"ibidem-{request.url.port or 80}"
