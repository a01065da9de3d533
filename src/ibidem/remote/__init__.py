"""Other machines: folders of object stores, the copies that are kept of them here, and a Ray cluster."""
