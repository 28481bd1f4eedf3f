import pytest
from hypothesis import given
from hypothesis import strategies as st

from warebench.answers.label import label


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("Total change-pct", "total_change_pct"),
        ("**peak_period**", "peak_period"),
        ("`State`", "state"),
        ("customer  state", "customer_state"),
        ("_id_", "id"),
        ("_", "_"),
        ("", ""),
    ],
)
def test_label(name: str, want: str) -> None:
    assert label(name) == want


@given(st.text(max_size=8))
def test_a_label_is_empty_for_whitespace_only(name: str) -> None:
    assert bool(label(name)) == bool(name.strip())
