"""A predictor that runs a network faster where the same sizes come again and again."""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import torch
from torch import Tensor, nn

from ..network import Network
from ..predict import Predictor

# Writing a network down takes as long as some passes: only what comes again is worth it.
WORTH_FROM = 3
MOST_SHAPES = 4
# What rounding may differ by where layers are joined.
RELATIVE, ABSOLUTE = 1e-3, 1e-4


class Listed(nn.Module):
    """The heads as a tuple, which torch's tracer asks for."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, images: Tensor) -> tuple[Tensor, ...]:
        return tuple(self.network(images))


class SwiftPredictor(Predictor):
    """On processors traced and frozen for each shape that comes often.

    Kept only where the answer is alike.
    """

    def __init__(self, network: Network, device: torch.device) -> None:
        super().__init__(network, device)
        self._seen: Counter[tuple[int, ...]] = Counter()
        self._traced: dict[tuple[int, ...], Any] = {}

    def heads(self, images: Tensor) -> list[Tensor]:
        shape = tuple(images.shape)
        if self.device.type != "cpu":
            return super().heads(images)
        self._seen[shape] += 1
        if shape not in self._traced and self._seen[shape] >= WORTH_FROM and len(self._traced) < MOST_SHAPES:
            self._traced[shape] = trace(self.network, images)
        traced = self._traced.get(shape)
        if traced is None:
            return super().heads(images)
        with torch.inference_mode():
            return [output.float() for output in traced(images)]


def trace(network: Network, images: Tensor) -> Any:
    """None where torch cannot, or where the traced network says something else."""
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            traced: Any = torch.jit.trace(Listed(network), images, check_trace=False)
            frozen = torch.jit.freeze(traced.eval())
            found, wanted = frozen(images), network(images)
        except (RuntimeError, TypeError, ValueError):
            return None
    alike = (torch.allclose(one, other, RELATIVE, ABSOLUTE) for one, other in zip(found, wanted, strict=True))
    return frozen if all(alike) else None
