"""The socket that a service answers on."""

import socket

from ibidem.cli.listening import bind


def test_an_answer_does_not_wait_until_its_head_is_acknowledged() -> None:
    with bind("127.0.0.1", 0) as bound, socket.create_connection(bound.getsockname()):
        taken, _ = bound.accept()
        with taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert taken.proto == socket.IPPROTO_TCP  # by which asyncio knows a socket of TCP
