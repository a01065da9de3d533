"""The engines that run the ranks of a plan: processes of this machine, or Ray."""
