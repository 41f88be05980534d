"""Pooling, local and global."""

from __future__ import annotations

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


@builds("adaptavg")
def adaptavg(params: Params, inputs: Inputs) -> nn.Module:
    return ADAPTIVE_AVG[rank(inputs[0])](params.axis("size"))  # type: ignore[arg-type]


@builds("adaptmax")
def adaptmax(params: Params, inputs: Inputs) -> nn.Module:
    return ADAPTIVE_MAX[rank(inputs[0])](params.axis("size"))  # type: ignore[arg-type]
