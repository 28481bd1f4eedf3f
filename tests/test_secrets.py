"""What is hidden, and what looks like it and stays."""

import pytest

from warebench import secrets
from warebench.errors import UserError
from warebench.secrets import has_secret, is_secret, learn, mask, mask_values

HIDE_ME = "hunter2x9"


@pytest.fixture(autouse=True)
def nothing_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_LEARNT", set())


@pytest.mark.parametrize(
    ("said", "masked"),
    [
        ("postgresql://ann:hunter2x9@db/shop", "postgresql://ann:***@db/shop"),
        ("mysql+pymysql://ann:hunter2x9@db:3306/shop", "mysql+pymysql://ann:***@db:3306/shop"),
        ("postgresql://ann:hunter2x9@@db/shop", "postgresql://ann:***@db/shop"),
        ("postgresql://ann:hunter2x9/1@db/shop", "postgresql://ann:***@db/shop"),
        ("postgresql://:hunter2x9@db", "postgresql://:***@db"),
        ("source = ('postgresql://a:hunter2x9@h/x', 'b')", "source = ('postgresql://a:***@h/x', 'b')"),
        ("https://hunter2x9@host/v1", "https://***@host/v1"),
        ("postgresql://h/x?user=a&password=hunter2x9&n=1", "postgresql://h/x?user=a&password=***&n=1"),
        ("mysql://h/x?ssl_key_password=hunter2x9", "mysql://h/x?ssl_key_password=***"),
        ("http://h/v1?api_key=hunter2x9", "http://h/v1?api_key=***"),
        ("dbname=x password=hunter2x9 host=h", "dbname=x password=*** host=h"),
        ("connect(password='hunter2x9', port=1)", "connect(password=***, port=1)"),
        ('{"api_key": "hunter2x9", "n": 1}', '{"api_key": ***, "n": 1}'),
        ("model_arg = (('api_key', 'hunter2x9'),)", "model_arg = (('api_key', ***),)"),
        ("Authorization: Basic hunter2x9", "Authorization: ***"),
        ("sent x-api-key: hunter2x9", "sent x-api-key: ***"),
        ("Bearer hunter2x9", "Bearer ***"),
        ("Incorrect API key provided: sk-proj-hunter2x9.", "Incorrect API key provided: ***."),
        ("no access for hf_hunter2x9hunter2x9", "no access for ***"),
        ("--token=hunter2x9", "--token=***"),
    ],
)
def test_a_secret_is_hidden(said: str, masked: str) -> None:
    assert mask(said) == masked


@pytest.mark.parametrize(
    "said",
    [
        "postgresql://ann@db:5432/shop",
        "http://127.0.0.1:8080/v1 answers, says a@b",
        "write it as DIALECT://USER:PASSWORD@HOST:PORT/DATABASE, special characters as %XX",
        "input_tokens = 12, budget of 100 tokens",
        "table users, column password: no values",
        "sk_customer, hf_dim, pk-1 and dim_api_key",
        "foreign key = primary key; key: value",
        "check host, port, database, user, password and rights",
    ],
)
def test_what_is_no_secret_stays(said: str) -> None:
    assert mask(said) == said
    assert mask_values(said) == said


def test_a_result_is_touched_only_where_a_secret_stands() -> None:
    text = "SELECT * FROM t WHERE password = 'abc' AND token='x' -- Bearer abcdefgh"
    assert mask_values(text) == text
    assert mask_values("read from postgresql://a:hunter2x9@h/d") == "read from postgresql://a:***@h/d"


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "MY_TOKEN", "PGPASSWORD", "DB_PWD", "AZURE_CLIENT_SECRET"]
)
def test_a_value_of_the_environment_is_hidden(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, HIDE_ME)
    assert mask(f"the server says: {HIDE_ME}!") == mask_values(f"the server says: {HIDE_ME}!")
    assert mask(f"the server says: {HIDE_ME}!") == "the server says: ***!"


def test_an_address_in_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP", "postgresql://ann:p%40ss%20word@h/d")
    assert mask("refused: p@ss word, p%40ss%20word") == "refused: ***, ***"


def test_what_was_learnt_is_hidden_in_any_form() -> None:
    learn("postgresql://ann:a very@long one@h/d")
    learn("plainvalue", name="my_secret")
    learn("not this", name="calls")
    assert mask("a very@long one / plainvalue / not this") == "*** / *** / not this"


def test_short_words_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_PASSWORD", "root")
    learn("mysql://root:root@h/d")
    assert mask("user root of mysql://root:root@h") == "user root of mysql://root:***@h"


def test_the_working_directory_is_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PWD", "/some/where/else")
    assert mask("/some/where/else/x") == "/some/where/else/x"


def test_an_error_holds_no_secret() -> None:
    error = UserError(
        "refused: password=hunter2x9", where="mysql://a:hunter2x9@h", fix="drop ?token=hunter2x9"
    )
    assert HIDE_ME not in f"{error} {error!r} {error.what} {error.where} {error.fix}"


def test_names_are_judged() -> None:
    assert all(map(is_secret, ("api_key", "clientSecret", "hf-token", "key")))
    assert not any(map(is_secret, ("calls", "keys", "tokens")))


def test_addresses_are_judged() -> None:
    assert all(map(has_secret, ("http://u:p@h/v1", "https://tok@h", "http://h?api_key=x")))
    assert not has_secret("http://h:8000/v1")
