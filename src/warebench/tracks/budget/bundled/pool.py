"""The bundled pool: invented organisations with questions about them."""

from warebench.engine.collection import Collection
from warebench.engine.connect import connect_memory
from warebench.tracks.budget.bundled.examples import compose_more, make_examples
from warebench.worlds.organisations.make import make_organisations

NAME = "bundled"

EVERY = 9
"""One database in so many has questions of the schema-driven operators too; composing takes time."""


def make_pool(seed: int, databases: int = 80, scale: float = 1.0) -> Collection:
    """Return organisations with rows and examples; equal for equal arguments.

    Args:
        seed: Of every random choice.
        databases: How many, at most as many as there are names of places.
        scale: Rows against the usual ones: 1 gives tables of 5 to 2,000 rows.

    Raises:
        BuildError: There are not that many names, or the scale is not positive.
        GoldDisagreement: Two methods found different gold.
    """
    made = make_organisations(seed, databases, scale)
    with connect_memory() as connection:
        examples = [example for one in made for example in make_examples(one, seed, connection)]
    # A stride that the number of domains does not divide by: all styles and domains come up.
    examples += [example for one in made[::EVERY] for example in compose_more(one, seed)]
    return Collection(
        name=NAME,
        dialect="duckdb",
        databases=tuple(sorted((one.database for one in made), key=lambda item: item.catalog.name)),
        examples=tuple(sorted(examples, key=lambda example: example.id)),
    )
