"""Write a catalog as JSON that `read_catalog` reads back unchanged."""

import os
from pathlib import Path

import msgspec

from warebench.catalog.model import Catalog
from warebench.errors import UserError


def write_catalog(catalog: Catalog, path: str | Path) -> Path:
    """Write a catalog as indented JSON; equal catalogs give equal bytes.

    The file appears whole or not at all.

    Args:
        catalog: The catalog.
        path: Where to; an existing file is replaced.

    Returns:
        The path written.

    Raises:
        UserError: The file cannot be written.
    """
    target = Path(path)
    partial = target.with_name(f".{target.name}.partial")
    try:
        partial.write_bytes(msgspec.json.format(msgspec.json.encode(catalog), indent=2) + b"\n")
        os.replace(partial, target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise UserError(
            f"cannot write the catalog: {error.strerror}", where=str(target), fix="choose a writable folder"
        ) from error
    return target
