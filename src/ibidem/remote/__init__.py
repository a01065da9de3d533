"""Folders of object stores, and the copies that are kept of them on this machine."""
