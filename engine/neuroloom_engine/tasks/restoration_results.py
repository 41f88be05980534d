"""What a test of a restoration leaves: the images, and pictures of the worst of them."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..data.strip import DrawnWhole
from ..names import entry_names
from ..spec import Item, NetworkSpec
from .evidence import restoration_evidence
from .result import Evaluation, Gathered, ItemResult

# Pictures are drawn for this many items of a test, those with the lowest score first.
MAX_OVERLAYS = 300
# Whole images of the first so many of these: a picture of four parts takes megabytes.
MAX_WHOLE = 24

Levels = NDArray[Any]


class Results:
    """Restored images, one PNG an item, with as many bits as the true ones; pictures of the worst items."""

    def __init__(
        self,
        spec: NetworkSpec,
        items: Sequence[Item],
        baseline: str,
        draw: Callable[[Path, int, Levels, bool], DrawnWhole | None],
    ) -> None:
        self._spec = spec
        self._items = items
        self._baseline = baseline
        self._draw = draw
        self._names = entry_names((item.name for item in items), ".png")
        self._path = spec.out / "images.zip"
        self._zip = zipfile.ZipFile(self._path, "w", zipfile.ZIP_STORED)

    def keep(self, row: int, answer: Levels) -> None:
        buffer = BytesIO()
        as_image(answer).save(buffer, format="PNG")
        # A fixed date keeps equal results equal to the byte.
        self._zip.writestr(zipfile.ZipInfo(self._names[row], (1980, 1, 1, 0, 0, 0)), buffer.getvalue())

    def finish(self, evaluation: Evaluation) -> Gathered:
        self._zip.close()
        items = self._draw_worst(evaluation)
        evidence = restoration_evidence(self._items, evaluation.items, self._baseline)
        return Gathered(items, evidence, [("images_zip", self._path)])

    def _draw_worst(self, evaluation: Evaluation) -> list[ItemResult]:
        items = list(evaluation.items)
        worst = sorted(range(len(items)), key=lambda index: (items[index].score or 0.0, index))[:MAX_OVERLAYS]
        with zipfile.ZipFile(self._path) as archive:
            for place, index in enumerate(worst):
                path = self._spec.out / "overlays" / f"{items[index].id}.png"
                stored = np.asarray(Image.open(BytesIO(archive.read(self._names[index]))))
                answer = stored if stored.ndim == 3 else stored[..., None]
                levels = answer if answer.dtype == np.uint8 else answer.astype(np.uint16)
                drawn = self._draw(path, index, levels, place < MAX_WHOLE)
                beside = {} if drawn is None else drawn.fields(self._spec.folder)
                overlay = path.relative_to(self._spec.folder).as_posix()
                items[index] = replace(items[index], overlay=overlay, **beside)
        return items


def as_image(pixels: Levels) -> Image.Image:
    """PNG has no colours of 16 bits that Pillow could write; they came from grey files anyway."""
    if pixels.shape[2] == 1 or pixels.dtype == np.uint16:
        return Image.fromarray(pixels[..., 0] if pixels.shape[2] == 1 else pixels.mean(2).astype(np.uint16))
    return Image.fromarray(pixels)
