"""Layers on sequences: learned tokens and positions, attention, recurrence."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .registry import Inputs, Params, builds, split_axis


@builds("cls_token")
def cls_token(params: Params, inputs: Inputs) -> nn.Module:
    return ClassToken(params.int("count"), inputs[0].channels)


class ClassToken(nn.Module):
    def __init__(self, count: int, channels: int) -> None:
        super().__init__()
        self.token = nn.Parameter(nn.init.trunc_normal_(torch.empty(1, count, channels), std=0.02))

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1)


@builds("pos_embed")
def pos_embed(params: Params, inputs: Inputs) -> nn.Module:
    return PositionEmbedding(inputs[0].tokens, inputs[0].channels, params.float("std"))


class PositionEmbedding(nn.Module):
    def __init__(self, tokens: int, channels: int, std: float) -> None:
        super().__init__()
        self.position = nn.Parameter(
            nn.init.trunc_normal_(torch.empty(1, tokens, channels), std=max(std, 1e-6))
        )

    def forward(self, x: Tensor) -> Tensor:
        return x + self.position


@builds("take_token")
def take_token(params: Params, inputs: Inputs) -> nn.Module:
    return TakeToken(params.int("index"))


class TakeToken(nn.Module):
    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index

    def forward(self, x: Tensor) -> Tensor:
        return x[:, self.index]


@builds("mean_tokens")
def mean_tokens(params: Params, inputs: Inputs) -> nn.Module:
    return MeanTokens()


class MeanTokens(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x.mean(1)


@builds("attention")
def attention(params: Params, inputs: Inputs) -> nn.Module:
    context = inputs[1].channels if len(inputs) > 1 else None
    return Attention(
        inputs[0].channels, context, params.int("heads"), params.flag("qkvbias"), params.float("drop")
    )


class Attention(nn.Module):
    """Multi-head attention over the sequence itself, or over a second one."""

    def __init__(self, channels: int, context: int | None, heads: int, bias: bool, drop: float) -> None:
        super().__init__()
        self.heads = heads
        self.width = channels // heads
        self.drop = drop
        self.is_self = context is None
        self.query = nn.Linear(channels, 3 * channels if context is None else channels, bias)
        self.key_value = nn.Identity() if context is None else nn.Linear(context, 2 * channels, bias)
        self.out = nn.Linear(channels, channels)

    def forward(self, x: Tensor, context: Tensor | None = None) -> Tensor:
        if self.is_self or context is None:
            q, k, v = split_axis(self.query(x), 2, 3, self.heads, self.width).unbind(2)
        else:
            q = split_axis(self.query(x), 2, self.heads, self.width)
            k, v = split_axis(self.key_value(context), 2, 2, self.heads, self.width).unbind(2)
        out = attend(*(part.transpose(1, 2) for part in (q, k, v)), drop=self.drop if self.training else 0.0)
        return self.out(out.transpose(1, 2).flatten(2))


def attend(q: Tensor, k: Tensor, v: Tensor, drop: float = 0.0, bias: Tensor | None = None) -> Tensor:
    """Softmax attention; torch's own kernel where the version has it, by hand in an export and before 2.0."""
    fast = getattr(F, "scaled_dot_product_attention", None)
    if fast is not None and not torch.onnx.is_in_onnx_export():
        return fast(q, k, v, attn_mask=bias, dropout_p=drop)
    weights = (q * q.shape[-1] ** -0.5) @ k.transpose(-2, -1)  # (…, n, n_context)
    weights = (weights if bias is None else weights + bias).softmax(-1)
    return F.dropout(weights, drop) @ v if drop else weights @ v


@builds("lstm", "gru")
def recurrent(params: Params, inputs: Inputs) -> nn.Module:
    make = nn.LSTM if params.op == "lstm" else nn.GRU
    cell = make(
        inputs[0].channels,
        params.int("hidden"),
        params.int("layers"),
        batch_first=True,
        bidirectional=params.flag("both"),
    )
    return Recurrent(cell)


class Recurrent(nn.Module):
    def __init__(self, cell: nn.RNNBase) -> None:
        super().__init__()
        self.cell = cell

    def forward(self, x: Tensor) -> Tensor:
        return self.cell(x)[0]
