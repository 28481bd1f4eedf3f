"""What Inspect finds by the entry point `warebench`: tasks and model providers. Nothing else belongs here."""

from inspect_ai.model import ModelAPI, modelapi

from warebench.harness.models.agent import agent_provider
from warebench.harness.models.local import local_provider
from warebench.harness.models.policy import POLICIES, policy_provider
from warebench.tracks.budget.policies import POLICIES as BUDGET_POLICIES
from warebench.tracks.budget.tasks import warebench_budget
from warebench.tracks.intelligence.policies import POLICIES as INTELLIGENCE_POLICIES
from warebench.tracks.intelligence.tasks import warebench_intelligence
from warebench.tracks.multitable.policies import POLICIES as MULTITABLE_POLICIES
from warebench.tracks.multitable.tasks import warebench_multitable
from warebench.tracks.topology.planner.policy import planner
from warebench.tracks.topology.tasks import warebench_topology

__all__ = [
    "agent",
    "local",
    "policy",
    "warebench_budget",
    "warebench_intelligence",
    "warebench_multitable",
    "warebench_topology",
]


@modelapi(name="policy")
def policy() -> type[ModelAPI]:
    """Provide the policies of the harness and those of the tracks; topology's is `planner`."""
    of_tracks = {**MULTITABLE_POLICIES, **BUDGET_POLICIES, **INTELLIGENCE_POLICIES}
    return policy_provider({**POLICIES, "planner": planner, **of_tracks})


@modelapi(name="local")
def local() -> type[ModelAPI]:
    """Provide `local/gemma-3-270m`."""
    return local_provider()


@modelapi(name="agent")
def agent() -> type[ModelAPI]:
    """Provide agents of the user's own: `agent/python:MODULE:FUNCTION`, `agent/command:...`, `agent/http://...`."""
    return agent_provider()
