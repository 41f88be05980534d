"""Shows a few fixed validation items at each validation: what the network says of them now."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import Any

from .events import Emitter
from .spec import NetworkSpec
from .tasks.result import Evaluation
from .tasks.task import task_of

ITEMS = 6
# Of a long run only every so many validations are shown, so that pictures do not fill the disk.
MAX_PREVIEWS = 60


class Preview:
    def __init__(self, spec: NetworkSpec, emitter: Emitter, rows: list[int], dataset: Any) -> None:
        step = max(1, len(rows) // ITEMS)
        self._rows = rows[::step][:ITEMS]
        self._answers: dict[int, Any] = {}
        self._dataset = dataset
        self._emitter = emitter
        self._spec = spec
        self._ids = {dataset.items[row].id: row for row in self._rows}
        validations = ceil(spec.hyper.epochs / spec.hyper.validation_interval)
        self._interval = spec.hyper.validation_interval * ceil(validations / MAX_PREVIEWS)

    def on_answer(self, row: int, answer: Any) -> None:
        if row in self._rows:
            self._answers[row] = answer

    def send(self, fold: int, epoch: int, evaluation: Evaluation) -> None:
        if epoch % self._interval and epoch not in (1, self._spec.hyper.epochs):
            return
        results = [result for result in evaluation.items if result.id in self._ids]
        if not results:
            return
        for index, result in enumerate(results):
            row = self._ids[result.id]
            if row in self._answers:
                path = self._spec.out / "previews" / f"{fold}-{epoch:04d}-{index}.png"
                drawn = task_of(self._spec.task).draw(path, self._dataset, row, self._answers[row])
                place = {} if drawn is None else drawn.fields(self._spec.folder)
                overlay = path.relative_to(self._spec.folder).as_posix()
                results[index] = replace(result, overlay=overlay, **place)
        self._emitter.emit("preview", fold=fold, epoch=epoch, items=[result.to_json() for result in results])
