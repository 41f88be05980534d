"""What of a trained network is exported: raw pixels go in, the task's own answer comes out.

Holds no file format, see `export.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .data.normalise import FLOOR, Normalisation, Normalise, compress
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
    range: tuple[float, float] = (0, 1)


# Linear, by the number of axes.
SMOOTH = {2: "bilinear", 3: "trilinear"}


class Answering(nn.Module):
    """Normalises, runs the network and makes of all heads' outputs, the main one first, the task's answer.

    `moments` (2,) are mean and deviation of the whole image in 0..1, for those who give the network parts of
    it, or an image with a border; where the deviation is 0 the image's own count.
    """

    def __init__(
        self, network: Network, rule: Normalisation, answer: Callable[[list[Tensor]], Tensor | list[Tensor]]
    ) -> None:
        super().__init__()
        self.normalise = Normalise(rule)
        self.network = network
        self.answer = answer

    @property
    def takes_moments(self) -> bool:
        """Where each image is normalised by itself."""
        return self.normalise.rule.kind != "data"

    def forward(self, image: Tensor, moments: Tensor | None = None) -> Tensor | list[Tensor]:
        heads = self.network(
            self.normalise(image)
            if moments is None
            else normalised(image, moments, self.normalise.rule.kind == "image")
        )
        return self.finish(heads, image)

    def finish(self, heads: list[Tensor], image: Tensor) -> Tensor | list[Tensor]:
        return self.answer(heads)


def normalised(image: Tensor, moments: Tensor, is_compressed: bool) -> Tensor:
    """As `Normalise` does each image by itself; by the given mean and deviation if there are such."""
    own = tuple(range(1, image.dim()))
    is_given = moments[1] > 0
    x = image - torch.where(is_given, moments[0], image.mean(own, keepdim=True))
    deviation = torch.where(is_given, moments[1], (x * x).mean(own, keepdim=True).sqrt())
    x = x / deviation.clamp(min=FLOOR)
    return compress(x) if is_compressed else x


def probabilities(network: Network, rule: Normalisation) -> Deployed:
    """Of classes that exclude each other, along axis 1: of a whole image, or of each pixel or voxel."""
    return Deployed(Naming(network, rule), {"probabilities": {"axis": 1}})


class Naming(Answering):
    """Answers with probabilities; maps that come at a part of the size are brought to the whole."""

    def __init__(self, network: Network, rule: Normalisation) -> None:
        super().__init__(network, rule, lambda heads: heads[0])

    def finish(self, heads: list[Tensor], image: Tensor) -> Tensor:
        logits = heads[0]
        axes = logits.dim() - 2
        if axes > 0 and logits.shape[2:] != image.shape[2:]:
            logits = F.interpolate(logits, size=image.shape[2:], mode=SMOOTH[axes], align_corners=False)
        return logits.softmax(1)
