"""Twins the tests share, each made once."""

from functools import cache

from warebench.worlds import make_world


@cache
def sample(name: str, *, seed: int = 7, mess: bool = False):
    return make_world(name, scale=0.02, seed=seed, mess=mess)


@cache
def connection(name: str, *, mess: bool = False):
    return sample(name, mess=mess).connect()


def ask(name: str, query: str, *, mess: bool = False):
    return connection(name, mess=mess).execute(query).fetchone()[0]
