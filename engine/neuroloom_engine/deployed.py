"""What of a trained network is exported: raw pixels go in, the task's own answer comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from .data.normalise import Normalisation, Normalise
from .network import Network


@dataclass(frozen=True)
class Deployed:
    """`module` takes raw pixels in 0..1 as (batch, c, …) and returns a tensor, or a list with several.

    `outputs` names them in that order and holds of each, as JSON, what its users must know. `pixels` says how
    a file becomes the numbers that go in.
    """

    module: nn.Module
    outputs: Mapping[str, Mapping[str, Any]]
    pixels: str = "pixel / 255, colour order RGB; deeper files stretched from darkest to brightest pixel"


class Answering(nn.Module):
    """Normalises, runs the network and makes of all heads' outputs, the main one first, the task's answer."""

    def __init__(
        self, network: Network, rule: Normalisation, answer: Callable[[list[Tensor]], Tensor | list[Tensor]]
    ) -> None:
        super().__init__()
        self.normalise = Normalise(rule)
        self.network = network
        self.answer = answer

    def forward(self, image: Tensor) -> Tensor | list[Tensor]:
        return self.answer(self.network(self.normalise(image)))


def probabilities(network: Network, rule: Normalisation) -> Deployed:
    """Of classes that exclude each other, along axis 1: of a whole image, or of each pixel or voxel."""
    return Deployed(
        Answering(network, rule, lambda heads: heads[0].softmax(1)), {"probabilities": {"axis": 1}}
    )
