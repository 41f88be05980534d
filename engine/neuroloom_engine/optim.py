"""Optimisers by name and learning rates as pure functions of the position, so that resuming needs no
scheduler state.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from .spec import Hyper

ONECYCLE_WARMUP, ONECYCLE_START, ONECYCLE_END = 0.12, 1 / 10, 1e-3
MOMENTUM = 0.9


def make_optimizer(network: nn.Module, hyper: Hyper) -> torch.optim.Optimizer:
    """Biases and normalisation factors are not decayed."""
    parameters = list(network.parameters())
    groups = [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": hyper.weight_decay},
        {"params": [p for p in parameters if p.ndim <= 1], "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    # `foreach` exists at run time in every supported version, though torch 1.13 does not declare it.
    common: dict[str, Any] = {"lr": hyper.learning_rate, "foreach": True}
    if hyper.optimizer == "adamw":
        return torch.optim.AdamW(groups, **common)
    if hyper.optimizer == "adam":
        return torch.optim.Adam(groups, **common)
    if hyper.optimizer == "rmsprop":
        return torch.optim.RMSprop(groups, **common)
    return torch.optim.SGD(groups, momentum=MOMENTUM, nesterov=True, **common)


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    for group in optimizer.param_groups:
        group["lr"] = rate


def learning_rate(hyper: Hyper, epoch: int, part: float, plateau_factor: float) -> float:
    """Rate in epoch 1… after `part` (0..1) of its steps."""
    rate, done = hyper.learning_rate, epoch - 1
    if hyper.scheduler == "step":
        return rate * hyper.decay_ratio ** (done // hyper.decay_interval)
    if hyper.scheduler == "exponential":
        return rate * hyper.decay_ratio**done
    if hyper.scheduler == "plateau":
        return rate * plateau_factor
    share = (done + part) / hyper.epochs
    if hyper.scheduler == "cosine":
        return rate * half_cosine(share)
    if hyper.scheduler == "onecycle":
        if share < ONECYCLE_WARMUP:
            return rate * (ONECYCLE_START + (1 - ONECYCLE_START) * (1 - half_cosine(share / ONECYCLE_WARMUP)))
        falling = half_cosine((share - ONECYCLE_WARMUP) / (1 - ONECYCLE_WARMUP))
        return rate * (ONECYCLE_END + (1 - ONECYCLE_END) * falling)
    return rate


def half_cosine(share: float) -> float:
    """1 at 0, 0 at 1."""
    return 0.5 * (1 + math.cos(math.pi * min(1.0, share)))


def optimizer_tensors(optimizer: torch.optim.Optimizer, network: nn.Module) -> dict[str, Tensor]:
    """The optimiser's memory by parameter name."""
    tensors: dict[str, Tensor] = {}
    for name, parameter in network.named_parameters():
        for key, value in optimizer.state.get(parameter, {}).items():
            if value is not None:
                tensors[f"{name}|{key}"] = value if isinstance(value, Tensor) else torch.tensor(float(value))
    return tensors


def restore_optimizer(
    optimizer: torch.optim.Optimizer, network: nn.Module, tensors: Mapping[str, Tensor]
) -> None:
    parameters = dict(network.named_parameters())
    for full_name, value in tensors.items():
        name, _, key = full_name.rpartition("|")
        parameter = parameters[name]
        # Kept in the parameter's memory layout, so that every later step is the same to the bit.
        same = value.shape == parameter.shape
        optimizer.state[parameter][key] = (
            torch.empty_like(parameter).copy_(value).detach() if same else value.clone()
        )
