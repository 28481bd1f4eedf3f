"""Real database servers, each test in a schema or database of its own that is dropped afterwards."""

import os
import uuid

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

POSTGRES = os.environ.get("WAREBENCH_TEST_POSTGRES", "postgresql+psycopg://root@127.0.0.1:5432/test")
MARIADB = os.environ.get("WAREBENCH_TEST_MARIADB", "mysql+pymysql://root@127.0.0.1:3306/test")


def run(address: str, *statements: str) -> None:
    engine = sa.create_engine(address, connect_args={"connect_timeout": 5}, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            for statement in statements:
                connection.execute(sa.text(statement))
    except sa.exc.OperationalError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no server answers: {str(error).splitlines()[0]}")
    finally:
        engine.dispose()


@pytest.fixture
def postgres():
    schema = f"warebench_{uuid.uuid4().hex}"
    run(POSTGRES, f'CREATE SCHEMA "{schema}"')
    yield POSTGRES.replace("+psycopg", "") + f"?options=-csearch_path%3D{schema}", schema
    run(POSTGRES, f'DROP SCHEMA "{schema}" CASCADE')


@pytest.fixture
def mariadb():
    schema = f"warebench_{uuid.uuid4().hex}"
    run(MARIADB, f"CREATE DATABASE `{schema}` CHARACTER SET utf8mb4")
    yield make_url(MARIADB).set(database=schema).render_as_string(hide_password=False), schema
    run(MARIADB, f"DROP DATABASE `{schema}`")


def said(catalog) -> list[str]:
    return [str(item) for item in catalog.left_out]


@pytest.fixture
def warehouse():
    """A PostgreSQL database of its own."""
    name = f"warebench_{uuid.uuid4().hex}"
    run(POSTGRES, f"CREATE DATABASE {name}")
    yield make_url(POSTGRES).set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    run(POSTGRES, f"DROP DATABASE {name} WITH (FORCE)")


def fill(address: str, *statements: str) -> None:
    run(address.replace("postgresql:", "postgresql+psycopg:"), *statements)
