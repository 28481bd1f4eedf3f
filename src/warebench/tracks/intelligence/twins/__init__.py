"""The two bundled domains as synthetic twins, under the schema of the real data they stand for."""

from warebench.tracks.intelligence.twins.banking.make import make_banking
from warebench.tracks.intelligence.twins.banking.schema import BANKING
from warebench.tracks.intelligence.twins.ecommerce.make import make_ecommerce
from warebench.tracks.intelligence.twins.ecommerce.schema import ECOMMERCE

__all__ = ["BANKING", "ECOMMERCE", "make_banking", "make_ecommerce"]
