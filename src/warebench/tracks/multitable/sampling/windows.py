"""How long a sampled database may be."""

from collections.abc import Mapping
from dataclasses import dataclass

from warebench.errors import BuildError


class WindowError(BuildError):
    """A sample of the length asked for cannot be made."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """Lengths a sampled database may have, in tokens of its Markdown; both bounds are allowed."""

    name: str
    minimum: int
    maximum: int

    def __post_init__(self) -> None:
        if not 0 < self.minimum <= self.maximum:
            raise WindowError(
                f"window {self.name} goes from {self.minimum:,} to {self.maximum:,} tokens",
                fix="give a minimum above 0 and a maximum that is not below it",
            )


WINDOWS: Mapping[str, Window] = {
    "8K": Window(name="8K", minimum=4000, maximum=6000),
    "16K": Window(name="16K", minimum=8000, maximum=12000),
    "32K": Window(name="32K", minimum=16000, maximum=24000),
    "64K": Window(name="64K", minimum=32000, maximum=48000),
}
"""Windows of TQA-Bench, TABLE III."""
