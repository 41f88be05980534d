"""The CenterNet way: a map of middles for each class, and at each middle the box's size.

Zhou et al. 2019, "Objects as Points"; the radius of a middle as in Law and Deng 2018.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from .detection_layout import Layout, cells, rows
from .detection_yolo import PRIOR

# Sizes are told in so many cells, which makes their loss as strong as the paper's tenth a cell.
UNIT = 8.0
# Boxes shifted by the radius of a middle still overlap the true one by this.
LEAST_IOU = 0.7
ALPHA, BETA = 2, 4


def decode(outputs: Sequence[Tensor], layout: Layout) -> tuple[Tensor, Tensor]:
    """Boxes (batch, cells, 4) in pixels and their scores (batch, cells, classes), 0 where no peak is."""
    grid = cells(outputs, layout)
    stride = grid.strides[:, None]
    # The grid's points are the cells' middles; offsets count from their corners.
    middle = grid.points + (rows(outputs, layout, "offset") - 0.5) * stride
    half = rows(outputs, layout, "size").clamp(min=0) * (UNIT / 2) * stride
    scores = []
    for ports in layout.ports:
        heat = (outputs[ports["heat"]] + PRIOR).sigmoid()
        peaks = heat * (F.max_pool2d(heat, 3, 1, 1) == heat)
        scores.append(peaks.flatten(2).transpose(1, 2))
    return torch.cat([middle - half, middle + half], -1), torch.cat(scores, 1)


def loss(outputs: Sequence[Tensor], layout: Layout, targets: Tensor, weights: Tensor | None) -> Tensor:
    """`targets` (batch, boxes, 5): class (-1 = no box) and corners in pixels."""
    parts = [
        level_loss({port: outputs[index] for port, index in ports.items()}, stride, targets, weights)
        for ports, stride in zip(layout.ports, layout.strides, strict=True)
    ]
    return torch.stack(parts).sum()


def level_loss(maps: dict[str, Tensor], stride: float, targets: Tensor, weights: Tensor | None) -> Tensor:
    logits = maps["heat"] + PRIOR
    height, width = logits.shape[2:]
    real, labels = targets[..., 0] >= 0, targets[..., 0].long().clamp(min=0)
    middle = (targets[..., 1:3] + targets[..., 3:5]) / 2 / stride
    sides = (targets[..., 3:5] - targets[..., 1:3]) / stride
    last = torch.tensor([width - 1, height - 1], device=logits.device)
    place = torch.minimum(middle.floor().clamp(min=0), last)
    heat = splat(place, radius(sides), real, labels, logits.shape[1:])
    count = real.sum().clamp(min=1)
    points = (place[..., 1] * width + place[..., 0]).long()
    offset = picked(maps["offset"], points)[real] - (middle - place)[real]
    size = picked(maps["size"], points)[real] - sides[real] / UNIT
    return (peak_loss(logits, heat, weights) + offset.abs().sum() + size.abs().sum()) / count


def picked(values: Tensor, points: Tensor) -> Tensor:
    """What a map (batch, 2, h, w) says at flat places (batch, boxes): (batch, boxes, 2)."""
    return values.flatten(2).gather(2, points.unsqueeze(1).expand(-1, values.shape[1], -1)).transpose(1, 2)


def radius(sides: Tensor) -> Tensor:
    """How far the corners of a box (…, 2) may be off while it overlaps the true one by `LEAST_IOU`.

    The smallest of the three cases: both corners out, both in, one of each. Each is the root of a quadratic.
    """
    total, product, least = sides.sum(-1), sides.prod(-1), LEAST_IOU
    cases = (
        (1.0, -total, product * (1 - least) / (1 + least)),
        (4.0, -2 * total, (1 - least) * product),
        (4 * least, 2 * least * total, (least - 1) * product),
    )
    # The nearer root where boxes shift or shrink; the positive one where they grow.
    roots = [
        (-b + sign * (b * b - 4 * a * c).clamp(min=0).sqrt()) / (2 * a)
        for (a, b, c), sign in zip(cases, (-1, -1, 1), strict=True)
    ]
    return torch.stack(roots).amin(0).clamp(min=0)


def splat(place: Tensor, reach: Tensor, real: Tensor, labels: Tensor, shape: Sequence[int]) -> Tensor:
    """A bell of height 1 round each middle on its class's map, (batch, classes, h, w); the highest counts."""
    classes, height, width = shape
    x = torch.arange(width, device=place.device) - place[..., 0, None]
    y = torch.arange(height, device=place.device) - place[..., 1, None]
    spread = ((2 * reach.floor() + 1) / 6).unsqueeze(-1)
    bell = torch.exp(-(y**2) / (2 * spread**2)).unsqueeze(3) * torch.exp(-(x**2) / (2 * spread**2)).unsqueeze(
        2
    )
    bell = bell * real[..., None, None]
    heat = bell.new_zeros(len(bell), classes, height, width)
    for index in labels[real].unique().tolist():
        heat[:, index] = (bell * (labels == index)[..., None, None]).amax(1)
    return heat


def peak_loss(logits: Tensor, heat: Tensor, weights: Tensor | None) -> Tensor:
    """Focal loss that forgives what lies near a middle."""
    sure = logits.sigmoid()
    hit = -((1 - sure) ** ALPHA) * F.logsigmoid(logits) * (heat == 1)
    empty = -((1 - heat) ** BETA) * sure**ALPHA * F.logsigmoid(-logits) * (heat < 1)
    share = 1.0 if weights is None else weights.view(1, -1, 1, 1)
    return ((hit + empty) * share).sum()
