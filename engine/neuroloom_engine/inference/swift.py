"""A predictor that runs a network faster where the same sizes come again and again."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ..network import Network
from ..predict import Predictor

Way = Callable[[Tensor], Sequence[Tensor]]

# Writing a network down takes as long as some passes: only what comes again is worth it.
WORTH_FROM = 3
MOST_SHAPES = 4
# Of the largest number of an answer: rounding may differ by so much (measured where layers are joined: 8e-7).
RELATIVE = 1e-5
# Passes of each way before one is chosen; torch compiles in the first two.
TRIALS, COMPILING = 4, 2


class Listed(nn.Module):
    """The heads as a tuple, which torch's tracer asks for."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, images: Tensor) -> tuple[Tensor, ...]:
        return tuple(self.network(images))


class Quickest:
    """Ways to the same answer: batches take them in turn, each timed, until the quickest is known.

    Which one that is differs by network and size (optimised for inference a small ESPCN is twice as fast, a
    U-Net no faster than frozen), so it is measured on the work itself; no pass is made for the clock alone.
    """

    def __init__(self, ways: Sequence[Way]) -> None:
        self._ways = list(ways)
        self._seconds: list[list[float]] = [[] for _ in ways]
        self.chosen: Way | None = self._ways[0] if len(ways) == 1 else None

    def __call__(self, images: Tensor) -> Sequence[Tensor]:
        if self.chosen is not None:
            return self.chosen(images)
        index = min(range(len(self._ways)), key=lambda one: len(self._seconds[one]))
        begun = time.perf_counter()
        answer = self._ways[index](images)
        self._seconds[index].append(time.perf_counter() - begun)
        if all(len(seconds) == TRIALS for seconds in self._seconds):
            # Other work on the machine makes passes slower, never faster.
            best = [min(seconds[COMPILING:]) for seconds in self._seconds]
            self.chosen = self._ways[best.index(min(best))]
        return answer


class SwiftPredictor(Predictor):
    """On processors traced, frozen and optimised for each shape that comes often.

    A way is taken only where its answer is alike, and quickest.
    """

    def __init__(self, network: Network, device: torch.device) -> None:
        super().__init__(network, device)
        self._seen: Counter[tuple[int, ...]] = Counter()
        self._ways: dict[tuple[int, ...], Quickest] = {}

    def heads(self, images: Tensor) -> list[Tensor]:
        if self.device.type != "cpu":
            return super().heads(images)
        if images.ndim == 4:
            images = images.contiguous(memory_format=torch.channels_last)
        shape = tuple(images.shape)
        self._seen[shape] += 1
        if shape not in self._ways and self._seen[shape] >= WORTH_FROM and len(self._ways) < MOST_SHAPES:
            self._ways[shape] = Quickest([self.network, *compiled(self.network, images)])
        with torch.inference_mode():
            return [output.float() for output in self._ways.get(shape, self.network)(images)]


def compiled(network: Network, images: Tensor) -> list[Way]:
    """The network traced and frozen, and that optimised for inference; without what torch cannot do, or does
    otherwise.
    """
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = network(images)
        try:
            traced: Any = torch.jit.trace(Listed(network), images, check_trace=False)
            frozen = torch.jit.freeze(traced.eval())
        except (RuntimeError, TypeError, ValueError):
            return []
        ways = [frozen]
        # Its kernels know no third axis.
        if images.ndim == 4:
            ways += optimised(traced)
        return [way for way in ways if is_alike(way, images, wanted)]


def optimised(traced: Any) -> list[Way]:
    try:
        # Freezes a copy for itself: one that is frozen already would be changed in place.
        return [torch.jit.optimize_for_inference(traced)]
    except (RuntimeError, TypeError, ValueError):
        return []


def is_alike(way: Way, images: Tensor, wanted: Sequence[Tensor]) -> bool:
    try:
        found = way(images)
    except RuntimeError:
        return False
    return all(
        torch.allclose(one, other, rtol=0, atol=RELATIVE * float(other.abs().max()))
        for one, other in zip(found, wanted, strict=True)
    )
