"""Convolutions and linear layers. The common 2×2 transposed convolution runs as a matrix product."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .registry import Inputs, Params, builds, rank, wrap

CONV = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}
DECONV = {1: nn.ConvTranspose1d, 2: nn.ConvTranspose2d, 3: nn.ConvTranspose3d}


@builds("conv")
def conv(params: Params, inputs: Inputs) -> nn.Module:
    classes = CIRCULAR if params.text("mode") == "circular" else CONV
    return classes[rank(inputs[0])](
        inputs[0].channels,
        params.int("out"),
        params.axis("kernel"),  # type: ignore[arg-type]
        params.axis("stride"),  # type: ignore[arg-type]
        params.axis("pad"),  # type: ignore[arg-type]
        params.axis("dilation"),  # type: ignore[arg-type]
        params.int("groups"),
        params.flag("bias"),
        params.text("mode"),
    )


class Circular(nn.modules.conv._ConvNd):
    """Pads by hand in an export: torch 1.13 writes circular padding wrongly, and without a word."""

    def forward(self, input: Tensor) -> Tensor:
        if not torch.onnx.is_in_onnx_export():
            return super().forward(input)
        run = (F.conv1d, F.conv2d, F.conv3d)[len(self.kernel_size) - 1]
        around = wrap(input, [int(amount) for amount in self.padding])
        return run(around, self.weight, self.bias, self.stride, 0, self.dilation, self.groups)  # type: ignore[call-overload]


class CircularConv1d(Circular, nn.Conv1d):
    pass


class CircularConv2d(Circular, nn.Conv2d):
    pass


class CircularConv3d(Circular, nn.Conv3d):
    pass


CIRCULAR = {1: CircularConv1d, 2: CircularConv2d, 3: CircularConv3d}


@builds("dwconv")
def depthwise(params: Params, inputs: Inputs) -> nn.Module:
    channels = inputs[0].channels
    return CONV[rank(inputs[0])](
        channels,
        channels * params.int("mult"),
        params.axis("kernel"),  # type: ignore[arg-type]
        params.axis("stride"),  # type: ignore[arg-type]
        params.axis("pad"),  # type: ignore[arg-type]
        params.axis("dilation"),  # type: ignore[arg-type]
        channels,
        params.flag("bias"),
    )


@builds("deconv")
def deconv(params: Params, inputs: Inputs) -> nn.Module:
    kernel, stride, pad = params.axis("kernel"), params.axis("stride"), params.axis("pad")
    outpad, dilation = params.axis("outpad"), params.axis("dilation")
    is_doubling = (kernel, stride, pad, outpad, dilation) == ((2, 2), (2, 2), (0, 0), (0, 0), (1, 1))
    make = DoublingDeconv if is_doubling and params.int("groups") == 1 else DECONV[rank(inputs[0])]
    return make(
        inputs[0].channels,
        params.int("out"),
        kernel,  # type: ignore[arg-type]
        stride,  # type: ignore[arg-type]
        pad,  # type: ignore[arg-type]
        outpad,  # type: ignore[arg-type]
        params.int("groups"),
        params.flag("bias"),
        dilation,  # type: ignore[arg-type]
    )


class DoublingDeconv(nn.ConvTranspose2d):
    """A 2×2 transposed convolution of stride 2 touches each output once, so it is one matrix product on
    CPU.
    """

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        if torch.onnx.is_in_onnx_export() or input.is_cuda:
            return super().forward(input)
        batch, _, height, width = input.shape
        pixels = input.permute(0, 2, 3, 1)  # (batch, h, w, in); a view of a channels-last tensor
        weight = self.weight.permute(0, 2, 3, 1).reshape(self.in_channels, -1)  # (in, 2·2·out)
        bias = None if self.bias is None else self.bias.repeat(4)
        out = F.linear(pixels, weight.t(), bias)
        out = out.reshape(batch, height, width, 2, 2, self.out_channels).transpose(2, 3)
        return out.reshape(batch, 2 * height, 2 * width, self.out_channels).permute(0, 3, 1, 2)


@builds("linear")
def linear(params: Params, inputs: Inputs) -> nn.Module:
    return nn.Linear(inputs[0].channels, params.int("out"), params.flag("bias"))


@builds("patches")
def patches(params: Params, inputs: Inputs) -> nn.Module:
    size = params.axis("size")
    return Patches(CONV[rank(inputs[0])](inputs[0].channels, params.int("dim"), size, size))  # type: ignore[arg-type]


class Patches(nn.Module):
    def __init__(self, project: nn.Module) -> None:
        super().__init__()
        self.project = project

    def forward(self, x: Tensor) -> Tensor:
        return self.project(x).flatten(2).transpose(1, 2)  # (batch, n, dim)
