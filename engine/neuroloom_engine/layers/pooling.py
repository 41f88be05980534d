"""Pooling, local and global."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from .registry import Inputs, Params, builds, rank

MAX_POOL = {1: nn.MaxPool1d, 2: nn.MaxPool2d, 3: nn.MaxPool3d}
AVG_POOL = {1: nn.AvgPool1d, 2: nn.AvgPool2d, 3: nn.AvgPool3d}
ADAPTIVE_AVG = {1: nn.AdaptiveAvgPool1d, 2: nn.AdaptiveAvgPool2d, 3: nn.AdaptiveAvgPool3d}
ADAPTIVE_MAX = {1: nn.AdaptiveMaxPool1d, 2: nn.AdaptiveMaxPool2d, 3: nn.AdaptiveMaxPool3d}


@builds("maxpool")
def maxpool(params: Params, inputs: Inputs) -> nn.Module:
    return MAX_POOL[rank(inputs[0])](
        params.axis("kernel"),  # type: ignore[arg-type]
        params.axis("stride"),  # type: ignore[arg-type]
        params.axis("pad"),  # type: ignore[arg-type]
        params.axis("dilation"),  # type: ignore[arg-type]
        ceil_mode=params.flag("ceil"),
    )


@builds("avgpool")
def avgpool(params: Params, inputs: Inputs) -> nn.Module:
    return AVG_POOL[rank(inputs[0])](
        params.axis("kernel"),  # type: ignore[arg-type]
        params.axis("stride"),  # type: ignore[arg-type]
        params.axis("pad"),  # type: ignore[arg-type]
        count_include_pad=params.flag("countpad"),
    )


@builds("globalavg", "globalmax")
def global_pool(params: Params, inputs: Inputs) -> nn.Module:
    return GlobalPool(rank(inputs[0]), params.op == "globalmax", params.flag("keep"))


class GlobalPool(nn.Module):
    def __init__(self, axes: int, is_max: bool, keep: bool) -> None:
        super().__init__()
        self.axes = tuple(range(2, 2 + axes))
        self.is_max = is_max
        self.keep = keep

    def forward(self, x: Tensor) -> Tensor:
        return x.amax(self.axes, self.keep) if self.is_max else x.mean(self.axes, self.keep)


@builds("adaptavg", "adaptmax")
def adaptive_pool(params: Params, inputs: Inputs) -> nn.Module:
    size, source = params.axis("size"), inputs[0].size
    classes = ADAPTIVE_MAX if params.op == "adaptmax" else ADAPTIVE_AVG
    pool = classes[rank(inputs[0])](size)  # type: ignore[arg-type]
    is_even = all(whole % part == 0 for whole, part in zip(source, size, strict=True))
    return pool if is_even else UnevenPool(pool, source, size, params.op == "adaptmax")


class UnevenPool(nn.Module):
    """Adaptive pooling to a size that does not divide the input's.

    ONNX has no operator for it: an export writes the windows one by one.
    """

    def __init__(self, pool: nn.Module, source: tuple[int, ...], size: tuple[int, ...], is_max: bool) -> None:
        super().__init__()
        self.pool = pool
        self.is_max = is_max
        # First pixel and number of pixels of each window, for each axis.
        self.windows = [
            [(k * whole // part, -(-(k + 1) * whole // part) - k * whole // part) for k in range(part)]
            for whole, part in zip(source, size, strict=True)
        ]

    def forward(self, x: Tensor) -> Tensor:
        if not torch.onnx.is_in_onnx_export():
            return self.pool(x)
        for axis, windows in enumerate(self.windows, start=2):
            parts = [x.narrow(axis, start, length) for start, length in windows]
            folded = [part.amax(axis, True) if self.is_max else part.mean(axis, True) for part in parts]
            x = torch.cat(folded, axis)
        return x
