"""Names classes: one of each image, or any number of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..data.images import BadFile, as_uint8, read_picture, resize
from ..data.loading import Store
from ..predict import Predictor
from ..spec import Item
from ..tasks import classification, doubt
from ..tasks.decision import class_named, usual
from .applier import Cells, OnPart, Purpose, Told, plain_result

Pixels = NDArray[np.uint8]
Probabilities = NDArray[np.float64]


@dataclass(frozen=True)
class Labels:
    purpose: Purpose
    # Whether the classes exclude one another.
    is_one: bool

    def read(self, item: Item) -> Pixels:
        picture = read_picture(self.purpose.path_of(item), self.purpose.most_pixels)
        return resize(as_uint8(picture, self.purpose.manifest.channels), *self.purpose.spec.hyper.image_size)

    def form(self, sample: Pixels) -> Hashable:
        return None

    def together(self, sample: Pixels) -> int:
        return self.purpose.spec.hyper.batch_size * 2

    def size(self, sample: Pixels) -> int:
        return sample.nbytes

    def answer(self, predictor: Predictor, samples: Sequence[Pixels], on_part: OnPart) -> list[Probabilities]:
        unlabelled = np.zeros(len(samples), np.int64)
        store: Store[Pixels] = Store([], self.read, list(samples))
        data = classification.Dataset(store, unlabelled, [], self.purpose.manifest.classes)
        rows = range(len(samples))
        images, _ = classification.batch(data, rows, self.purpose.rule, self.purpose.spec.hyper, None)
        logits = predictor(images).double()
        return list((logits.softmax(1) if self.is_one else logits.sigmoid()).numpy())

    def tell(self, item: Item, sample: Pixels, answer: Probabilities, drawing: Path | None) -> Told:
        """The score is how sure the network is, of several labels of the one that it is least sure of."""
        if not np.isfinite(answer).all():
            raise BadFile("not_finite")
        sure = answer if self.is_one else np.maximum(answer, 1 - answer)
        score = float(sure.max() if self.is_one else sure.min())
        named = self.named(answer)
        names = "; ".join(self.purpose.manifest.classes[index] for index in named)
        result = plain_result(item, probabilities=answer.tolist(), score=score, named=named)
        if self.purpose.spec.doubts:
            result = replace(result, doubt=(doubt.of_class if self.is_one else doubt.of_labels)(answer))
        return Told(result, [[item.name, names, *answer.tolist()]])

    def named(self, answer: Probabilities) -> list[int]:
        decision = self.purpose.decision
        if self.is_one:
            return [int(class_named(answer, decision))]
        return np.flatnonzero((decision or usual(len(answer))).named(answer)).tolist()

    def header(self) -> Cells:
        names = [f"p {name}" for name in self.purpose.manifest.classes]
        return ["name", "class" if self.is_one else "classes", *names]

    def pack(self, told: Sequence[tuple[Item, Told]]) -> list[tuple[str, Path]]:
        return []
