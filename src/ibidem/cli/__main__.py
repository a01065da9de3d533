"""``python -m ibidem.cli`` is ``ibidem``."""

from ibidem.cli.group import main

main(prog_name="ibidem")
