"""Activations and random layers.

Those that only touch one number at a time may be run in place by the network.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .registry import Inputs, Params, builds, channel_axis, rank

PLAIN: dict[str, Callable[[], nn.Module]] = {
    "relu": nn.ReLU,
    "relu6": nn.ReLU6,
    "selu": nn.SELU,
    "gelu": nn.GELU,
    "silu": nn.SiLU,
    "mish": nn.Mish,
    "hardswish": nn.Hardswish,
    "hardsigmoid": nn.Hardsigmoid,
    "sigmoid": nn.Sigmoid,
    "tanh": nn.Tanh,
    "softplus": nn.Softplus,
    "identity": nn.Identity,
}


@builds(*PLAIN)
def plain(params: Params, inputs: Inputs) -> nn.Module:
    return PLAIN[params.op]()


@builds("leaky")
def leaky(params: Params, inputs: Inputs) -> nn.Module:
    return Leaky(params.float("slope"))


class Leaky(nn.LeakyReLU):
    """Takes its gradient from the result, which the next layer mostly keeps anyway.

    torch does so only in place.
    """

    def forward(self, input: Tensor) -> Tensor:
        if self.inplace or not torch.is_grad_enabled():
            return super().forward(input)
        return F.leaky_relu_(input.clone(), self.negative_slope)


@builds("elu")
def elu(params: Params, inputs: Inputs) -> nn.Module:
    return nn.ELU(params.float("alpha"))


@builds("prelu")
def prelu(params: Params, inputs: Inputs) -> nn.Module:
    if params.text("per") == "one":
        return nn.PReLU()
    return TokenPReLU(inputs[0].channels) if inputs[0].kind == "seq" else nn.PReLU(inputs[0].channels)


class TokenPReLU(nn.PReLU):
    """One slope per channel of a channel-last sequence."""

    def forward(self, input: Tensor) -> Tensor:
        return torch.where(input > 0, input, input * self.weight)


@builds("softmax")
def softmax(params: Params, inputs: Inputs) -> nn.Module:
    return nn.Softmax(channel_axis(inputs[0]))


@builds("clamp")
def clamp(params: Params, inputs: Inputs) -> nn.Module:
    return nn.Hardtanh(params.float("min"), params.float("max"))


@builds("dropout")
def dropout(params: Params, inputs: Inputs) -> nn.Module:
    return nn.Dropout(params.float("p"))


@builds("dropmap")
def dropmap(params: Params, inputs: Inputs) -> nn.Module:
    return {1: nn.Dropout1d, 2: nn.Dropout2d, 3: nn.Dropout3d}[rank(inputs[0])](params.float("p"))


@builds("droppath")
def droppath(params: Params, inputs: Inputs) -> nn.Module:
    return DropPath(params.float("p"))


class DropPath(nn.Module):
    """Drops a whole sample of the branch and scales the others up."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.p == 0:
            return x
        keep = 1 - self.p
        mask = torch.empty(x.shape[0], *[1] * (x.ndim - 1), dtype=x.dtype, device=x.device)
        return x * mask.bernoulli_(keep).div_(keep)


@builds("noise")
def noise(params: Params, inputs: Inputs) -> nn.Module:
    return Noise(params.float("std"))


class Noise(nn.Module):
    def __init__(self, std: float) -> None:
        super().__init__()
        self.std = std

    def forward(self, x: Tensor) -> Tensor:
        return x + torch.randn_like(x) * self.std if self.training else x
