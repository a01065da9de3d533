"""Tests of the sketches; a package so that they can share what they draw."""
