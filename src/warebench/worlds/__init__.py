"""What is bundled, as data: databases made from a seed, and questions written for them.

A new seed is a new benchmark: every entity and every row is drawn anew, so a model cannot have seen it.
"""

from warebench.worlds.declare import World
from warebench.worlds.world import WORLDS, find_world, make_world

__all__ = ["WORLDS", "World", "find_world", "make_world"]
