"""The documents of a collection as they were read, before they are numbered and weighed."""
