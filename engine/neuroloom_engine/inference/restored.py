"""Makes images larger and finer, or takes their noise away."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.chunks import count_together
from ..data.images import BadFile, read_picture
from ..data.normalise import Normalise
from ..data.pairs import as_levels, as_tensor, levels_of
from ..data.strip import draw
from ..predict import Predictor
from ..spec import Item
from ..tasks.restoration import Restoration
from ..tasks.restoration_results import MAX_WHOLE, as_image
from .applier import Cells, OnPart, Purpose, Told, plain_result
from .packing import names_of, pack

Levels = NDArray[Any]  # (h, w, c) of uint8 or uint16


class Restored:
    def __init__(self, purpose: Purpose, task: Restoration) -> None:
        self.purpose = purpose
        self._task = task
        self._names = names_of(purpose.manifest.items, ".png")
        self._wholes = {item.id for item in purpose.manifest.items[:MAX_WHOLE]}

    def read(self, item: Item) -> Levels:
        picture = read_picture(self.purpose.path_of(item), self.purpose.most_pixels)
        return levels_of(picture, self.purpose.manifest.channels)

    def form(self, sample: Levels) -> Hashable:
        return (sample.shape, sample.dtype.str)

    def together(self, sample: Levels) -> int:
        """As much as in training, which memory was chosen for, or two."""
        hyper = self.purpose.spec.hyper
        return count_together(prod(sample.shape[:2]), hyper.batch_size * prod(hyper.image_size))

    def size(self, sample: Levels) -> int:
        return sample.nbytes

    def answer(self, predictor: Predictor, samples: Sequence[Levels], on_part: OnPart) -> list[Levels | None]:
        rule, factor = self.purpose.rule, self.purpose.manifest.factor
        given = as_tensor(samples)
        found = predictor.predict_maps(Normalise(rule)(given), factor)
        images = self._task.base(given, factor, rule) + rule.std[0] * found
        kind = samples[0].dtype
        return [as_levels(image, kind) if bool(image.isfinite().all()) else None for image in images]

    def tell(self, item: Item, sample: Levels, answer: Levels | None, drawing: Path | None) -> Told:
        if answer is None:
            raise BadFile("not_finite")
        file = f"{item.id}.png"
        as_image(np.ascontiguousarray(answer)).save(self.purpose.found / file, format="PNG")
        beside: dict[str, Any] = {}
        if drawing is not None:
            drawn = draw(drawing, sample, answer, None, item.id in self._wholes)
            beside = {} if drawn is None else drawn.fields(self.purpose.spec.folder)
        sizes = [*reversed(sample.shape[:2]), *reversed(answer.shape[:2])]
        return Told(plain_result(item, **beside), [[item.name, self._names[item.id], *sizes]], file)

    def header(self) -> Cells:
        return ["name", "image", "width before", "height before", "width", "height"]

    def pack(self, told: Sequence[tuple[Item, Told]]) -> list[tuple[str, Path]]:
        return pack(self.purpose.spec.out / "images.zip", self.purpose.found, told, self._names)
