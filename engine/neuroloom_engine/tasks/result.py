"""What evaluating a network gives, in the contract's words. Holds data only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from .decision import Decision

Values = dict[str, float | None]
Table = list[list[str | float | None]]
# Called between batches with the number of items done; raises to stop.
OnStep = Callable[[int], None]
# Called with a row and what the network said of it, in the task's own form.
OnAnswer = Callable[[int, Any], None]


class Drawn(Protocol):
    """What was drawn of an item beside its overlay."""

    def fields(self, folder: Path, /) -> dict[str, Any]:
        """The fields of an `ItemResult` that name it; paths are relative to `folder`."""
        ...

    def remove(self) -> None: ...


@dataclass(frozen=True)
class ItemResult:
    id: str
    name: str
    truth: int | None
    probabilities: list[float]
    score: float | None
    values: Values
    overlay: str | None = None
    labels: list[int] | None = None
    boxes: dict[str, list[dict[str, Any]]] | None = None
    heat: str | None = None
    # Classes that are named; None where nothing is.
    named: list[int] | None = None
    # How unsure the network is of each class; None where nobody asked.
    doubt: list[float] | None = None
    # Of a volume: the slice of the overlay without outlines, and which of how many it is.
    plain: str | None = None
    slice: dict[str, int] | None = None
    # Of a restoration: the parts of the overlay, uncropped; None where the overlay holds the whole image.
    whole: str | None = None
    # Of detection: width and height of the image, in whose pixels the boxes are.
    size: list[int] | None = None
    # Of outlines of several classes: "classes", each has a colour of its own. None: there is one colour.
    palette: str | None = None

    def to_json(self) -> dict[str, Any]:
        # Results of one colour are the very bytes that they were before there were several.
        palette = {} if self.palette is None else {"palette": self.palette}
        return palette | {
            "id": self.id,
            "name": self.name,
            "truth": self.truth,
            "probabilities": [round(value, 6) for value in self.probabilities],
            "score": self.score,
            "values": self.values,
            "overlay": self.overlay,
            "heat": self.heat,
            "labels": self.labels,
            "named": self.named,
            "boxes": self.boxes,
            "doubt": self.doubt,
            "plain": self.plain,
            "slice": self.slice,
            "whole": self.whole,
            "size": self.size,
        }


@dataclass(frozen=True)
class Evaluation:
    """`values` starts with the loss; `decision`: the thresholds that are best for these very items."""

    values: Values
    per_class: list[tuple[str, Values]]
    confusion: list[list[int]] | None
    items: list[ItemResult] = field(default_factory=list)
    decision: Decision | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "values": self.values,
            "perClass": [{"class": name, "values": values} for name, values in self.per_class],
            "confusion": self.confusion,
        }


@dataclass(frozen=True)
class Gathered:
    """What a test leaves beside its metrics: `files` by the contract's kind of artifact."""

    items: list[ItemResult]
    evidence: dict[str, Any]
    files: list[tuple[str, Path]] = field(default_factory=list)
