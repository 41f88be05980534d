"""Draws masks of volumes: a class for each voxel, on the grid that the volume is stored in."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.grids import place_on
from ..data.overlay import palette_of
from ..data.slices import draw_slice
from ..data.volumes import Header, read_volume, write_volume
from ..predict import Predictor
from ..spec import Item
from ..tasks.patches import Stitched, patches_of, predict_patches
from ..tasks.segmentation import values_of
from ..tasks.volume_cases import Laid, lay
from ..tasks.volume_segmentation import crop_size, standardised
from .applier import Cells, OnPart, Purpose, Told, plain_result
from .packing import names_of, pack

Bytes = NDArray[np.uint8]
MILLILITRE = 1000  # mm³


@dataclass(frozen=True)
class Sample:
    pixels: NDArray[np.float16]  # as stored
    header: Header
    laid: Laid


@dataclass(frozen=True)
class Answer:
    classes: Bytes  # (d, h, w), as stored
    doubt: list[float] | None


class Volumes:
    def __init__(self, purpose: Purpose) -> None:
        self.purpose = purpose
        self._names = names_of(purpose.manifest.items, ".nii.gz")
        self._value_of = np.array(values_of(purpose.manifest), np.int32)

    def read(self, item: Item) -> Sample:
        volume = read_volume(self.purpose.path_of(item), self.purpose.most_pixels)
        pixels = standardised(volume.voxels)
        place = place_on(volume.header, self.purpose.rule.grid)
        unknown = np.zeros(pixels.shape, np.uint8)
        return Sample(pixels, volume.header, lay(pixels, unknown, place, len(self.purpose.manifest.classes)))

    def form(self, sample: Sample) -> Hashable:
        return None

    def together(self, sample: Sample) -> int:
        """Its patches go together."""
        return 1

    def size(self, sample: Sample) -> int:
        return sample.pixels.nbytes + sample.laid.own_bytes

    def answer(self, predictor: Predictor, samples: Sequence[Sample], on_part: OnPart) -> list[Answer]:
        return [self._one(predictor, sample, on_part) for sample in samples]

    def _one(self, predictor: Predictor, sample: Sample, on_part: OnPart) -> Answer:
        hyper = self.purpose.spec.hyper
        stitched = Stitched(sample.laid, len(self.purpose.manifest.classes))
        for patches in patches_of(sample.laid, crop_size(hyper), 2 * hyper.batch_size):
            on_part()
            logits = predict_patches(predictor, patches.images)
            for start, one in zip(patches.starts, logits, strict=True):
                stitched.add(start, one)
        named = stitched.named_as_stored(sample.header.size)
        return Answer(named, stitched.doubt() if self.purpose.spec.doubts else None)

    def tell(self, item: Item, sample: Sample, answer: Answer, drawing: Path | None) -> Told:
        """Pages show millilitres; a file whose voxels have no size in the body counts them as 1 mm."""
        classes, header, named = self.purpose.manifest.classes, sample.header, answer.classes
        file = f"{item.id}.nii.gz"
        (self.purpose.found / file).write_bytes(write_volume(self._value_of[named], header))
        place: dict[str, Any] = {}
        if drawing is not None:
            drawn = draw_slice(drawing, sample.pixels, (np.zeros_like(named), named), header)
            place = drawn.fields(self.purpose.spec.folder)
        counts = np.bincount(named.reshape(-1), minlength=len(classes))[1:].tolist()
        volumes = [count * prod(header.spacing) / MILLILITRE for count in counts]
        size: list[Any] = [*reversed(named.shape), *reversed(header.spacing)]
        row: Cells = [item.name, self._names[item.id], *size, *counts, *volumes]
        result = plain_result(item, values=dict(zip(classes[1:], volumes, strict=True)))
        result = replace(result, doubt=answer.doubt, palette=palette_of(classes), **place)
        return Told(result, [row], file)

    def header(self) -> Cells:
        classes = self.purpose.manifest.classes[1:]
        found = [f"{of} {name}" for of in ("voxels", "ml") for name in classes]
        size = ["width", "height", "depth", "mm width", "mm height", "mm depth"]
        return ["name", "mask", *size, *found]

    def pack(self, told: Sequence[tuple[Item, Told]]) -> list[tuple[str, Path]]:
        return pack(self.purpose.spec.out / "masks.zip", self.purpose.found, told, self._names)
