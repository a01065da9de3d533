"""The socket that a service answers on."""

import socket

import click
import pytest

from ibidem.cli.listening import ask_for_token, bind


def test_an_answer_does_not_wait_until_its_head_is_acknowledged() -> None:
    with bind("127.0.0.1", 0, 8) as bound, socket.create_connection(bound.getsockname()):
        taken, _ = bound.accept()
        with taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert taken.proto == socket.IPPROTO_TCP  # by which asyncio knows a socket of TCP


def test_other_machines_are_answered_with_a_token_alone() -> None:
    ask_for_token("127.0.0.1", None)
    ask_for_token("0.0.0.0", "sesame")
    with pytest.raises(click.UsageError, match="needs a --token"):
        ask_for_token("0.0.0.0", None)
