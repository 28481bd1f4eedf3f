"""The five catalogs of the DW-Bench paper, shipped with the package."""

from importlib.resources import files

import msgspec

from warebench.catalog.model import Catalog
from warebench.catalog.synthetic import PRESETS, synthesise
from warebench.errors import CatalogError, did_you_mean

BUNDLED: tuple[str, ...] = ("adventureworks", "tpc_ds", "tpc_di", "omop_cdm", "syn_logistics")
"""Names of the bundled catalogs, in the order of the paper's Table 1."""

DEFAULT_SEED = 42
"""Seed of syn_logistics where none is given; the paper's script uses the same number."""


def load_bundled(name: str, *, preset: str = "default", seed: int = DEFAULT_SEED) -> Catalog:
    """Return a bundled catalog.

    Args:
        name: One of `BUNDLED`.
        preset: Which syn_logistics: "default", "released" or "table1". The other catalogs have no presets.
        seed: Of syn_logistics, which is generated. The other catalogs do not depend on it.

    Raises:
        CatalogError: No such catalog or preset.

    Reference: DW-Bench (arXiv 2604.18964), Table 1.
    """
    if name not in BUNDLED:
        raise CatalogError(f"no bundled catalog `{name}`", fix=did_you_mean(name, BUNDLED))
    if preset not in PRESETS:
        raise CatalogError(f"no preset `{preset}`", where="syn_logistics", fix=did_you_mean(preset, PRESETS))
    if name == "syn_logistics":
        return synthesise(PRESETS[preset], seed)
    content = files("warebench.catalog").joinpath("data", f"{name}.json").read_bytes()
    return msgspec.json.decode(content, type=Catalog)
