"""Layers that join tensors, and learned or fixed scaling."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from .registry import Inputs, Params, builds, channel_axis, rank


@builds("add", "sub", "mul", "maximum", "mean")
def combine(params: Params, inputs: Inputs) -> nn.Module:
    return {"add": Add, "sub": Sub, "mul": Mul, "maximum": Maximum, "mean": Mean}[params.op]()


class Add(nn.Module):
    def forward(self, first: Tensor, *others: Tensor) -> Tensor:
        for other in others:
            first = first + other
        return first


class Mean(Add):
    def forward(self, first: Tensor, *others: Tensor) -> Tensor:
        return super().forward(first, *others) / (1 + len(others))


class Sub(nn.Module):
    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        return a - b


class Mul(nn.Module):
    def forward(self, first: Tensor, *others: Tensor) -> Tensor:
        for other in others:
            first = first * other
        return first


class Maximum(nn.Module):
    def forward(self, first: Tensor, *others: Tensor) -> Tensor:
        for other in others:
            first = torch.maximum(first, other)
        return first


@builds("wadd")
def weighted_add(params: Params, inputs: Inputs) -> nn.Module:
    return WeightedAdd(len(inputs))


class WeightedAdd(nn.Module):
    """Sum with learned non-negative shares that add up to one (BiFPN's fast fusion)."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(count))

    def forward(self, *inputs: Tensor) -> Tensor:
        shares = torch.relu(self.weight)
        shares = shares / (shares.sum() + 1e-4)
        total = inputs[0] * shares[0]
        for index, tensor in enumerate(inputs[1:], start=1):
            total = total + tensor * shares[index]
        return total


@builds("concat")
def concat(params: Params, inputs: Inputs) -> nn.Module:
    return Concat(channel_axis(inputs[0]))


@builds("concat_tokens")
def concat_tokens(params: Params, inputs: Inputs) -> nn.Module:
    return Concat(1)


class Concat(nn.Module):
    def __init__(self, axis: int) -> None:
        super().__init__()
        self.axis = axis

    def forward(self, *inputs: Tensor) -> Tensor:
        return torch.cat(inputs, self.axis)


@builds("scale")
def scale(params: Params, inputs: Inputs) -> nn.Module:
    kind = inputs[0]
    channels = kind.channels if params.text("learn") == "channel" else 1
    shape = (channels, *[1] * rank(kind)) if kind.kind == "map" else (channels,)
    return Scale(params.float("value"), params.text("learn") != "no", shape)


class Scale(nn.Module):
    def __init__(self, value: float, is_learned: bool, shape: tuple[int, ...]) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full(shape, value)) if is_learned else value

    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight
