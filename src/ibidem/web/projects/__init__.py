"""``ibidem app``: from a folder of files to an answer that can be shown, in a browser on this machine.

The server (``server``) keeps projects as folders (``projects``). Files are read (``reading``) and questions answered
(``answering``) in processes of their own (``processes``, ``runs``). What they do are calls that Python and the command
line have, too.
"""
