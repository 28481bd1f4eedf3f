"""One module per kind of source, each with one function `read(source, *, name) -> Catalog`."""
