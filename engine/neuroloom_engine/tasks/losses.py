"""Losses on logits (batch, class, …) and class indices (batch, …)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from ..spec import Hyper

# In targets: what lies where nothing counts.
NOT_COUNTED = 255
# A logit that leaves no doubt, also in half precision.
SURE = 1e4

# Of one head's output and the targets; of a list of all heads' outputs where a task's `IS_JOINT`.
Loss = Callable[[Any, Tensor], Tensor]


def training_loss(hyper: Hyper, counts: list[int], smoothing: float = 0.0, partly: bool = False) -> Loss:
    """The criterion that was asked for, weighed by how often each class occurs where that was asked too."""
    weights = class_weights(counts) if hyper.class_weights else None
    return weighted(lambda own: make_loss(hyper.criterion, own, smoothing, partly), weights)


def weighted(make: Callable[[Tensor | None], Loss], weights: Tensor | None) -> Loss:
    """The loss with its weights where the targets are: on the graphics card, if one computes."""
    if weights is None:
        return make(None)
    return lambda output, target: make(weights.to(target.device))(output, target)


def make_loss(criterion: str, weights: Tensor | None, smoothing: float = 0.0, partly: bool = False) -> Loss:
    """`smoothing` of a label's share goes to all classes alike, in cross-entropy (Szegedy et al. 2016).

    `partly`: targets may be `NOT_COUNTED`, and then they are not.
    """
    if partly:
        return counted_loss(criterion, weights)

    def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
        return entropy(logits, target, weights, label_smoothing=smoothing)

    def focal_loss(logits: Tensor, target: Tensor) -> Tensor:
        return focal(logits, target, weights)

    def mixed(logits: Tensor, target: Tensor) -> Tensor:
        return entropy(logits, target, weights) + dice(logits, target)

    by_name: dict[str, Loss] = {
        "cross_entropy": cross_entropy,
        "focal": focal_loss,
        "dice": dice,
        "tversky": tversky,
        "ce_dice": mixed,
    }
    return by_name[criterion]


def counted_loss(criterion: str, weights: Tensor | None) -> Loss:
    """The same of the counted pixels alone; 0 where nothing counts."""

    def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
        counts = target != NOT_COUNTED
        lost = entropy(logits, target, weights, ignore_index=NOT_COUNTED, reduction="sum")
        share = counts.sum() if weights is None else weights[target[counts]].sum()
        return lost / share.clamp(min=1e-6)

    def focal_loss(logits: Tensor, target: Tensor) -> Tensor:
        counts = target != NOT_COUNTED
        if not counts.any():
            return logits.sum() * 0
        return focal(logits.movedim(1, -1)[counts], target[counts], weights)

    def of_areas(loss: Loss) -> Loss:
        """Elsewhere network and target are sure of the background: nothing overlaps, nothing is missed."""

        def of_counted(logits: Tensor, target: Tensor) -> Tensor:
            counts = target != NOT_COUNTED
            sure = torch.full_like(logits, -SURE)
            sure[:, 0] = SURE
            shown = torch.where(counts.unsqueeze(1), logits, sure)
            return loss(shown, torch.where(counts, target, torch.zeros_like(target)))

        return of_counted

    overlap = of_areas(dice)

    def mixed(logits: Tensor, target: Tensor) -> Tensor:
        return cross_entropy(logits, target) + overlap(logits, target)

    by_name: dict[str, Loss] = {
        "cross_entropy": cross_entropy,
        "focal": focal_loss,
        "dice": overlap,
        "tversky": of_areas(tversky),
        "ce_dice": mixed,
    }
    return by_name[criterion]


def entropy(logits: Tensor, target: Tensor, weights: Tensor | None, **how: Any) -> Tensor:
    """Cross-entropy; on a graphics card pixel by pixel in one row, of which alone it sums in an order."""
    if logits.is_cuda and logits.ndim > 2:
        logits, target = logits.movedim(1, -1).flatten(0, -2), target.flatten()
    return F.cross_entropy(logits, target, weights, **how)


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
    probabilities, truth = foreground(logits, target)
    axes = tuple(range(2, logits.ndim))
    overlap = (probabilities * truth).sum(axes)  # (batch, class)
    total = probabilities.sum(axes) + truth.sum(axes)
    return 1 - ((2 * overlap + 1) / (total + 1)).mean()


def tversky(logits: Tensor, target: Tensor, missed: float = 0.7) -> Tensor:
    """As `dice`, but what is missed counts more than what is found in vain (Salehi et al. 2017, beta 0.7)."""
    probabilities, truth = foreground(logits, target)
    axes = tuple(range(2, logits.ndim))
    overlap = (probabilities * truth).sum(axes)
    in_vain = (probabilities * (1 - truth)).sum(axes)
    lost = ((1 - probabilities) * truth).sum(axes)
    return 1 - ((overlap + 1) / (overlap + (1 - missed) * in_vain + missed * lost + 1)).mean()


def foreground(logits: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Probabilities and truth of every class but the background, (batch, class, …)."""
    truth = torch.stack([target == index for index in range(1, logits.shape[1])], 1)
    return logits.softmax(1)[:, 1:], truth.to(logits.dtype)


def class_weights(counts: list[int]) -> Tensor:
    """Rare classes up, by the root of the inverse share, so that a class of one item cannot rule the loss;
    mean 1.
    """
    present = [count for count in counts if count > 0]
    if not present:
        return torch.ones(len(counts))
    mean = sum(present) / len(present)
    raw = torch.tensor([(mean / count) ** 0.5 if count else 1.0 for count in counts])
    return raw / raw.mean()
