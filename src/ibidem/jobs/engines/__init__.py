"""What runs the ranks of a plan: processes of this machine, or Ray."""
