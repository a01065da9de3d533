"""Indexes in object stores: what is written on this machine is uploaded, and what is searched is copied to it."""
