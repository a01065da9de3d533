"""``python -m ibidem.cli`` is ``ibidem``."""

from ibidem.cli.group import main

if __name__ == "__main__":
    main(prog_name="ibidem")
