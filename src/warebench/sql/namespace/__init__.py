"""The pooled namespace: many databases as one, `database.table`."""

from warebench.sql.namespace.invariant import invariant
from warebench.sql.namespace.pool import BareNames, Pool, PooledTable, bare_names, build_pool
from warebench.sql.namespace.prediction import Kind, Prediction, read_prediction
from warebench.sql.namespace.rewrite import from_bare, pool_name, to_bare, to_home, to_pool

__all__ = [
    "BareNames",
    "Kind",
    "Pool",
    "PooledTable",
    "Prediction",
    "bare_names",
    "build_pool",
    "from_bare",
    "invariant",
    "pool_name",
    "read_prediction",
    "to_bare",
    "to_home",
    "to_pool",
]
