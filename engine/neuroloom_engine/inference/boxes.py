"""Frames things with boxes."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..checkpoint import write_durably
from ..data.box_augment import fit
from ..data.box_overlay import DrawnBoxes, draw_boxes
from ..data.images import as_uint8, read_picture
from ..data.loading import Store
from ..predict import Predictor
from ..spec import Item
from ..tasks import detection, doubt
from ..tasks.average_precision import Boxes as FoundBoxes
from ..tasks.detection import Sample
from ..tasks.detection_layout import layout_of
from ..tasks.detection_results import Answer, Tested, boxes_json, coco_results, describe
from ..tasks.detection_ways import decode, found_boxes
from .applier import Cells, OnPart, Purpose, Told

NONE = FoundBoxes(np.zeros(0, np.int64), np.zeros((0, 4), np.float32), np.zeros(0, np.float32))


class Boxes:
    def __init__(self, purpose: Purpose) -> None:
        self.purpose = purpose
        self._layout = layout_of(purpose.spec.plan)

    def read(self, item: Item) -> Sample:
        pixels = self._stored(item)
        fitted = fit(pixels, *self.purpose.spec.hyper.image_size)
        return Sample(fitted.pixels, fitted.scale, (pixels.shape[0], pixels.shape[1]))

    def _stored(self, item: Item) -> Any:
        picture = read_picture(self.purpose.path_of(item), self.purpose.most_pixels)
        return as_uint8(picture, self.purpose.manifest.channels)

    def form(self, sample: Sample) -> Hashable:
        return None

    def together(self, sample: Sample) -> int:
        return self.purpose.spec.hyper.batch_size * 2

    def size(self, sample: Sample) -> int:
        return sample.pixels.nbytes

    def answer(self, predictor: Predictor, samples: Sequence[Sample], on_part: OnPart) -> list[Answer]:
        spec, manifest = self.purpose.spec, self.purpose.manifest
        store: Store[Sample] = Store([], self.read, list(samples))
        scales, sizes = [one.scale for one in samples], [one.size for one in samples]
        about = (manifest.classes, self._layout, spec.data_root, manifest.channels)
        data = detection.Dataset(store, [NONE] * len(samples), scales, sizes, [], *about)
        images, _ = detection.batch(data, range(len(samples)), self.purpose.rule, spec.hyper, None)
        boxes, scores = decode(predictor.heads(images), self._layout)
        return [
            Answer(found_boxes(own, sure, sample.scale, sample.size), self.purpose.threshold)
            for own, sure, sample in zip(boxes, scores, samples, strict=True)
        ]

    def tell(self, item: Item, sample: Sample, answer: Answer, drawing: Path | None) -> Told:
        """Drawn on the image as stored, which shows more than what the network sees."""
        if drawing is not None:
            believed = answer.believed
            # Nobody knows which are wrong.
            drawn = DrawnBoxes(believed.corners, believed.classes, np.zeros(len(believed), np.bool_))
            draw_boxes(drawing, self._stored(item), NONE.corners, drawn)
        # Items hold the surest boxes alone: how many there are of each class is said beside them.
        counts = self._counts(answer.believed)
        values = {f"boxes_{index}": float(count) for index, count in enumerate(counts)}
        result = replace(
            describe(item, NONE, answer, sample.size),
            score=None,
            values={"found": float(len(answer.believed))} | values,
        )
        found = answer.found
        if self.purpose.spec.doubts:
            count = len(self.purpose.manifest.classes)
            result = replace(result, doubt=doubt.of_boxes(found.classes, found.scores, count))
        detail = {
            "size": list(sample.size),
            "classes": found.classes.tolist(),
            "corners": np.round(found.corners.astype(np.float64), 2).tolist(),
            "scores": np.round(found.scores.astype(np.float64), 5).tolist(),
        }
        return Told(result, self._rows(item, answer.believed), None, detail)

    def _rows(self, item: Item, believed: FoundBoxes) -> list[Cells]:
        """Surest first; an image without a box has a row with nothing but its name."""
        rows: list[Cells] = []
        classes, counts = self.purpose.manifest.classes, self._counts(believed)
        for box, score in zip(boxes_json(believed), believed.scores, strict=True):
            sides = [round(box["x1"] - box["x0"], 2), round(box["y1"] - box["y0"], 2)]
            name = classes[int(box["class"])]
            rows.append([item.name, name, round(float(score), 4), box["x0"], box["y0"], *sides, *counts])
        return rows or [[item.name, None, None, None, None, None, None, *counts]]

    def _counts(self, believed: FoundBoxes) -> list[int]:
        return np.bincount(believed.classes, minlength=len(self.purpose.manifest.classes)).tolist()

    def header(self) -> Cells:
        """The last columns say how many boxes of each class the image has, in every row of it."""
        counts = [f"boxes {name}" for name in self.purpose.manifest.classes]
        return ["name", "class", "score", "x", "y", "width", "height", *counts]

    def pack(self, told: Sequence[tuple[Item, Told]]) -> list[tuple[str, Path]]:
        """All boxes, also those that are not believed, with the score from which on they are."""
        details = [one.detail or {} for _, one in told]
        founds = [
            FoundBoxes(
                np.array(one["classes"], np.int64),
                np.array(one["corners"], np.float32).reshape(-1, 4),
                np.array(one["scores"], np.float32),
            )
            for one in details
        ]
        sizes = [(one["size"][0], one["size"][1]) for one in details]
        items = [item for item, _ in told]
        tested = Tested(items, [NONE] * len(items), sizes, self.purpose.manifest.classes)
        found = {"info": {"threshold": self.purpose.threshold}} | coco_results(tested, founds)
        path = self.purpose.spec.out / "boxes.json"
        write_durably(path, json.dumps(found, separators=(",", ":")).encode())
        return [("boxes_json", path)]
