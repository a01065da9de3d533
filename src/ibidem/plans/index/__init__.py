"""Plans of passage indexes."""
