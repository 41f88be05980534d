"""ResNet-18 at the run's size, written as the well-known classification scripts are: see `timing.py`.

Random resized crop and flip on PIL pictures in a loader with workers, SGD with momentum, contiguous tensors.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from timing import Pictures, Work, epoch, loaders, run
from torch import Tensor, nn

MEAN = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
STD = torch.tensor([0.229, 0.224, 0.225]).view(3, 1, 1)


class Samples(Pictures):
    def __getitem__(self, index: int) -> tuple[Tensor, int]:
        item = self.items[index]
        side = self.work.spec.hyper.image_size[0]
        image = Image.open(self.work.root / item.image).convert("RGB")
        if self.augment:
            image = random_crop(image, side)
            if torch.rand(()) < 0.5:
                image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        else:
            image = image.resize((side, side), Image.Resampling.BILINEAR)
        pixels = torch.from_numpy(np.asarray(image).copy()).permute(2, 0, 1).float() / 255
        assert item.class_index is not None
        return (pixels - MEAN) / STD, item.class_index


def random_crop(image: Image.Image, side: int) -> Image.Image:
    """Between a half and all of the area, sides 3:4 to 4:3."""
    share = float(torch.empty(()).uniform_(0.5, 1))
    ratio = math.exp(float(torch.empty(()).uniform_(math.log(3 / 4), math.log(4 / 3))))
    area = image.width * image.height * share
    width = min(image.width, round(math.sqrt(area * ratio)))
    height = min(image.height, round(math.sqrt(area / ratio)))
    left = int(torch.randint(0, image.width - width + 1, ()))
    top = int(torch.randint(0, image.height - height + 1, ()))
    box = (left, top, left + width, top + height)
    return image.resize((side, side), Image.Resampling.BILINEAR, box=box)


class Block(nn.Module):
    def __init__(self, channels: int, out: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(out)
        self.conv2 = nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(out)
        self.short: nn.Module = nn.Identity()
        if stride != 1 or channels != out:
            self.short = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out))

    def forward(self, x: Tensor) -> Tensor:
        y = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(y + self.short(x))


def resnet18(classes: int) -> nn.Sequential:
    layers: list[nn.Module] = [
        nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1),
    ]  # fmt: skip
    channels = 64
    for out, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        layers += [Block(channels, out, stride), Block(out, out, 1)]
        channels = out
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, classes))


def prepare(work: Work, options: argparse.Namespace) -> tuple[Callable[[], None], Callable[[], float]]:
    network = resnet18(len(work.manifest.classes))
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    loader, held = loaders(work, Samples)

    def loss(pixels: Tensor, truth: Tensor) -> Tensor:
        return F.cross_entropy(network(pixels), truth)

    def train_epoch() -> None:
        epoch(loader, network, optimizer, loss)

    def validate() -> float:
        """Accuracy."""
        network.eval()
        right = 0
        with torch.inference_mode():
            for pixels, truth in held:
                right += int((network(pixels).argmax(1) == truth).sum())
        return right / len(work.validation)

    return train_epoch, validate


run(prepare)
