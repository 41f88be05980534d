"""The small one-stage detector in a loop as a user would write it: see `timing.py`.

Network and loss are the product's own, for no other is to be had offline. Pictures are decoded and brought to
size by PIL in each epoch, in a loader with workers; SGD with momentum, contiguous tensors. The score is the
validation loss with a minus before it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import torch
from PIL import Image
from timing import Pictures, Work, epoch, loaders, run
from torch import Tensor

from neuroloom_engine.network import Network
from neuroloom_engine.tasks.detection_layout import layout_of
from neuroloom_engine.tasks.detection_ways import make_loss

# More than any picture of the set has; class -1 fills up.
MOST_BOXES = 64


class Samples(Pictures):
    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        item = self.items[index]
        height, width = self.work.spec.hyper.image_size
        stored = Image.open(self.work.root / item.image).convert("RGB")
        scale = min(height / stored.height, width / stored.width)
        image = stored.resize((round(stored.width * scale), round(stored.height * scale)))
        pixels = torch.zeros(3, height, width)
        pixels[:, : image.height, : image.width] = (
            torch.from_numpy(np.asarray(image).copy()).permute(2, 0, 1).float() / 255
        )
        boxes = torch.full((MOST_BOXES, 5), -1.0)
        for row, box in enumerate((item.boxes or ())[:MOST_BOXES]):
            corners = torch.tensor([box.x0, box.y0, box.x1, box.y1]) * scale
            boxes[row] = torch.cat([torch.tensor([float(box.class_index)]), corners])
        if self.augment and torch.rand(()) < 0.5:
            pixels = pixels.flip(2)
            there = boxes[:, 0] >= 0
            boxes[there, 1], boxes[there, 3] = width - boxes[there, 3], width - boxes[there, 1]
        return (pixels - 0.5) / 0.25, boxes


def prepare(work: Work, options: argparse.Namespace) -> tuple[Callable[[], None], Callable[[], float]]:
    network = Network(work.spec.plan, work.spec.task)
    measure = make_loss(layout_of(work.spec.plan), None)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)
    loader, held = loaders(work, Samples)

    def loss(pixels: Tensor, boxes: Tensor) -> Tensor:
        return measure(network(pixels), boxes)

    def train_epoch() -> None:
        epoch(loader, network, optimizer, loss)

    def validate() -> float:
        network.eval()
        with torch.inference_mode():
            losses = [float(measure(network(pixels), boxes)) for pixels, boxes in held]
        return -sum(losses) / len(losses)

    return train_epoch, validate


run(prepare)
