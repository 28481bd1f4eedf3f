"""`warebench diff`."""

import json
from pathlib import Path


def test_two_seeds_of_a_set(run, shop: Path) -> None:
    run("build", "--source", shop, "--size", 2, "--out", "one")
    run("build", "--source", shop, "--size", 3, "--out", "two")
    done = run("diff", "one", "two")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].split() == ["subtype", "kept", "changed", "retired", "new"]
    assert done.stdout.splitlines()[-1].startswith("all")
    told = json.loads(run("diff", "one", "two", "--format", "json").stdout)
    assert set(told) == {"counts", "changes", "inputs"}
    new = sum(of["new"] for of in told["counts"].values())
    assert new == sum(change["status"] == "new" for change in told["changes"]) > 0


def test_a_set_and_itself(run, shop: Path) -> None:
    run("build", "--source", shop, "--size", 2, "--out", "one")
    told = json.loads(run("diff", "one", "one", "--format", "json").stdout)
    assert {change["status"] for change in told["changes"]} == {"kept"}
    assert told["inputs"] == []


def test_what_is_no_set(run) -> None:
    done = run("diff", "nothing", "here")
    assert done.exit_code == 2
    assert "Traceback" not in done.output
