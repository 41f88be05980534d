"""Draws masks: a class for each pixel, with the values that the training masks have."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from ..data.chunks import count_together
from ..data.images import as_uint8, read_picture
from ..data.normalise import Moments, compress
from ..data.overlay import draw, palette_of
from ..predict import Predictor
from ..spec import Item
from ..tasks import doubt
from ..tasks.segmentation import likeliest, value_table
from .applier import Cells, OnPart, Purpose, Told, plain_result
from .packing import names_of, pack

Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Sample:
    pixels: Bytes  # (h, w, c)
    mean: float
    std: float


@dataclass(frozen=True)
class Answer:
    classes: Bytes  # (h, w)
    doubt: list[float] | None


class Masks:
    def __init__(self, purpose: Purpose) -> None:
        self.purpose = purpose
        self._names = names_of(purpose.manifest.items, ".png")
        self._value_of = value_table(purpose.manifest)

    def read(self, item: Item) -> Sample:
        picture = read_picture(self.purpose.path_of(item), self.purpose.most_pixels)
        pixels = as_uint8(picture, self.purpose.manifest.channels)
        return Sample(pixels, *Moments.of(pixels).overall())

    def form(self, sample: Sample) -> Hashable:
        return sample.pixels.shape

    def together(self, sample: Sample) -> int:
        """As much as in training, which memory was chosen for, or two."""
        hyper = self.purpose.spec.hyper
        return count_together(prod(sample.pixels.shape[:2]), hyper.batch_size * prod(hyper.image_size))

    def size(self, sample: Sample) -> int:
        return sample.pixels.nbytes

    def answer(self, predictor: Predictor, samples: Sequence[Sample], on_part: OnPart) -> list[Answer]:
        pixels = torch.from_numpy(np.stack([sample.pixels for sample in samples])).permute(0, 3, 1, 2)
        mean, std = (
            torch.tensor(part).view(-1, 1, 1, 1)
            for part in ([one.mean for one in samples], [one.std for one in samples])
        )
        logits = predictor.predict_maps(compress(pixels.float().mul_(1 / (255 * std)).sub_(mean / std)))
        is_asked = self.purpose.spec.doubts
        return [
            Answer(classes, doubt.of_places(maps, classes) if is_asked else None)
            for maps, classes in zip(logits, likeliest(logits), strict=True)
        ]

    def tell(self, item: Item, sample: Sample, answer: Answer, drawing: Path | None) -> Told:
        classes, named = self.purpose.manifest.classes, answer.classes
        counts = np.bincount(named.reshape(-1), minlength=len(classes))[1:].tolist()
        file = f"{item.id}.png"
        Image.fromarray(self._value_of[named]).save(self.purpose.found / file, format="PNG")
        if drawing is not None:
            draw(drawing, sample.pixels, None, named)
        shares = [count / named.size for count in counts]
        row: Cells = [item.name, self._names[item.id], named.shape[1], named.shape[0], *counts, *shares]
        result = plain_result(item, values=dict(zip(classes[1:], shares, strict=True)))
        return Told(replace(result, doubt=answer.doubt, palette=palette_of(classes)), [row], file)

    def header(self) -> Cells:
        classes = self.purpose.manifest.classes[1:]
        areas = [f"{of} {name}" for of in ("pixels", "share") for name in classes]
        return ["name", "mask", "width", "height", *areas]

    def pack(self, told: Sequence[tuple[Item, Told]]) -> list[tuple[str, Path]]:
        return pack(self.purpose.spec.out / "masks.zip", self.purpose.found, told, self._names)
