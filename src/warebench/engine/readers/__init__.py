"""One module per kind of source with rows, each with one function `read(source, wanted) -> Reading`."""
