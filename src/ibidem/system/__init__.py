"""What is asked of the operating system: files, locks, bounds of a process, processes, launchers."""
