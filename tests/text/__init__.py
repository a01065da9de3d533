"""Tests of ibidem.text."""
