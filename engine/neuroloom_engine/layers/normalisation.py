"""Normalising layers; each takes every kind of tensor that the catalogue allows it."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .registry import Inputs, Params, builds, channel_axis, rank

BATCH_NORM = {1: nn.BatchNorm1d, 2: nn.BatchNorm2d, 3: nn.BatchNorm3d}
INSTANCE_NORM = {1: nn.InstanceNorm1d, 2: nn.InstanceNorm2d, 3: nn.InstanceNorm3d}


@builds("bn")
def batch_norm(params: Params, inputs: Inputs) -> nn.Module:
    return BATCH_NORM[rank(inputs[0])](
        inputs[0].channels, params.float("eps"), params.float("momentum"), params.flag("affine")
    )


@builds("gn")
def group_norm(params: Params, inputs: Inputs) -> nn.Module:
    norm = VectorGroupNorm if inputs[0].kind == "vec" else nn.GroupNorm
    return norm(params.int("groups"), inputs[0].channels, params.float("eps"))


class VectorGroupNorm(nn.GroupNorm):
    """An export writes group norm for pictures only."""

    def forward(self, input: Tensor) -> Tensor:
        return super().forward(input.unsqueeze(2)).squeeze(2)


@builds("inorm")
def instance_norm(params: Params, inputs: Inputs) -> nn.Module:
    return INSTANCE_NORM[rank(inputs[0])](
        inputs[0].channels, params.float("eps"), affine=params.flag("affine")
    )


@builds("ln")
def layer_norm(params: Params, inputs: Inputs) -> nn.Module:
    norm = ChannelLayerNorm if inputs[0].kind == "map" else nn.LayerNorm
    return norm(inputs[0].channels, params.float("eps"))


class ChannelLayerNorm(nn.LayerNorm):
    """Normalises the channels of each pixel of a channel-first map."""

    def forward(self, input: Tensor) -> Tensor:
        # Counted from the front: in an export a negative axis would be written as it stands, and refused.
        last = input.ndim - 1
        return super().forward(input.movedim(1, last)).movedim(last, 1)


@builds("lrn")
def local_response_norm(params: Params, inputs: Inputs) -> nn.Module:
    return nn.LocalResponseNorm(
        params.int("size"), params.float("alpha"), params.float("beta"), params.float("k")
    )


@builds("l2norm")
def l2_norm(params: Params, inputs: Inputs) -> nn.Module:
    return L2Norm(channel_axis(inputs[0]))


class L2Norm(nn.Module):
    def __init__(self, axis: int) -> None:
        super().__init__()
        self.axis = axis

    def forward(self, x: Tensor) -> Tensor:
        return F.normalize(x, dim=self.axis)


@builds("standardise")
def standardise(params: Params, inputs: Inputs) -> nn.Module:
    return Standardise(params.floats("mean"), params.floats("std"), rank(inputs[0]))


class Standardise(nn.Module):
    """Constants of the plan, so they are neither learned nor stored with the weights."""

    def __init__(self, mean: list[float], std: list[float], axes: int) -> None:
        super().__init__()
        shape = (1, -1, *[1] * axes)
        self.register_buffer("mean", torch.tensor(mean).view(shape), persistent=False)
        self.register_buffer("std", torch.tensor(std).view(shape), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        return (x - self.mean) / self.std
