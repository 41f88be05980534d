"""Losses on logits (batch, class, …) and class indices (batch, …)."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from ..spec import Hyper

Loss = Callable[[Tensor, Tensor], Tensor]


def training_loss(hyper: Hyper, counts: list[int]) -> Loss:
    """The criterion that was asked for, weighed by how often each class occurs where that was asked too."""
    return make_loss(hyper.criterion, class_weights(counts) if hyper.class_weights else None)


def make_loss(criterion: str, weights: Tensor | None) -> Loss:
    def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(logits, target, weights)

    def focal_loss(logits: Tensor, target: Tensor) -> Tensor:
        return focal(logits, target, weights)

    def mixed(logits: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(logits, target, weights) + dice(logits, target)

    return {"cross_entropy": cross_entropy, "focal": focal_loss, "dice": dice, "ce_dice": mixed}[criterion]


def focal(logits: Tensor, target: Tensor, weights: Tensor | None, gamma: float = 2.0) -> Tensor:
    """Cross-entropy that looks away from what is already right."""
    picked = F.log_softmax(logits, 1).gather(1, target.unsqueeze(1)).squeeze(1)
    loss = -((1 - picked.exp()) ** gamma) * picked
    if weights is None:
        return loss.mean()
    share = weights[target]
    return (loss * share).sum() / share.sum().clamp(min=1e-6)


def dice(logits: Tensor, target: Tensor) -> Tensor:
    """One minus the soft Dice of each image's foreground classes, as images are judged one by one.

    The smoothing of one pixel makes an image without foreground count by how little of it is predicted.
    """
    classes = logits.shape[1]
    probabilities = logits.softmax(1)[:, 1:]
    truth = torch.stack([target == index for index in range(1, classes)], 1).to(logits.dtype)
    axes = tuple(range(2, logits.ndim))
    overlap = (probabilities * truth).sum(axes)  # (batch, class)
    total = probabilities.sum(axes) + truth.sum(axes)
    return 1 - ((2 * overlap + 1) / (total + 1)).mean()


def class_weights(counts: list[int]) -> Tensor:
    """Rare classes up, by the root of the inverse share, so that a class of one item cannot rule the loss;
    mean 1.
    """
    present = [count for count in counts if count > 0]
    mean = sum(present) / len(present)
    raw = torch.tensor([(mean / count) ** 0.5 if count else 1.0 for count in counts])
    return raw / raw.mean()
