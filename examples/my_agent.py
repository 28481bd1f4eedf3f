"""An agent of your own, in three forms. Put your own reasoning where `answer` stands.

    warebench run topology --questions sets/shop --method question --model agent/python:my_agent:answer
    warebench run topology --questions sets/shop --method question --model "agent/command:python my_agent.py"
    python my_agent.py 8765 &
    warebench run topology --questions sets/shop --method question --model agent/http://127.0.0.1:8765

The question comes as a dict: `id`, `track`, `catalog`, `question`, and `prompt`, which is all that a model
would read, the form of the answer included. Say the answer as text in that form.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(question: dict[str, str]) -> str:
    """Return the answer to one question: here always "no", or nothing at all."""
    return '{"answer": false}' if "true or false" in question["prompt"] else '{"answer": []}'


class Handler(BaseHTTPRequestHandler):
    """One question a request."""

    def do_POST(self) -> None:
        """Answer the question in the body."""
        body = self.rfile.read(int(self.headers["content-length"]))
        said = answer(json.loads(body)).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: object) -> None:
        """Say nothing of each request."""


if __name__ == "__main__":
    if len(sys.argv) > 1:
        ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
    sys.stdout.write(answer(json.load(sys.stdin)))
