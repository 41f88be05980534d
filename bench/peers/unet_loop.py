"""The classic U-Net with four downsamplings (64 channels: 31.0 M parameters), as a user would write it.

Every picture is decoded by PIL in each epoch and brought to the run's size, half of what most nuclei have;
cross-entropy and Dice, Adam, contiguous tensors. See `timing.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from timing import Pictures, Work, epoch, loaders, run
from torch import Tensor, nn


class Samples(Pictures):
    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        item = self.items[index]
        size = self.work.spec.hyper.image_size[::-1]
        image = Image.open(self.work.root / item.image).convert("RGB").resize(size, Image.Resampling.BICUBIC)
        mask = Image.open(self.work.root / str(item.label)).resize(size, Image.Resampling.NEAREST)
        pixels = torch.from_numpy(np.asarray(image).copy()).permute(2, 0, 1).float() / 255
        truth = torch.from_numpy((np.asarray(mask) > 0).astype(np.int64))
        for axis in (1, 2):
            if self.augment and torch.rand(()) < 0.5:
                pixels, truth = pixels.flip(axis), truth.flip(axis - 1)
        return pixels, truth


def twice(channels: int, out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(channels, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True),
        nn.Conv2d(out, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True),
    )  # fmt: skip


class UNet(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        widths = [width * 2**level for level in range(5)]
        self.first = twice(3, width)
        self.downs = nn.ModuleList(twice(one, two) for one, two in zip(widths, widths[1:], strict=False))
        self.ups = nn.ModuleList(nn.ConvTranspose2d(2 * of, of, 2, stride=2) for of in widths[-2::-1])
        self.joins = nn.ModuleList(twice(2 * of, of) for of in widths[-2::-1])
        self.last = nn.Conv2d(width, 2, 1)

    def forward(self, x: Tensor) -> Tensor:
        skips = [self.first(x)]
        for down in self.downs:
            skips.append(down(F.max_pool2d(skips[-1], 2)))
        x = skips.pop()
        for up, join in zip(self.ups, self.joins, strict=True):
            x = join(torch.cat([skips.pop(), up(x)], 1))
        return self.last(x)


def dice_loss(logits: Tensor, truth: Tensor) -> Tensor:
    found, true = logits.softmax(1)[:, 1], (truth == 1).float()
    return 1 - (2 * (found * true).sum() + 1) / (found.sum() + true.sum() + 1)


def prepare(work: Work, options: argparse.Namespace) -> tuple[Callable[[], None], Callable[[], float]]:
    network = UNet(options.width)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    loader, held = loaders(work, Samples)

    def loss(pixels: Tensor, truth: Tensor) -> Tensor:
        logits = network(pixels)
        return F.cross_entropy(logits, truth) + dice_loss(logits, truth)

    def train_epoch() -> None:
        epoch(loader, network, optimizer, loss)

    def validate() -> float:
        """Mean Dice of the pictures."""
        network.eval()
        scores: list[float] = []
        with torch.inference_mode():
            for pixels, truth in held:
                found = network(pixels).argmax(1) == 1
                true = truth == 1
                both = (found & true).sum((1, 2))
                all_of = found.sum((1, 2)) + true.sum((1, 2))
                scores += torch.where(all_of > 0, 2 * both / all_of.clamp(min=1), torch.ones(())).tolist()
        return sum(scores) / len(scores)

    return train_epoch, validate


run(prepare)
