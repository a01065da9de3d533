"""How the elements of a text become a sketch: families give the hash values, schemes choose among them."""
