"""What Inspect finds by the entry point `warebench`: tasks and model providers. Nothing else belongs here."""

from inspect_ai.model import ModelAPI, modelapi

from warebench.harness.models.local import local_provider
from warebench.harness.models.policy import POLICIES, policy_provider
from warebench.tracks.topology.planner.policy import planner
from warebench.tracks.topology.tasks import warebench_topology

__all__ = ["local", "policy", "warebench_topology"]


@modelapi(name="policy")
def policy() -> type[ModelAPI]:
    """Provide `policy/oracle`, `policy/random` and `policy/planner`."""
    return policy_provider({**POLICIES, "planner": planner})


@modelapi(name="local")
def local() -> type[ModelAPI]:
    """Provide `local/gemma-3-270m`."""
    return local_provider()
