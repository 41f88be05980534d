"""A volume in overlapping patches, and what a network says of them put together (Isensee et al. 2021)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from ..data.crops import plain_crop
from ..data.grids import resample
from ..predict import Predictor
from .doubt import of_places, rounded
from .volume_cases import Bytes, Laid

# Neighbouring patches share half of their side; what lies near a patch's middle counts most.
PATCH_STEP, PATCH_SIGMA = 0.5, 1 / 8

Size = tuple[int, int, int]


@dataclass(frozen=True)
class Patches:
    starts: tuple[Size, ...]
    images: Tensor  # (patch, 1, d, h, w)
    classes: Tensor  # (patch, d, h, w)
    # Of all patches of the volume.
    share: float


def patches_of(laid: Laid, size: Size, together: int) -> Iterator[Patches]:
    """Overlapping patches that cover a volume, some together; around a smaller volume its mirror image."""
    along = [starts_along(have, want) for have, want in zip(laid.pixels.shape, size, strict=True)]
    starts: list[Size] = list(product(along[0], along[1], along[2]))
    for first in range(0, len(starts), together):
        chosen = tuple(starts[first : first + together])
        crops = [plain_crop(laid.pixels, laid.mask, start, size) for start in chosen]
        images = torch.stack([crop.pixels for crop in crops]).unsqueeze(1)
        classes = torch.stack([crop.mask for crop in crops]).long()
        yield Patches(chosen, images, classes, len(chosen) / len(starts))


def starts_along(length: int, side: int) -> list[int]:
    if length <= side:
        return [(length - side) // 2]
    count = int(np.ceil((length - side) / (side * PATCH_STEP))) + 1
    return [round(float(at)) for at in np.linspace(0, length - side, count)]


def predict_patches(predictor: Predictor, images: Tensor) -> Tensor:
    """Logits of the images' own size; some networks answer at a part of it."""
    # A single narrow volume misses torch 1.13's fast convolution: alone it takes eight times as long as two.
    logits = predictor(images if len(images) > 1 else images.expand(2, -1, -1, -1, -1))[: len(images)]
    if logits.shape[2:] == images.shape[2:]:
        return logits
    return F.interpolate(logits, size=images.shape[2:], mode="trilinear", align_corners=False)


def gaussian(size: Size) -> Tensor:
    """Weights of a patch, 1 in its middle, (d, h, w)."""
    lines = [np.exp(-0.5 * ((np.arange(side) - (side - 1) / 2) / (side * PATCH_SIGMA)) ** 2) for side in size]
    weights = lines[0][:, None, None] * lines[1][:, None] * lines[2]
    return torch.from_numpy(weights.clip(min=1e-4).astype(np.float32))


class Stitched:
    """Weighed sums of what overlapping patches say of each voxel of a laid volume."""

    def __init__(self, laid: Laid, classes: int) -> None:
        self._place = laid.place
        self._shape = laid.pixels.shape
        self._sums = torch.zeros(classes, *self._shape)
        self._weights = torch.zeros(self._shape)
        self._of_patch = torch.empty(0)

    def add(self, start: Size, logits: Tensor) -> None:
        size = (logits.shape[1], logits.shape[2], logits.shape[3])
        if self._of_patch.shape != size:
            self._of_patch = gaussian(size)
        inside = tuple(
            slice(max(0, -at), min(side, have - at))
            for at, side, have in zip(start, size, self._shape, strict=True)
        )
        target = tuple(
            slice(max(0, at), min(have, at + side))
            for at, side, have in zip(start, size, self._shape, strict=True)
        )
        weights = self._of_patch[inside]
        self._sums[(slice(None), *target)] += logits[(slice(None), *inside)] * weights
        self._weights[target] += weights

    def doubt(self) -> list[float]:
        """On the laid volume, slice by slice: of a large one all entropies together may not fit."""
        totals, counts = np.zeros(len(self._sums)), np.zeros(len(self._sums))
        for sums, weights in zip(self._sums.unbind(1), self._weights, strict=True):
            logits = sums / weights
            named = logits.max(0).indices.to(torch.uint8).numpy()
            own = np.bincount(named.reshape(-1), minlength=len(totals))
            totals += np.array(of_places(logits, named)) * own
            counts += own
        return rounded((totals / counts.clip(1)).tolist())

    def named_as_stored(self, stored: Size) -> Bytes:
        """The likeliest class of each voxel of the stored volume."""
        if not self._place.is_resampled:
            return np.ascontiguousarray(
                self._place.turn_back(self._sums.max(0).indices.to(torch.uint8).numpy())
            )
        turned = (stored[self._place.order[0]], stored[self._place.order[1]], stored[self._place.order[2]])
        best = np.full(turned, -np.inf, np.float32)
        named = np.zeros(turned, np.uint8)
        for index, sums in enumerate(self._sums):
            # One class after the other: of a large volume all together may not fit.
            score = resample((sums / self._weights).numpy(), turned)
            named[score > best] = index
            np.maximum(best, score, out=best)
        return np.ascontiguousarray(self._place.turn_back(named))
