"""What happens to a request that no server answers as one would?"""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Callable

from providers.exchange import WireResponse
from providers.faults.bodies import all_of, at_once
from providers.faults.events import to_json
from providers.faults.exchanges import unstreamed
from providers.faults.fault import Exchange, Strike
from providers.faults.refusals import Refusal, refused

HTML_PAGE = (
    b"<!DOCTYPE html>\n<html><head><title>Sign in to the network</title></head>\n"
    b"<body><h1>Sign in to the network</h1><p>Your session has ended.</p></body></html>\n"
)
GATEWAY_PAGE = (
    b"<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n"
    b"<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n"
)
_HTML = "text/html; charset=utf-8"


def breaking(error: Callable[[], OSError]) -> Strike:
    """There is no connection."""

    async def strike(exchange: Exchange) -> WireResponse:
        raise error()

    return strike


def nobody_there() -> OSError:
    """What a client gets when nobody listens at the address."""
    return ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")


def no_such_name() -> OSError:
    """What a client gets for a name that no DNS server knows."""
    return socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def bad_certificate() -> OSError:
    """What a client gets when it cannot trust the server."""
    return ssl.SSLCertVerificationError(1, "certificate verify failed: self-signed certificate")


def page(status: int, html: bytes) -> Strike:
    """A page for people comes instead of an answer."""

    async def strike(exchange: Exchange) -> WireResponse:
        return WireResponse(status, {"content-type": _HTML}, at_once(html))

    return strike


def nothing(content_type: str = "text/event-stream; charset=utf-8") -> Strike:
    """All is well, says the status, and there is no body."""

    async def strike(exchange: Exchange) -> WireResponse:
        return WireResponse(200, {"content-type": content_type}, at_once(b""))

    return strike


def error_under_200(refusal: Refusal) -> Strike:
    """A gateway passes a refusal on and forgets its status."""

    async def strike(exchange: Exchange) -> WireResponse:
        return refused(refusal, exchange, 200)

    return strike


def texts_for_errors(status: int) -> Strike:
    """A framework in front of the server refuses in its own words."""

    async def strike(exchange: Exchange) -> WireResponse:
        body = to_json({"detail": "upstream connect error"})
        return WireResponse(status, {"content-type": "application/json"}, at_once(body))

    return strike


async def in_one_piece(exchange: Exchange) -> WireResponse:
    """The server does not stream although it was asked to."""
    response = await exchange.healthy(unstreamed(exchange.request))
    body = await all_of(response.body)
    return WireResponse(response.status, response.headers, at_once(body))
