"""From a name, a seed and a scale to a database."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from warebench.engine.database import Database
from warebench.errors import BuildError, did_you_mean
from warebench.worlds.declare import World, declare
from warebench.worlds.mess import add_mess
from warebench.worlds.synthetic.columns import to_table
from warebench.worlds.synthetic.plan import Plan
from warebench.worlds.synthetic.schema import Columns, Maker
from warebench.worlds.twins import (
    airline,
    cookbook,
    food_facility_inspections,
    food_inspection,
    global_biodiversity,
    movie,
    music_tracker,
    restaurant,
    university,
    water_quality,
)
from warebench.worlds.twins.banking.make import make_banking
from warebench.worlds.twins.ecommerce.make import make_ecommerce

Tables = Iterable[tuple[str, Columns]]


def _each(makers: Mapping[str, Maker], plan: Plan) -> Tables:
    """Yield one table after the other: a large one is let go before the next is drawn."""
    return ((table, maker(plan)) for table, maker in makers.items())


WORLDS: Mapping[str, Callable[[Plan], Tables]] = {
    "airline": partial(_each, airline.MAKERS),
    "food_inspection": partial(_each, food_inspection.MAKERS),
    "movie": partial(_each, movie.MAKERS),
    "music_tracker": partial(_each, music_tracker.MAKERS),
    "restaurant": partial(_each, restaurant.MAKERS),
    "university": partial(_each, university.MAKERS),
    "cookbook": partial(_each, cookbook.MAKERS),
    "food_facility_inspections": partial(_each, food_facility_inspections.MAKERS),
    "water_quality": partial(_each, water_quality.MAKERS),
    "global_biodiversity": partial(_each, global_biodiversity.MAKERS),
    "banking": make_banking,
    "ecommerce": make_ecommerce,
}
"""What draws the rows: of the ten databases of TQA-Bench in the order of its TABLE II, and of the two domains
of DI-Bench. Each declares its tables and words in `data/twins`."""


def find_world(name: str) -> World:
    """Return what is declared of a synthetic database.

    Raises:
        BuildError: There is none of that name.
    """
    if name not in WORLDS:
        raise BuildError(f"no twin `{name}`", fix=did_you_mean(name, WORLDS))
    return declare(name)


def make_world(name: str, *, seed: int, scale: float | None = None, mess: bool = False) -> Database:
    """Return a synthetic database: same arguments, same bytes.

    Args:
        name: A key of `WORLDS`.
        seed: Of every random choice: another seed gives other entities and other rows.
        scale: Rows relative to the data it is like; its own default when None.
        mess: Add nulls, repeated names, ties, extreme values, noise of case and blanks, pipes and line breaks
            in cells, and steeper skew. Keys hold all the same. Without it, names are unique and nulls stand
            only where nothing happened (a cancelled flight has no delay).

    Raises:
        BuildError: No such database, or a scale that is not a positive number, or too large.

    Reference: TQA-Bench, TABLE II; DI-Bench (arXiv 2609.05776), section 4.
    """
    world = find_world(name)
    rows = world.scaled(world.scale if scale is None else scale)
    plan = Plan(twin=name, seed=seed, rows=rows, mess=mess, words=world.words, lists=world.lists)
    specs = {table.name: table for table in world.catalog.tables}
    made = {table: to_table(specs[table], columns) for table, columns in WORLDS[name](plan)}
    if mess:
        made = {table: add_mess(plan, world, specs[table], rows) for table, rows in made.items()}
    return Database(catalog=world.catalog, tables={table: made[table] for table in specs})
