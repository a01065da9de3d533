"""Long work as a list of stages, cut into tasks that any number of processes or machines do. It knows no algorithm."""
