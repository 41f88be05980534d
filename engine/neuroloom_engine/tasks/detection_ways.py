"""The ways in which networks find things, and from their answers to boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

import torch
from torch import Tensor

from ..data.normalise import Normalisation
from ..deployed import Answering, Deployed
from ..network import Network
from . import detection_centernet, detection_fcos, detection_yolo
from .average_precision import Boxes
from .boxes import suppress
from .detection_layout import Layout, layout_of
from .losses import Loss, weighted

WayLoss = Callable[[Sequence[Tensor], Layout, Tensor, Tensor | None], Tensor]
LOSSES: dict[str, WayLoss] = {
    "anchor-free": detection_yolo.loss,
    "fcos": detection_fcos.loss,
    "centernet": detection_centernet.loss,
}
DECODERS: dict[str, Callable[[Sequence[Tensor], Layout], tuple[Tensor, Tensor]]] = {
    "anchor-free": detection_yolo.decode,
    "fcos": detection_fcos.decode,
    "centernet": detection_centernet.decode,
}
# Boxes less sure are no answer; of the rest the surest are looked through; a box of the same class that
# overlaps a surer one by more goes; at most so many are an image's answer.
LEAST_SCORE, MOST_CANDIDATES, MOST_OVERLAP, MOST_FOUND = 0.01, 1000, 0.6, 300


def make_loss(layout: Layout, weights: Tensor | None) -> Loss:
    """Of all heads and padded boxes; `weights` (classes,) or none."""

    def make(own: Tensor | None) -> Loss:
        return lambda heads, targets: LOSSES[layout.style](heads, layout, targets, own)

    return weighted(make, weights)


def decode(heads: Sequence[Tensor], layout: Layout) -> tuple[Tensor, Tensor]:
    """Boxes (batch, cells, 4) in pixels of the input and scores (batch, cells, classes), 0 to 1."""
    return DECODERS[layout.style](heads, layout)


def found_boxes(boxes: Tensor, scores: Tensor, scale: tuple[float, float], size: tuple[int, int]) -> Boxes:
    """Of one image's (cells, 4) and (cells, classes): the boxes that stay, surest first.

    In pixels of the image as stored, which has `size` (height, width) and was scaled by `scale` (x, y).
    """
    flat = scores.reshape(-1)
    sure = torch.nonzero(flat > LEAST_SCORE)[:, 0]
    chosen = sure[torch.sort(flat[sure], descending=True, stable=True).indices[:MOST_CANDIDATES]]
    cells, classes = chosen // scores.shape[1], chosen % scores.shape[1]
    corners = (boxes[cells] / torch.tensor(scale * 2)).clamp(min=0)
    corners = torch.minimum(corners, torch.tensor([size[1], size[0]] * 2))
    real = (corners[:, 2:] > corners[:, :2]).all(1)
    corners, classes, left = corners[real], classes[real], flat[chosen][real]
    stays = torch.nonzero(suppress(corners, classes, MOST_OVERLAP))[:MOST_FOUND, 0]
    return Boxes(classes[stays].numpy(), corners[stays].numpy(), left[stays].numpy())


def deployed(network: Network, rule: Normalisation) -> Deployed:
    """Boxes and scores as they are before overlapping ones are taken out: what runs ONNX has its own ways."""
    layout = layout_of(network.plan)
    about = {
        "boxes": {
            "shape": ["batch", "cells", 4],
            "note": "x0, y0, x1, y1 in pixels of the input",
            "layout": asdict(layout),
        },
        "scores": {
            "shape": ["batch", "cells", "classes"],
            "note": "0 to 1; of boxes of a class that overlap by more than `nms` (IoU) the surest counts",
            "least": LEAST_SCORE,
            "nms": MOST_OVERLAP,
        },
    }
    frame = "; scaled without changing its shape, the rest right and below in its mean colour"
    return Deployed(
        Answering(network, rule, lambda heads: list(decode(heads, layout))), about, Deployed.pixels + frame
    )
