"""Contamination of files as a job: its stages, the plain run, and the plan."""
