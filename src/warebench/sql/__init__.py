"""SQL as an object: what a query reads (`labels`), its names in a pool (`namespace`), its faults (`lint`)."""
