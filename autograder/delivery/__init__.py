"""How work comes and marks go: archives, learning management systems, nbgrader's exchange, tables of marks."""
