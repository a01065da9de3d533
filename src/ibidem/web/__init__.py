"""What people see in a browser, and what programs and agents ask over HTTP.

``projects`` are the folders of ``ibidem app``, ``indexes`` the collections of ``ibidem serve``; ``report`` makes one
file of results, and ``agents`` speaks MCP. All show one page, whose modules are in ``page``.
"""
