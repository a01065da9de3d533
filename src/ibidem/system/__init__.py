"""The differences between systems: locks, bounds of a process, processes, each in one module.

Every module asks whether the system has a function, never for the name of the system. So the tests can take the
functions away that Windows lacks, and run the commands without them (``tests/system``).
"""
