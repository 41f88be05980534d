"""Layers that change size, layout or kind and learn nothing."""

from __future__ import annotations

from math import prod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .registry import Inputs, Params, batch_of, builds, channel_axis, rank, split_axis, wrap

LINEAR = {1: "linear", 2: "bilinear", 3: "trilinear"}


def interpolation(params: Params, axes: int) -> tuple[str, bool | None]:
    """torch's mode name and its `align_corners`, which nearest does not take."""
    mode = params.text("mode")
    if mode == "nearest":
        return "nearest", None
    return ("bicubic" if mode == "cubic" else LINEAR[axes]), params.flag("align")


@builds("upsample")
def upsample(params: Params, inputs: Inputs) -> nn.Module:
    mode, align = interpolation(params, rank(inputs[0]))
    factor = tuple(float(axis) for axis in params.axis("factor"))
    return nn.Upsample(scale_factor=factor, mode=mode, align_corners=align)


@builds("resize")
def resize(params: Params, inputs: Inputs) -> nn.Module:
    mode, align = interpolation(params, rank(inputs[0]))
    return nn.Upsample(size=params.axis("size"), mode=mode, align_corners=align)  # type: ignore[arg-type]


@builds("resize_like")
def resize_like(params: Params, inputs: Inputs) -> nn.Module:
    return ResizeLike(*interpolation(params, rank(inputs[0])))


class ResizeLike(nn.Module):
    def __init__(self, mode: str, align: bool | None) -> None:
        super().__init__()
        self.mode = mode
        self.align = align

    def forward(self, x: Tensor, ref: Tensor) -> Tensor:
        # Equal sizes need no work; in an export the sizes must stay open, so the resize is always written.
        if not torch.onnx.is_in_onnx_export() and x.shape[2:] == ref.shape[2:]:
            return x
        return F.interpolate(x, size=ref.shape[2:], mode=self.mode, align_corners=self.align)


@builds("crop_like")
def crop_like(params: Params, inputs: Inputs) -> nn.Module:
    return CropLike()


class CropLike(nn.Module):
    def forward(self, x: Tensor, ref: Tensor) -> Tensor:
        for axis in range(2, x.ndim):
            start = (x.shape[axis] - ref.shape[axis]) // 2
            x = x.narrow(axis, start, ref.shape[axis])
        # An export forgets the number of channels over a cut whose place it does not know.
        return x.reshape(-1, int(x.shape[1]), *ref.shape[2:]) if torch.onnx.is_in_onnx_export() else x


@builds("crop")
def crop(params: Params, inputs: Inputs) -> nn.Module:
    return Pad(tuple(-amount for amount in params.axis("amount")), "constant")


@builds("pad")
def pad(params: Params, inputs: Inputs) -> nn.Module:
    mode = params.text("mode")
    return Pad(params.axis("amount"), "constant" if mode == "zeros" else mode)


class Pad(nn.Module):
    """Adds (or, if negative, takes away) the same amount on both sides of each axis."""

    def __init__(self, amount: tuple[int, ...], mode: str) -> None:
        super().__init__()
        self.amount = [side for axis in reversed(amount) for side in (axis, axis)]
        self.mode = mode

    def forward(self, x: Tensor) -> Tensor:
        if self.mode == "circular" and torch.onnx.is_in_onnx_export():
            # torch 1.13 writes it wrongly, and without a word.
            return wrap(x, self.amount[::-2])
        return F.pad(x, self.amount, mode=self.mode)


@builds("pixelshuffle", "pixelunshuffle")
def pixel_shuffle(params: Params, inputs: Inputs) -> nn.Module:
    factor, axes = params.int("factor"), rank(inputs[0])
    if axes == 2:
        return nn.PixelShuffle(factor) if params.op == "pixelshuffle" else nn.PixelUnshuffle(factor)
    return (Shuffle if params.op == "pixelshuffle" else Unshuffle)(factor, axes)


