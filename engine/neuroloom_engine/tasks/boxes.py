"""Geometry of boxes given by their corners x0, y0, x1, y1 in the last axis; knows no network and no task."""

from __future__ import annotations

import math

import torch
from torch import Tensor

# Keeps quotients finite where boxes have no area.
TINY = 1e-7


def area(boxes: Tensor) -> Tensor:
    sides = (boxes[..., 2:] - boxes[..., :2]).clamp(min=0)
    return sides[..., 0] * sides[..., 1]


def overlap(first: Tensor, second: Tensor) -> Tensor:
    """Area that two boxes share; shapes are broadcast."""
    low = torch.maximum(first[..., :2], second[..., :2])
    high = torch.minimum(first[..., 2:], second[..., 2:])
    sides = (high - low).clamp(min=0)
    return sides[..., 0] * sides[..., 1]


def iou(first: Tensor, second: Tensor) -> Tensor:
    """Shared area over joint area, 0 to 1; shapes are broadcast."""
    shared = overlap(first, second)
    return shared / (area(first) + area(second) - shared).clamp(min=TINY)


def iou_matrix(first: Tensor, second: Tensor) -> Tensor:
    """Of each of (…, n, 4) with each of (…, m, 4): (…, n, m)."""
    return iou(first.unsqueeze(-2), second.unsqueeze(-3))


def hull(first: Tensor, second: Tensor) -> Tensor:
    """The smallest box round both."""
    low = torch.minimum(first[..., :2], second[..., :2])
    return torch.cat([low, torch.maximum(first[..., 2:], second[..., 2:])], -1)


def giou(first: Tensor, second: Tensor) -> Tensor:
    """Generalised IoU, -1 to 1: also tells boxes apart that do not touch (Rezatofighi et al. 2019)."""
    shared = overlap(first, second)
    joint = area(first) + area(second) - shared
    around = area(hull(first, second)).clamp(min=TINY)
    return shared / joint.clamp(min=TINY) - (around - joint) / around


def ciou(first: Tensor, second: Tensor) -> Tensor:
    """Complete IoU: less for centres apart and for other shapes (Zheng et al. 2020)."""
    around = hull(first, second)
    diagonal = ((around[..., 2:] - around[..., :2]) ** 2).sum(-1).clamp(min=TINY)
    apart = ((first[..., :2] + first[..., 2:] - second[..., :2] - second[..., 2:]) ** 2).sum(-1) / 4
    slant = slope(first) - slope(second)
    shape = 4 / math.pi**2 * slant**2
    plain = iou(first, second)
    with torch.no_grad():
        weight = shape / (1 - plain + shape).clamp(min=TINY)
    return plain - apart / diagonal - weight * shape


def slope(boxes: Tensor) -> Tensor:
    sides = boxes[..., 2:] - boxes[..., :2]
    return torch.atan(sides[..., 0] / sides[..., 1].clamp(min=TINY))


def suppress(boxes: Tensor, classes: Tensor, limit: float) -> Tensor:
    """Non-maximum suppression by class: which of (n, 4) boxes, surest first, stay, as (n,) bool.

    A box goes when a surer one of its class that stays overlaps it by more than `limit`. Instead of box by
    box this is solved for all at once until nothing changes: after k rounds the first k answers are final,
    and in practice a few rounds do.
    """
    hides = (iou_matrix(boxes, boxes) > limit) & (classes[:, None] == classes)
    hides = hides.triu(1)
    stays = torch.ones(len(boxes), dtype=torch.bool)
    while True:
        now = ~(hides & stays[:, None]).any(0)
        if torch.equal(now, stays):
            return stays
        stays = now
