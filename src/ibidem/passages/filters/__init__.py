"""Candidate filters: each leaves fewer starts to verify, and none loses a similar passage."""
