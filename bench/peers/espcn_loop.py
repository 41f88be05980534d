"""ESPCN on grey pairs of small and large pictures, written as a user would write it: see `timing.py`.

Each pair is read by PIL once an epoch and gives as many crops as the engine takes of it; Adam, L1.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from timing import Work, epoch, run
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from neuroloom_engine.spec import Item
from neuroloom_engine.tasks.task import draws_of


class Pairs(Dataset[tuple[Tensor, Tensor]]):
    def __init__(self, work: Work, part: str) -> None:
        self.work = work
        self.items = work.train if part == "train" else work.validation
        self.crops = draws_of(work.spec.task) if part == "train" else 0

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        """(crops, 1, h, w) of the small and of the large picture; for validation one, the whole."""
        small, large = self.read(self.items[index])
        if self.crops == 0:
            return small[None], large[None]
        side, factor = self.work.spec.hyper.image_size[0], self.work.manifest.factor
        smalls, larges = [], []
        for _ in range(self.crops):
            top = int(torch.randint(0, small.shape[1] - side + 1, ()))
            left = int(torch.randint(0, small.shape[2] - side + 1, ()))
            smalls.append(small[:, top : top + side, left : left + side])
            larges.append(
                large[:, top * factor : (top + side) * factor, left * factor : (left + side) * factor]
            )
        return torch.stack(smalls), torch.stack(larges)

    def read(self, item: Item) -> tuple[Tensor, Tensor]:
        files = (item.image, str(item.label))
        small, large = (np.asarray(Image.open(self.work.root / file).convert("L")).copy() for file in files)
        return torch.from_numpy(small)[None].float() / 255, torch.from_numpy(large)[None].float() / 255


def espcn(factor: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(1, 64, 5, padding=2), nn.Tanh(), nn.Conv2d(64, 32, 3, padding=1), nn.Tanh(),
        nn.Conv2d(32, factor**2, 3, padding=1), nn.PixelShuffle(factor),
    )  # fmt: skip


def prepare(work: Work, options: argparse.Namespace) -> tuple[Callable[[], None], Callable[[], float]]:
    network = espcn(work.manifest.factor)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    batch = work.spec.hyper.batch_size
    pairs = max(1, batch // draws_of(work.spec.task))
    loader = DataLoader(Pairs(work, "train"), pairs, shuffle=True, num_workers=work.workers)
    held = DataLoader(Pairs(work, "validation"), 1, num_workers=work.workers)

    def loss(small: Tensor, large: Tensor) -> Tensor:
        return F.l1_loss(network(small), large)

    def train_epoch() -> None:
        for smalls, larges in loader:
            crops = zip(smalls.flatten(0, 1).split(batch), larges.flatten(0, 1).split(batch), strict=True)
            epoch(crops, network, optimizer, loss)

    def validate() -> float:
        """Mean PSNR in dB."""
        network.eval()
        scores: list[float] = []
        with torch.inference_mode():
            for small, large in held:
                error = F.mse_loss(network(small[0]).clamp(0, 1), large[0])
                scores.append(float(-10 * error.clamp(min=1e-10).log10()))
        return sum(scores) / len(scores)

    return train_epoch, validate


run(prepare)