class Shuffle(nn.Module):
    """Pixel shuffle for any number of axes: channels become space."""

    def __init__(self, factor: int, axes: int) -> None:
        super().__init__()
        self.factor = factor
        self.axes = axes

    def forward(self, x: Tensor) -> Tensor:
        # Channels as a plain number, so that an export knows how many there are.
        size, channels = x.shape[2:], int(x.shape[1]) // self.factor**self.axes
        x = x.reshape(batch_of(x), channels, *[self.factor] * self.axes, *size)
        order = [axis for k in range(self.axes) for axis in (2 + self.axes + k, 2 + k)]
        x = x.permute(0, 1, *order)
        return x.reshape(batch_of(x), channels, *[side * self.factor for side in size])


class Unshuffle(Shuffle):
    def forward(self, x: Tensor) -> Tensor:
        size = [side // self.factor for side in x.shape[2:]]
        split = [part for side in size for part in (side, self.factor)]
        order = [*range(3, 3 + 2 * self.axes, 2), *range(2, 2 + 2 * self.axes, 2)]
        channels = int(x.shape[1])
        x = x.reshape(batch_of(x), channels, *split).permute(0, 1, *order)
        return x.reshape(batch_of(x), channels * self.factor**self.axes, *size)


@builds("slice")
def slice_channels(params: Params, inputs: Inputs) -> nn.Module:
    return Slice(channel_axis(inputs[0]), params.int("from"), params.int("to"))


class Slice(nn.Module):
    def __init__(self, axis: int, start: int, stop: int) -> None:
        super().__init__()
        self.axis = axis
        self.start = start
        self.length = stop - start

    def forward(self, x: Tensor) -> Tensor:
        return x.narrow(self.axis, self.start, self.length)


@builds("shuffle_channels")
def shuffle_channels(params: Params, inputs: Inputs) -> nn.Module:
    return ShuffleChannels(params.int("groups"))


class ShuffleChannels(nn.Module):
    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, x: Tensor) -> Tensor:
        channels, size = int(x.shape[1]), x.shape[2:]
        x = x.reshape(batch_of(x), self.groups, channels // self.groups, *size).transpose(1, 2)
        return x.reshape(batch_of(x), channels, *size)


@builds("reduce")
def reduce(params: Params, inputs: Inputs) -> nn.Module:
    return Reduce(params.text("fn"))


class Reduce(nn.Module):
    """Folds the channels of each pixel into one."""

    def __init__(self, fn: str) -> None:
        super().__init__()
        self.fn = fn

    def forward(self, x: Tensor) -> Tensor:
        if self.fn == "max":
            return x.amax(1, keepdim=True)
        if self.fn == "l2":
            return torch.linalg.vector_norm(x, dim=1, keepdim=True)
        return x.sum(1, keepdim=True) if self.fn == "sum" else x.mean(1, keepdim=True)


@builds("flatten")
def flatten(params: Params, inputs: Inputs) -> nn.Module:
    return nn.Flatten()


@builds("to_map")
def to_map(params: Params, inputs: Inputs) -> nn.Module:
    return ToMap((params.int("channels"), *params.axis("size")))


class ToMap(nn.Module):
    def __init__(self, shape: tuple[int, ...]) -> None:
        super().__init__()
        self.shape = shape

    def forward(self, x: Tensor) -> Tensor:
        return split_axis(x, 1, *self.shape)


@builds("to_tokens")
def to_tokens(params: Params, inputs: Inputs) -> nn.Module:
    return ToTokens()


class ToTokens(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.flatten(2).transpose(1, 2)  # (batch, n, c)


@builds("tokens_to_map")
def tokens_to_map(params: Params, inputs: Inputs) -> nn.Module:
    return TokensToMap(inputs[1].size)


class TokensToMap(nn.Module):
    """Takes the reference's size.

    In a trace the plan's own numbers, so that no shape arithmetic is recorded.
    """

    def __init__(self, size: tuple[int, ...]) -> None:
        super().__init__()
        self.size = size

    def forward(self, x: Tensor, ref: Tensor) -> Tensor:
        size = self.size if torch.jit.is_tracing() else tuple(ref.shape[2:])
        assert torch.jit.is_tracing() or x.shape[1] == prod(size), (x.shape, size)
        return split_axis(x.transpose(1, 2), 2, *size)
