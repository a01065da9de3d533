"""Golden outputs: what every command prints and writes on small, unlike inputs.

They catch what moves by accident. Each file of ``outputs`` is one case: its commands, what they print, and the files
that they write, without what varies (times, versions, sizes on disk). ``inputs.py`` makes the inputs, ``cases.py``
lists the commands, and ``record.py`` runs them. Where a change of an output is meant, record it again, commit it with
the change, and say why in the message:

    python -m tests.golden.record [CASE...]
"""
