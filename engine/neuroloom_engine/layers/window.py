"""Swin's attention in (shifted) windows of a 2-D map."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .registry import Inputs, Params, builds, split_axis
from .tokens import attend


@builds("window_attention")
def window_attention(params: Params, inputs: Inputs) -> nn.Module:
    return WindowAttention(
        inputs[0].channels,
        params.int("heads"),
        params.int("window"),
        params.int("shift"),
        params.flag("qkvbias"),
        inputs[0].size,
    )


class WindowAttention(nn.Module):
    def __init__(
        self, channels: int, heads: int, window: int, shift: int, bias: bool, size: tuple[int, ...]
    ) -> None:
        super().__init__()
        self.heads = heads
        self.width = channels // heads
        self.window = window
        self.shift = shift
        self.size = size
        self.qkv = nn.Linear(channels, 3 * channels, bias)
        self.out = nn.Linear(channels, channels)
        self.bias = nn.Parameter(nn.init.trunc_normal_(torch.empty((2 * window - 1) ** 2, heads), std=0.02))
        self.register_buffer("offsets", offset_table(window), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        w = self.window
        # In a trace the plan's own numbers are used, so that no shape arithmetic is recorded.
        height, width = self.size if torch.jit.is_tracing() else x.shape[2:]
        x = F.pad(x.permute(0, 2, 3, 1), (0, 0, 0, -width % w, 0, -height % w))
        rows, columns = -(-height // w), -(-width // w)
        # A map of one window has nothing to shift along that axis.
        shift = [self.shift if count > 1 else 0 for count in (rows, columns)]
        if any(shift):
            x = torch.roll(x, (-shift[0], -shift[1]), (1, 2))
        x = split_axis(split_axis(x, 2, columns, w), 1, rows, w).transpose(2, 3).flatten(3, 4)
        tokens = x.flatten(1, 2)  # (batch, windows, w·w, c)
        q, k, v = (
            split_axis(self.qkv(tokens), 3, 3, self.heads, self.width).permute(3, 0, 1, 4, 2, 5).unbind(0)
        )
        assert isinstance(self.offsets, Tensor)
        bias = self.bias[self.offsets].permute(2, 0, 1)  # (heads, w·w, w·w)
        if any(shift):
            bias = bias + shift_mask(rows, columns, w, shift, x).unsqueeze(1)
        out = self.out(
            attend(q, k, v, bias=bias.expand(rows * columns, -1, -1, -1)).transpose(2, 3).flatten(3)
        )
        out = (
            split_axis(split_axis(out, 2, w, w), 1, rows, columns).transpose(2, 3).flatten(3, 4).flatten(1, 2)
        )
        if any(shift):
            out = torch.roll(out, (shift[0], shift[1]), (1, 2))
        return out[:, :height, :width].permute(0, 3, 1, 2)


def offset_table(window: int) -> Tensor:
    """Row of the bias table for each pair of pixels of a window."""
    axis = torch.arange(window)
    y, x = (part.flatten() for part in torch.meshgrid(axis, axis, indexing="ij"))
    dy = y[:, None] - y[None] + window - 1
    dx = x[:, None] - x[None] + window - 1
    return dy * (2 * window - 1) + dx


def shift_mask(rows: int, columns: int, window: int, shift: list[int], like: Tensor) -> Tensor:
    """Keeps pixels apart that only the shift brought into one window: (windows, w·w, w·w) of 0 or -100.

    In numpy, so that an export sees a constant and not how it was made.
    """
    regions = [np.zeros(count * window, np.int64) for count in (rows, columns)]
    for region, amount in zip(regions, shift, strict=True):
        if amount:
            region[-window:-amount] = 1
            region[-amount:] = 2
    area = regions[0][:, None] * 3 + regions[1]
    ids = area.reshape(rows, window, columns, window).swapaxes(1, 2).reshape(-1, window**2)
    apart = np.where(ids[:, :, None] == ids[:, None], 0, -100).astype(np.float32)
    return torch.from_numpy(apart).to(like)
