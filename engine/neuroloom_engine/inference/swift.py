"""A predictor that runs a network faster where the same sizes come again and again."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from ..network import Network
from ..predict import Predictor, Way

# Writing a network down takes as long as five passes and saves a third of each: worth it from so many on.
WORTH_FROM = 16
# Optimised layers keep numbers in an order of their own, which merging maps of several sizes undoes again and
# again: U-Nets gain nothing (measured 1.0; ResNet-18 0.85, ESPCN 0.6, a small detector 0.67 of the time).
NEVER = ("segmentation", 4)
MOST_SHAPES = 4
# Of the largest number of an answer: rounding may differ by so much (measured where layers are joined: 8e-7).
RELATIVE = 1e-5


class Listed(nn.Module):
    """The heads as a tuple, which torch's tracer asks for."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, images: Tensor) -> tuple[Tensor, ...]:
        return tuple(self.network(images))


class SwiftPredictor(Predictor):
    """On processors with normalisations folded in; traced and optimised for each shape that comes often.

    Which way is taken follows from the network and the order of pictures, never from a clock: the same work
    gives the same numbers again.
    """

    def __init__(self, network: Network, device: torch.device) -> None:
        super().__init__(network, device)
        self._seen: Counter[tuple[int, ...]] = Counter()
        self._ways: dict[tuple[int, ...], Way] = {}
        self._folded = network

    def __enter__(self) -> Self:
        super().__enter__()
        if self.device.type == "cpu":
            self._folded = folded(self.network)
        return self

    def heads(self, images: Tensor) -> list[Tensor]:
        is_picture = self.device.type == "cpu" and images.ndim == 4
        return super().heads(images.contiguous(memory_format=torch.channels_last) if is_picture else images)

    def _way(self, images: Tensor) -> Way:
        if self.device.type != "cpu" or (self.network.task, images.ndim) == NEVER:
            return self._folded
        shape = tuple(images.shape)
        self._seen[shape] += 1
        if shape not in self._ways and self._seen[shape] >= WORTH_FROM and len(self._ways) < MOST_SHAPES:
            self._ways[shape] = compiled(self._folded, images)
        return self._ways.get(shape, self._folded)


def folded(network: Network) -> Network:
    """A copy in eval mode whose convolutions do what the batch normalisations behind them did."""
    copied = deepcopy(network)
    nodes = copied.plan.nodes
    uses = Counter(source for node in nodes for source in node.inputs.values())
    uses.update(head.source for head in copied.heads.values())
    shared = {node.share for node in nodes}
    for node in nodes:
        [source, *_] = node.inputs.values()
        if node.op != "bn" or uses[source] > 1 or node.share or {node.id, source} & shared:
            continue
        before, norm = copied._modules.get(source), copied.layer(node.id)
        if isinstance(before, nn.Conv2d | nn.Conv3d) and isinstance(norm, nn.BatchNorm2d | nn.BatchNorm3d):
            copied._modules[source] = fuse_conv_bn_eval(before, norm)
            copied._modules[node.id] = nn.Identity()
    return copied


def compiled(network: Network, images: Tensor) -> Way:
    """Optimised for inference; where torch cannot, or says otherwise, frozen; else the network itself."""
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = network(images)
        try:
            traced: Any = torch.jit.trace(Listed(network), images, check_trace=False)
            traced.eval()
        except (RuntimeError, TypeError, ValueError):
            return network
        # Kernels that are optimised know no third axis.
        makers = [torch.jit.optimize_for_inference] if images.ndim == 4 else []
        for make in [*makers, torch.jit.freeze]:
            try:
                way = make(traced)
                if is_alike(way(images), wanted):
                    return way
            except (RuntimeError, TypeError, ValueError):
                continue
        return network


def is_alike(found: Sequence[Tensor], wanted: Sequence[Tensor]) -> bool:
    return all(
        torch.allclose(one, other, rtol=0, atol=RELATIVE * float(other.abs().max()))
        for one, other in zip(found, wanted, strict=True)
    )
