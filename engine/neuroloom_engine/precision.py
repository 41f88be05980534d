"""Mixed precision: a network's layers in 16 bits while a gradient is computed, weights and losses in 32.

The heads stay in 32 too, see `Network.advance`.

Gradients too small for 16 bits are kept by multiplying the loss beforehand (Micikevicius et al. 2018,
"Mixed Precision Training", section 3.2), with the usual rule for the factor. Not by GradScaler of torch, that
does nothing without a graphics card: so the same lines are tested on a processor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import torch
from torch import Tensor, nn

from .spec import Hyper

FIRST_SCALE, MOST_SCALE = 2.0**16, 2.0**24
# So many good steps, and the factor is doubled; a step whose gradient does not fit halves it and is left out.
GOOD_STEPS = 2000
# What torch computes in bfloat16 on processors, forwards and backwards, in whatever order: those of the
# built-in convolutional networks. With Intel's matrix tiles (AMX) a step then takes 0.4 to 0.7 of its time,
# else longer.
HALF_OPS = frozenset(
    {
        *("adaptavg", "add", "avgpool", "bn", "concat", "conv"),
        *("deconv", "dropout", "flatten", "globalavg", "leaky", "linear"),
        *("maxpool", "mul", "pixelshuffle", "prelu", "reduce", "relu"),
        *("resize_like", "scale", "sigmoid", "silu", "sub", "tanh"),
        "upsample",
    }
)


class Precision:
    """`half` is the type of the layers' numbers; None computes everything in 32 bits and scales nothing."""

    def __init__(self, kind: str = "cpu", half: torch.dtype | None = None) -> None:
        self.kind = kind
        self.half = half
        self.scale = FIRST_SCALE if half is not None else 1.0
        self.good = 0

    def layers(self) -> AbstractContextManager[object]:
        """Around a network's forward pass, on whatever thread."""
        return nullcontext() if self.half is None else torch.autocast(self.kind, self.half)

    def backward(self, loss: Tensor) -> None:
        (loss if self.half is None else loss * self.scale).backward()

    def settle(self, parameters: Iterable[nn.Parameter]) -> bool:
        """Takes the factor out of the gradients; False where they did not fit: the step must be left out."""
        if self.half is None:
            return True
        gradients = [one.grad for one in parameters if one.grad is not None]
        torch._foreach_mul_(gradients, 1 / self.scale)
        if not torch.stack([one.sum() for one in gradients]).isfinite().all():
            self.scale, self.good = self.scale / 2, 0
            return False
        self.good += 1
        if self.good == GOOD_STEPS:
            self.scale, self.good = min(MOST_SCALE, self.scale * 2), 0
        return True

    @property
    def is_lost(self) -> bool:
        """No factor is left with which the gradients would fit: something grows without end."""
        return self.scale < 1

    def to_json(self) -> dict[str, float]:
        return {} if self.half is None else {"scale": self.scale, "good": self.good}

    def from_json(self, raw: Mapping[str, float]) -> None:
        """Where a checkpoint left off; one of 32 bits, or of before, has nothing to say."""
        if self.half is not None and raw:
            self.scale, self.good = float(raw["scale"]), int(raw["good"])


def half_ops() -> frozenset[str]:
    """Operations that this processor computes faster in 16 bits: `HALF_OPS` with matrix tiles, else none."""
    return HALF_OPS if "amx_bf16" in own_flags() else frozenset()


def own_flags() -> frozenset[str]:
    """What Linux says that this processor can do."""
    try:
        return frozenset(Path("/proc/cpuinfo").read_text().split())
    except OSError:
        return frozenset()


def precision_of(device: torch.device, hyper: Hyper, ops: Iterable[str]) -> Precision:
    """16 bits where the run wants them and the device is quick in them with all that the network does."""
    if hyper.mixed_precision and device.type == "cuda":
        return Precision(device.type, torch.float16)
    if hyper.mixed_precision and half_ops().issuperset(ops):
        return Precision(device.type, torch.bfloat16)
    return Precision(device.type)
