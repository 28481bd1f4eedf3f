"""The provider behind `local.py`: Inspect's OpenAI-compatible client on our own llama.cpp server.

Imports `openai`, so it is loaded by `local.local_provider` only.
"""

import json
from typing import Any

from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage
from inspect_ai.model._providers.openai_compatible import OpenAICompatibleAPI
from openai import APIStatusError

from warebench.errors import RunError, did_you_mean
from warebench.harness.models.local import GEMMA
from warebench.harness.models.server import ServerKey, acquire, release
from warebench.harness.models.weights import gemma_weights

CONTEXT = 32_768
"""Most tokens the weights were trained on. At this size the process holds about 0.6 GB."""

MAX_TOKENS = 256

ANSWER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "answer": {
            "anyOf": [
                {"type": "boolean"},
                {"type": "integer", "minimum": 0, "maximum": 9999},
                {"type": "array", "items": {"type": "string", "maxLength": 60}, "maxItems": 8},
            ]
        }
    },
    "required": ["answer"],
    "additionalProperties": False,
}
"""What a base model is held to when the caller asks for no schema; bounded, so that it comes to an end."""

_EXCEEDED = "exceed_context_size_error"


class LocalAPI(OpenAICompatibleAPI):
    """gemma-3-270m on loopback. Temperature 0, answers constrained to JSON, one request at a time.

    Args:
        model_name: `gemma-3-270m`.
        base_url: Not used: the server is ours.
        api_key: Not used.
        config: Inspect's configuration; `response_schema` replaces `ANSWER_SCHEMA`.
        context: Tokens of prompt and answer together, up to 32,768 (`-M context=8192`).
        constrain: Hold answers to a schema (`-M constrain=false` shows what the base model says freely).
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        context: int = CONTEXT,
        constrain: bool = True,
    ) -> None:
        if model_name != GEMMA:
            raise RunError(
                f"no local model is named `{model_name}`",
                where=f"model local/{model_name}",
                fix=did_you_mean(model_name, [GEMMA]),
            )
        if not MAX_TOKENS < context <= CONTEXT:
            raise RunError(f"a context of {context} tokens is not possible", fix=f"give up to {CONTEXT}")
        self._key = ServerKey(weights=gemma_weights(), context=context)
        self._constrain = constrain
        self._held = False
        super().__init__(
            model_name=model_name,
            base_url=self._hold(),
            api_key="none",
            config=config or GenerateConfig(),
            service="local",
        )

    def _hold(self) -> str:
        address = acquire(self._key)
        self._held = True
        return f"{address}/v1"

    def initialize(self) -> None:
        """Start again after a close."""
        if not self._held:
            self.base_url = self._hold()
        super().initialize()

    async def aclose(self) -> None:
        """Close the client and give the server back."""
        await super().aclose()
        if self._held:
            self._held = False
            release(self._key)

    def max_connections(self) -> int:
        """One: the server computes one answer at a time."""
        return 1

    def completion_params(self, config: GenerateConfig, tools: bool) -> dict[str, Any]:
        """Return the request's parameters, with the schema as a llama.cpp grammar."""
        parameters = super().completion_params(config, tools)
        parameters.setdefault("temperature", 0.0)
        parameters.setdefault("max_tokens", MAX_TOKENS)
        wanted = parameters.pop("response_format", None)
        schema = wanted["json_schema"]["schema"] if wanted else ANSWER_SCHEMA
        # The server refuses a grammar of ours beside tools: it makes its own for their calls.
        if (wanted or self._constrain) and not tools:
            parameters["extra_body"] = {**parameters.get("extra_body", {}), "grammar": _grammar(schema)}
        return parameters

    def handle_bad_request(self, ex: APIStatusError) -> ModelOutput | Exception:
        """Turn a prompt that does not fit into an output that says so; the scorer leaves it unscored."""
        body = ex.body if isinstance(ex.body, dict) else {}
        if body.get("type") != _EXCEEDED:
            return super().handle_bad_request(ex)
        output = ModelOutput.from_content(self.model_name, "", stop_reason="model_length")
        tokens = int(body.get("n_prompt_tokens", 0))
        output.usage = ModelUsage(input_tokens=tokens, total_tokens=tokens)
        output.metadata = {"context": self._key.context, "prompt_tokens": tokens}
        return output


def _grammar(schema: dict[str, Any]) -> str:
    # free whitespace invites a base model to write tabs until its tokens are spent
    compact = {**schema, "x-guidance": {"whitespace_flexible": False}}
    return f"%llguidance {{}}\nstart: %json {json.dumps(compact)}"
