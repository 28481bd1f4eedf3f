"""Agents of the user's own: every way in gets the same verdicts; what fails is an error, never an answer."""

import csv
import json
import os
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from inspect_ai import eval as evaluate
from tests.topology.sample import CATALOG

from warebench import _registry
from warebench.answers.render import render
from warebench.errors import RunError
from warebench.harness.models.agent import AgentAPI, read_answers
from warebench.questions.store import write_questions
from warebench.tracks.topology.build import Options, build
from warebench.tracks.topology.tasks import warebench_topology

EXAMPLE = Path("examples/my_agent.py")
assert _registry.agent


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A set of twenty questions and more, and a file with gold as answers, every third one wrong."""
    folder = tmp_path_factory.mktemp("agents")
    whole = build([CATALOG], Options(size=2, seed=3))
    write_questions(whole, folder / "set")
    said = {}
    for number, question in enumerate(whole.questions):
        said[question.id] = render(question.gold) if number % 3 else '{"answer": "nothing at all"}'
    lines = [json.dumps({"id": key, "answer": text}) for key, text in said.items()]
    (folder / "answers.jsonl").write_text("\n".join(lines) + "\n")
    with (folder / "answers.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "answer"])
        writer.writerows(said.items())
    (folder / "reader_agent.py").write_text(
        "import json, sys, pathlib\n"
        f"SAID = {said!r}\n"
        "def answer(question):\n    return SAID[question['id']]\n"
        "async def later(question):\n"
        "    return {'text': SAID[question['id']], 'usage': {'input_tokens': 7, 'output_tokens': 3}}\n"
        "def fails(question):\n    raise ValueError('the warehouse is asleep')\n"
        "if __name__ == '__main__':\n    print(answer(json.load(sys.stdin)))\n"
    )
    return folder, len(whole.questions)


@pytest.fixture(scope="module")
def server(made):
    said = read_answers(made[0] / "answers.jsonl")
    dropped = set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            question = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if self.path == "/drops" and question["id"] not in dropped:
                dropped.add(question["id"])
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            broken = self.path == "/broken"
            body = json.dumps({"text": said[question["id"]]}).encode()
            self.send_response(500 if broken else 200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    served = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{served.server_address[1]}"
    served.shutdown()


def ask(made, tmp_path, model, **options):
    task = warebench_topology(questions=str(made[0] / "set"), method="question")
    options = {"display": "none", "score_display": False, "max_retries": 0, "fail_on_error": False} | options
    log = evaluate(task, model=f"agent/{model}", log_dir=str(tmp_path), **options)[0]
    assert log.samples is not None
    return log


def verdicts(log):
    """Return the verdicts of a log in which nothing failed."""
    assert [sample.error.message for sample in log.samples if sample.error] == []
    return {sample.id: sample.scores["verdict"].value["em"] for sample in log.samples if sample.scores}


def test_every_way_in_gets_the_same_verdicts(made, server, tmp_path, monkeypatch):
    folder, count = made
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    ways = [
        "python:reader_agent:answer",
        "python:reader_agent:later",
        f"command:{sys.executable} reader_agent.py",
        f"{server}/ask",
        f"{server}/drops",  # each question's first connection breaks
        "answers:answers.jsonl",
        "answers:answers.csv",
    ]
    found = [verdicts(ask((folder, count), tmp_path, way)) for way in ways]
    assert len(found[0]) == count >= 20
    assert set(found[0].values()) == {0.0, 1.0}
    assert found == [found[0]] * len(ways)


def test_usage_that_an_agent_tells_is_kept(made, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(made[0]))
    log = ask(made, tmp_path, "python:reader_agent:later", limit=2)
    usage = next(iter(log.samples[0].model_usage.values()))
    assert (usage.input_tokens, usage.output_tokens) == (7, 3)


@pytest.mark.parametrize(
    ("way", "message"),
    [
        ("python:reader_agent:fails", "the warehouse is asleep"),
        ("command:false", "ended with 1"),
        ("command:no-such-program", "no-such-program"),
        ("{server}/broken", "HTTP status 500"),
        ("answers:few.jsonl", "no answer to this question"),
    ],
)
def test_what_fails_is_an_error_of_its_sample(made, server, tmp_path, monkeypatch, way, message):
    monkeypatch.chdir(made[0])
    monkeypatch.syspath_prepend(str(made[0]))
    Path("few.jsonl").write_text('{"id": "another", "answer": 1}\n')
    log = ask(made, tmp_path, way.replace("{server}", server), limit=1)
    assert message in log.samples[0].error.message
    assert not log.samples[0].scores


def test_an_agent_that_hangs_ends_in_time(made, tmp_path):
    log = ask(
        made,
        tmp_path,
        f"command:{sys.executable} -c 'import time; time.sleep(60)'",
        limit=1,
        attempt_timeout=1,
    )
    assert log.samples[0].error is not None


def test_tools_are_not_for_agents(made, tmp_path):
    task = warebench_topology(questions=str(made[0] / "set"), method="tool_use")
    model = f"agent/answers:{made[0] / 'answers.jsonl'}"
    (log,) = evaluate(
        task, model=model, display="none", log_dir=str(tmp_path), limit=1, fail_on_error=False, max_retries=0
    )
    assert "--method question" in log.samples[0].error.message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pyton:a:b", "Did you mean `python`"),
        ("python:no_such_module_here:f", "cannot be imported"),
        ("python:json:no_such_function", "cannot be imported"),
        ("python:", "cannot be imported"),
        ("command: ", "empty"),
        ("answers:nowhere.jsonl", "cannot be read"),
    ],
)
def test_a_wrong_place_is_refused_before_the_run(name, message):
    with pytest.raises(RunError, match=message):
        AgentAPI(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": "a"}', "lacks"),
        ('{"answer": 1}', "lacks"),
        ("[1]", "lacks"),
        ('{"id": "a", "answer": 1}\n{"id": "a", "answer": 2}', "two answers"),
        ('{"id": "a", "answer": 1', "cannot be read"),
    ],
)
def test_torn_answers_are_refused_with_their_line(tmp_path, text, message):
    path = tmp_path / "answers.jsonl"
    path.write_text(text)
    with pytest.raises(RunError, match=message):
        read_answers(path)


def test_a_pipe_of_answers_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "answers.jsonl"
    os.mkfifo(path)
    with pytest.raises(RunError, match="pipe"):
        read_answers(path)


def test_the_example_runs_in_three_forms(made, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE.parent.absolute()))
    command = f"command:{sys.executable} {EXAMPLE.absolute()}"
    one, other = (verdicts(ask(made, tmp_path, way)) for way in ("python:my_agent:answer", command))
    assert one == other
    assert 0 < sum(one.values()) < len(one)
