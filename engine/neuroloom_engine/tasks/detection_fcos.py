"""The FCOS way: each point in a box says its class, its distances to the four sides, and how central it is.

Tian et al. 2019, with sampling near the middle as in their later version, and GIoU for boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from .boxes import area, giou
from .detection_layout import Cells, Layout, cells, rows, size_ranges
from .detection_yolo import MAX_LOG, PRIOR

# A side starts so many strides away.
START = 2.0
# Of the focal loss, as published.
ALPHA, GAMMA = 0.25, 2.0
RADIUS = 1.5


@dataclass(frozen=True)
class Answer:
    """Logits of classes (batch, points, classes) and of being central (batch, points); boxes in pixels."""

    classes: Tensor
    central: Tensor
    boxes: Tensor
    cells: Cells


def read(outputs: Sequence[Tensor], layout: Layout) -> Answer:
    grid = cells(outputs, layout)
    sides = rows(outputs, layout, "box").clamp(max=MAX_LOG).exp() * START * grid.strides[:, None]
    boxes = torch.cat([grid.points - sides[..., :2], grid.points + sides[..., 2:]], -1)
    classes = rows(outputs, layout, "cls") + PRIOR
    return Answer(classes, rows(outputs, layout, "ctr")[..., 0], boxes, grid)


def decode(outputs: Sequence[Tensor], layout: Layout) -> tuple[Tensor, Tensor]:
    """Boxes (batch, points, 4) in pixels and their scores (batch, points, classes), 0 to 1."""
    answer = read(outputs, layout)
    return answer.boxes, (answer.classes.sigmoid() * answer.central.sigmoid().unsqueeze(-1)).sqrt()


def loss(outputs: Sequence[Tensor], layout: Layout, targets: Tensor, weights: Tensor | None) -> Tensor:
    """`targets` (batch, boxes, 5): class (-1 = no box) and corners in pixels."""
    answer = read(outputs, layout)
    ranges = [[low, high] for low, high in size_ranges(layout)]
    sizes = [outputs[ports["cls"]].shape[2] * outputs[ports["cls"]].shape[3] for ports in layout.ports]
    spans = torch.tensor(ranges).repeat_interleave(torch.tensor(sizes), 0).to(targets.device)
    mine, index, sides = assign(answer.cells, spans, targets)
    count = mine.sum().clamp(min=1)
    truth = targets.gather(1, index.unsqueeze(-1).expand(-1, -1, 5))
    wanted = F.one_hot(truth[..., 0].long().clamp(min=0), answer.classes.shape[2]) * mine.unsqueeze(2)
    named = focal(answer.classes, wanted.to(answer.classes.dtype), weights) / count
    central = centredness(sides[mine])
    fit = giou(answer.boxes[mine], truth[mine][:, 1:])
    boxes = ((1 - fit) * central).sum() / central.sum().clamp(min=1e-6)
    inner = F.binary_cross_entropy_with_logits(answer.central[mine], central, reduction="sum") / count
    return named + boxes + inner


def assign(grid: Cells, spans: Tensor, targets: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """For each point (batch, points): whether it answers for a box, for which, its distances to the sides.

    A point answers when it lies within the box and near its middle, and the box suits its level; of several
    boxes for the smallest.
    """
    corners = targets[..., 1:].unsqueeze(2)  # (batch, boxes, 1, 4)
    sides = torch.cat([grid.points - corners[..., :2], corners[..., 2:] - grid.points], -1)
    away = (grid.points - (corners[..., :2] + corners[..., 2:]) / 2).abs().amax(-1)
    farthest = sides.amax(-1)
    fits = (sides.amin(-1) > 0) & (away < RADIUS * grid.strides) & (targets[..., 0] >= 0).unsqueeze(2)
    fits &= (farthest > spans[:, 0]) & (farthest <= spans[:, 1])
    sizes = area(targets[..., 1:]).unsqueeze(2).expand_as(farthest).masked_fill(~fits, float("inf"))
    index = sizes.argmin(1)
    own = sides.gather(1, index.view(len(index), 1, -1, 1).expand(-1, 1, -1, 4)).squeeze(1)
    return fits.any(1), index, own


def centredness(sides: Tensor) -> Tensor:
    """1 in the middle of a box, 0 at its edge; `sides` (n, 4) are left, top, right, bottom."""
    across, down = sides[:, 0::2], sides[:, 1::2]
    return (across.amin(1) / across.amax(1) * down.amin(1) / down.amax(1)).clamp(min=0).sqrt()


def focal(logits: Tensor, wanted: Tensor, weights: Tensor | None) -> Tensor:
    """Sum over all points of the cross-entropy that looks away from what is right (Lin et al. 2017)."""
    plain = F.binary_cross_entropy_with_logits(logits, wanted, weights, reduction="none")
    sure = logits.sigmoid()
    missed = wanted * (1 - sure) + (1 - wanted) * sure
    share = wanted * ALPHA + (1 - wanted) * (1 - ALPHA)
    return (share * missed**GAMMA * plain).sum()
