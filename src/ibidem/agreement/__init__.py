"""Agreement of the values of two signatures: how likely so many agree, or all of a band of them."""
