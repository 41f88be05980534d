"""The anchor-free YOLO way: each cell says whether it sees a thing, which one, and its box.

Ge et al. 2021 (YOLOX), with CIoU instead of IoU for boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from .boxes import ciou, iou_matrix
from .detection_layout import Cells, Layout, cells, rows

# Logit of 0.01: at first nothing is seen anywhere, else the many empty cells would rule the first steps
# (Lin et al. 2017). Added to what the network says, so that its first weights stay those of its plan.
PRIOR = -4.595
# A box starts as large as so many cells.
START = 4.0
# exp() of more would be larger than any image.
MAX_LOG = 5.0
BOX_SHARE = 5.0
# Of the assignment: how far from a box's middle a cell may lie, in strides; how many cells are looked at;
# what an overlap counts against a class; what a cell too far costs.
RADIUS, MOST, OVERLAP_SHARE, FAR = 1.5, 10, 3.0, 1e6


@dataclass(frozen=True)
class Answer:
    """Logits of classes (batch, cells, classes) and of something there (batch, cells); boxes in pixels."""

    classes: Tensor
    there: Tensor
    boxes: Tensor
    cells: Cells


@dataclass(frozen=True)
class Assigned:
    """For each cell (batch, cells): whether it answers for a true box, and for which."""

    mine: Tensor
    index: Tensor


def read(outputs: Sequence[Tensor], layout: Layout) -> Answer:
    grid = cells(outputs, layout)
    raw = rows(outputs, layout, "box")
    stride = grid.strides[:, None]
    middle = grid.points + raw[..., :2] * stride
    half = raw[..., 2:].clamp(max=MAX_LOG).exp() * (START / 2) * stride
    boxes = torch.cat([middle - half, middle + half], -1)
    there = rows(outputs, layout, "obj")[..., 0] + PRIOR
    return Answer(rows(outputs, layout, "cls"), there, boxes, grid)


def decode(outputs: Sequence[Tensor], layout: Layout) -> tuple[Tensor, Tensor]:
    """Boxes (batch, cells, 4) in pixels and their scores (batch, cells, classes), 0 to 1."""
    answer = read(outputs, layout)
    return answer.boxes, answer.classes.sigmoid() * answer.there.sigmoid().unsqueeze(-1)


def loss(outputs: Sequence[Tensor], layout: Layout, targets: Tensor, weights: Tensor | None) -> Tensor:
    """Of boxes, classes and presence, a mean over the cells that answer for a true box.

    `targets` (batch, boxes, 5): class (-1 = no box) and corners in pixels.
    """
    answer = read(outputs, layout)
    found = assign(answer, targets)
    mine = found.mine
    count = mine.sum().clamp(min=1)
    there = F.binary_cross_entropy_with_logits(answer.there, mine.to(answer.there.dtype), reduction="sum")
    truth = targets.gather(1, found.index.unsqueeze(-1).expand(-1, -1, 5))[mine]
    fit = ciou(answer.boxes[mine], truth[:, 1:])
    logits = answer.classes[mine]
    # A class is to be as sure as its box is good, so that surer boxes are better ones.
    wanted = F.one_hot(truth[:, 0].long(), logits.shape[1]) * fit.detach().clamp(0, 1).unsqueeze(1)
    named = F.binary_cross_entropy_with_logits(logits, wanted, weights, reduction="sum")
    return (BOX_SHARE * (1 - fit).sum() + there + named) / count


@torch.no_grad()
def assign(answer: Answer, targets: Tensor) -> Assigned:
    """SimOTA: each true box takes the cells that suit it best, as many as boxes overlap it well by now.

    All of a batch at once, (batch, boxes, cells).
    """
    truth, labels = targets[..., 1:], targets[..., 0].long()
    middles = (truth[..., :2] + truth[..., 2:]) / 2
    away = (answer.cells.points - middles.unsqueeze(2)).abs().amax(-1)
    near = (away < RADIUS * answer.cells.strides) & (labels >= 0).unsqueeze(2)
    fit = iou_matrix(truth, answer.boxes) * near
    cost = class_cost(answer, labels) - OVERLAP_SHARE * (fit + 1e-8).log() + FAR * ~near
    most = min(MOST, cost.shape[2])
    wanted = fit.topk(most, 2).values.sum(2).int().clamp(min=1)
    cheapest = cost.topk(most, 2, largest=False).indices
    taken = torch.arange(most, device=cost.device) < wanted.unsqueeze(2)
    mine = torch.zeros_like(near).scatter_(2, cheapest, taken) & near
    # A cell that several boxes take goes to the one that it costs least.
    return Assigned(mine.any(1), cost.masked_fill(~mine, 2 * FAR).argmin(1))


def class_cost(answer: Answer, labels: Tensor) -> Tensor:
    """Binary cross-entropy if each cell (…, cells) were to name each box's class (batch, boxes, …)."""
    sure = (answer.classes.sigmoid() * answer.there.sigmoid().unsqueeze(-1)).sqrt().clamp(1e-6, 1 - 1e-6)
    wrong = -(1 - sure).log()
    right = (wrong + sure.log()).transpose(1, 2)  # (batch, classes, cells)
    own = labels.clamp(min=0).unsqueeze(2).expand(-1, -1, right.shape[2])
    return wrong.sum(2).unsqueeze(1) - right.gather(1, own)
