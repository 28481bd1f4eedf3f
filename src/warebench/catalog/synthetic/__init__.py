"""Seeded generator of warehouse catalogs (Syn-Logistics): `synthesise(spec, seed)` and three presets."""

from warebench.catalog.synthetic.generate import synthesise
from warebench.catalog.synthetic.presets import PRESETS
from warebench.catalog.synthetic.spec import SyntheticSpec

__all__ = ["PRESETS", "SyntheticSpec", "synthesise"]
