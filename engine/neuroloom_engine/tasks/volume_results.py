"""What a test of volumes leaves: masks, distances in mm, a picture of each of the worst."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..data.slices import DrawnSlice, draw_slice
from ..data.volumes import write_volume
from ..names import entry_names
from ..spec import Manifest, NetworkSpec
from .evidence import segmentation_evidence
from .result import Evaluation, Gathered, ItemResult
from .segmentation import MAX_OVERLAYS, values_of
from .surfaces import hd95_per_class
from .volume_cases import Bytes, Dataset


class Results:
    """Predicted masks as NIfTI on each volume's own grid, with the values of the user's own."""

    def __init__(self, spec: NetworkSpec, manifest: Manifest, data: Dataset) -> None:
        self._spec = spec
        self._data = data
        names = (item.name.removesuffix(".gz") for item in data.items)
        self._names = entry_names(names, ".nii.gz")
        self._value_of = np.array(values_of(manifest), np.int32)
        self._path = spec.out / "masks.zip"
        self._zip = zipfile.ZipFile(self._path, "w", zipfile.ZIP_STORED)
        self._gaps: dict[int, list[float | None]] = {}
        self._drawn: dict[str, DrawnSlice] = {}

    def keep(self, row: int, answer: Bytes) -> None:
        case = self._data.store[row]
        # A fixed date keeps equal results equal to the byte.
        entry = zipfile.ZipInfo(self._names[row], (1980, 1, 1, 0, 0, 0))
        self._zip.writestr(entry, write_volume(self._value_of[answer], case.header))
        self._gaps[row] = hd95_per_class(case.mask, answer, len(self._data.classes), case.header.spacing)
        item = self._data.items[row].id
        self._drawn[item] = draw_slice(self._overlay(item), case.pixels, (case.mask, answer), case.header)

    def finish(self, evaluation: Evaluation) -> Gathered:
        self._zip.close()
        items = self._keep_worst(evaluation)
        gaps = [self._gaps[row] for row in range(len(items))]
        evidence = segmentation_evidence(self._data.items, evaluation.items, self._data.classes[1:], gaps)
        return Gathered(items, evidence, [("masks_zip", self._path)])

    def _overlay(self, item: str) -> Path:
        return self._spec.out / "overlays" / f"{item}.png"

    def _keep_worst(self, evaluation: Evaluation) -> list[ItemResult]:
        items = list(evaluation.items)
        order = sorted(range(len(items)), key=lambda index: (items[index].score or 0.0, index))
        for index in order[MAX_OVERLAYS:]:
            self._overlay(items[index].id).unlink()
            self._drawn[items[index].id].remove()
        for index in order[:MAX_OVERLAYS]:
            path = self._overlay(items[index].id).relative_to(self._spec.folder)
            place = self._drawn[items[index].id].fields(self._spec.folder)
            items[index] = replace(items[index], overlay=path.as_posix(), **place)
        return items
