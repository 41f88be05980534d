"""What a test of detection leaves: results by item, a table, COCO results, pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checkpoint import write_durably
from ..data.box_overlay import DrawnBoxes
from ..spec import Item, NetworkSpec
from .average_precision import OVERLAPS, Boxes, Matches, hits_of, item_f1, matches_of
from .decision import Decision
from .detection_evidence import detection_evidence
from .result import Evaluation, Gathered, ItemResult, Table

# Found boxes of an image that people are shown; `boxes.json` holds all.
MOST_SHOWN = 100
# Pictures are drawn for this many items of a test, those with the lowest score first.
MAX_OVERLAYS = 300


@dataclass(frozen=True)
class Answer:
    """What was found on an image, surest first, and the score from which on it is believed."""

    found: Boxes
    threshold: float

    @property
    def believed(self) -> Boxes:
        return self.found.first(int((self.found.scores >= self.threshold).sum()))


@dataclass(frozen=True)
class Tested:
    """What is known of the tested images without any network: `sizes` are (height, width) as stored."""

    items: Sequence[Item]
    boxes: Sequence[Boxes]
    sizes: Sequence[tuple[int, int]]
    classes: Sequence[str]
    decision: Decision | None = None


Draw = Callable[[Path, int, Answer], None]


class Results:
    """Found boxes as COCO results; pictures of the worst items."""

    def __init__(self, spec: NetworkSpec, tested: Tested, draw: Draw) -> None:
        self._spec = spec
        self._tested = tested
        self._draw = draw
        self._answers: dict[int, Answer] = {}

    def keep(self, row: int, answer: Answer) -> None:
        self._answers[row] = answer

    def finish(self, evaluation: Evaluation) -> Gathered:
        founds = [self._answers[row].found for row in range(len(evaluation.items))]
        path = self._spec.out / "boxes.json"
        write_durably(path, json.dumps(coco_results(self._tested, founds), separators=(",", ":")).encode())
        items = self._draw_worst(evaluation)
        matches = matches_of(self._tested.boxes, founds, len(self._tested.classes))
        evidence = detection_evidence(
            self._tested.items, matches, self._tested.classes, self._tested.decision
        )
        return Gathered(items, evidence, [("boxes_json", path)])

    def _draw_worst(self, evaluation: Evaluation) -> list[ItemResult]:
        items = list(evaluation.items)
        worst = sorted(range(len(items)), key=lambda index: (items[index].score or 0.0, index))[:MAX_OVERLAYS]
        for index in worst:
            path = self._spec.out / "overlays" / f"{items[index].id}.png"
            self._draw(path, index, self._answers[index])
            items[index] = replace(items[index], overlay=path.relative_to(self._spec.folder).as_posix())
        return items


def coco_results(tested: Tested, founds: Sequence[Boxes]) -> dict[str, Any]:
    """As a COCO file with names of images and classes; `annotations` alone are what COCO calls results."""
    images = [
        {"id": number, "file_name": item.name, "width": size[1], "height": size[0]}
        for number, (item, size) in enumerate(zip(tested.items, tested.sizes, strict=True), start=1)
    ]
    annotations: list[dict[str, Any]] = []
    for number, found in enumerate(founds, start=1):
        for box, score in zip(boxes_json(found), found.scores, strict=True):
            sides = [round(box["x1"] - box["x0"], 2), round(box["y1"] - box["y0"], 2)]
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": number,
                    "category_id": box["class"] + 1,
                    "bbox": [box["x0"], box["y0"], *sides],
                    "score": round(float(score), 5),
                }
            )
    categories = [{"id": number, "name": name} for number, name in enumerate(tested.classes, start=1)]
    return {"images": images, "categories": categories, "annotations": annotations}


def drawn_of(truth: Boxes, answer: Answer) -> DrawnBoxes:
    """The believed boxes; wrong is what overlaps no true box of its class that is still free by half."""
    believed = answer.believed
    return DrawnBoxes(believed.corners, believed.classes, ~hits_of(truth, believed)[0])


def describe(item: Item, truth: Boxes, answer: Answer, size: tuple[int, int]) -> ItemResult:
    """The item's score is the F1 of its boxes, at the threshold by which boxes are believed.

    `size`: height and width as stored.
    """
    shown = answer.found.first(MOST_SHOWN)
    # So exactly that their order stays: comparisons of tests measure average precision anew from them.
    scores = [{"score": round(float(score), 7)} for score in shown.scores]
    return ItemResult(
        id=item.id,
        name=item.name,
        truth=None,
        probabilities=[],
        score=item_f1(truth, answer.believed),
        values={"boxes": len(truth), "found": len(answer.believed)},
        size=[size[1], size[0]],
        boxes={
            "truth": boxes_json(truth),
            "found": [box | score for box, score in zip(boxes_json(shown), scores, strict=True)],
        },
    )


def tally_of(truth: Boxes, answer: Answer, classes: int) -> dict[str, Any]:
    """What average precision over several networks' images needs.

    Of each found box the overlaps at which it hits, as bits.
    """
    found = answer.found
    bits = (hits_of(truth, found) << np.arange(len(OVERLAPS))[:, None]).sum(0)
    return {
        "classes": found.classes.tolist(),
        "scores": found.scores.tolist(),
        "hits": bits.tolist(),
        "limit": answer.threshold,
        "truth": np.bincount(truth.classes, minlength=classes).tolist(),
    }


def joined(tallies: Sequence[dict[str, Any]]) -> tuple[Matches, NDArray[np.float32]]:
    """All images in a row, and from where on each found box is believed."""
    sizes = [len(one["classes"]) for one in tallies]
    bits = np.concatenate([np.array(one["hits"], np.int64) for one in tallies])
    matches = Matches(
        np.concatenate([np.array(one["classes"], np.int64) for one in tallies]),
        np.concatenate([np.array(one["scores"], np.float32) for one in tallies]),
        np.repeat(np.arange(len(tallies)), sizes),
        (bits >> np.arange(len(OVERLAPS))[:, None] & 1).astype(np.bool_),
        np.array([one["truth"] for one in tallies], np.int64),
    )
    return matches, np.repeat(np.array([one["limit"] for one in tallies], np.float32), sizes)


def boxes_json(boxes: Boxes) -> list[dict[str, Any]]:
    """In the contract's words, to the hundredth of a pixel."""
    corners = np.round(boxes.corners.astype(np.float64), 2).tolist()
    names = ("x0", "y0", "x1", "y1")
    return [
        {"class": int(index), **dict(zip(names, box, strict=True))}
        for index, box in zip(boxes.classes, corners, strict=True)
    ]


def table_of(evaluation: Evaluation, classes: Sequence[str]) -> Table:
    """The boxes that are believed, surest first; an image without any has a row with nothing but its name."""
    table: Table = [["name", "class", "score", "x", "y", "width", "height"]]
    for item in evaluation.items:
        believed = int(item.values["found"] or 0)
        found = (item.boxes or {"found": []})["found"][:believed]
        for box in found:
            sides = [round(box["x1"] - box["x0"], 2), round(box["y1"] - box["y0"], 2)]
            score = round(box["score"], 4)
            table.append([item.name, classes[int(box["class"])], score, box["x0"], box["y0"], *sides])
        if not found:
            table.append([item.name, None, None, None, None, None, None])
    return table
