"""Tests of kernels; a package so that they can share samples."""
