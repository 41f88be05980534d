"""How joined masks would look, and what masks measure: answers that a page waits for.

Reads a folder with `masks.json` and the masks; writes `answered.json`.
"""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from ..spec import field, read_json
from ..tasks.surfaces import bounds
from .algebra import foresee, of_frames, read_part
from .examine import COLOURS, attempted, busiest
from .files import read_frame
from .frame import Frame
from .joins import Reader
from .mask_steps import Numbers, classes_in, numbers_of, spacing_of
from .regions import pieces_of
from .trial import address_of
from .work import THREADS

# Values of a mask that are listed; more are no classes.
MOST_LISTED = 64


def answer(folder: Path) -> None:
    """How some would look, and what some measure: as many as the time allows, at least one."""
    raw = read_json(folder / "masks.json")
    resource.setrlimit(resource.RLIMIT_DATA, (field(raw, "memoryBytes", int), resource.RLIM_INFINITY))
    most = field(raw, "maxPixels", int)
    samples: list[list[Mapping[str, Any]]] = field(raw, "samples", list)
    until = time.monotonic() + field(raw, "seconds", int)
    measured: list[dict[str, Any]] = []
    with ThreadPoolExecutor(THREADS) as pool:
        shown = list(pool.map(lambda one: sample(folder, raw, one, most), samples))
    for one in field(raw, "measured", list):
        if measured and time.monotonic() > until:
            break
        measured.append(measures(folder / field(one, "path", str), most))
    heads = [head(folder, one, most) for one in field(raw, "heads", list)]
    told = {"samples": shown, "measured": measured, "heads": heads}
    (folder / "answered.json").write_text(json.dumps(told, allow_nan=False))


def head(folder: Path, parts: Sequence[Mapping[str, Any]], most: int) -> dict[str, Any]:
    """Whether a group would fail, by what its headers say."""
    files = [(folder / field(part, "path", str), field(part, "name", str)) for part in parts]
    is_known, reason = attempted(lambda: foresee(files, most))
    return {"isKnown": is_known is not False, "reason": reason}


def sample(
    folder: Path, raw: Mapping[str, Any], parts: Sequence[Mapping[str, Any]], most: int
) -> dict[str, Any]:
    names = [field(part, "name", str) for part in parts]
    paths = [folder / field(part, "path", str) for part in parts]
    frames = [
        attempted(partial(read_part, path, name, most)) for path, name in zip(paths, names, strict=True)
    ]
    good = [frame for frame, _ in frames if frame is not None]
    reason = next((trouble for _, trouble in frames if trouble is not None), None)
    made: Frame | None = None
    readers: list[Reader] = []
    if reason is None:
        done, reason = attempted(lambda: of_frames(good, names, field(raw, "work", dict)))
        made, readers = done if done is not None else (None, [])
    level = busiest(made if made is not None else good[0]) if good else 0
    side = field(raw, "side", int)
    return {
        "before": [None if frame is None else drawn(frame, level, side) for frame, _ in frames],
        "after": None if made is None else drawn(made, level, side),
        "reason": reason,
        "readers": [asdict(reader) for reader in readers],
        "values": sorted({value for frame in good for value in values_in(frame)}),
        "hasSpacing": bool(good) and spacing_of(good[0]) is not None,
    }


def values_in(frame: Frame) -> list[int]:
    found = [one for one in np.unique(frame.pixels).tolist() if one != 0]
    return found if len(found) <= MOST_LISTED else []


def drawn(frame: Frame, level: int, side: int) -> dict[str, Any]:
    """Each class in the colour of its number, so that before and after are alike."""
    plane = frame.pixels[min(level, len(frame.pixels) - 1)] if frame.is_volume else frame.pixels
    table = np.array([(0, 0, 0), *COLOURS], np.uint8)
    colours = table[np.where(plane == 0, 0, 1 + (plane.astype(np.int64) - 1) % len(COLOURS))]
    image = Image.fromarray(colours)
    image.thumbnail((side, side), Image.Resampling.NEAREST)
    return {
        "image": address_of(image, is_exact=True),
        "width": frame.width,
        "height": frame.height,
        "depth": len(frame.pixels) if frame.is_volume else None,
        "bits": frame.pixels.dtype.itemsize * 8,
    }


def measures(path: Path, most: int) -> dict[str, Any]:
    """Of each class of a mask its size, its pieces and the box around it."""

    def work() -> dict[str, Any]:
        frame = read_frame(path, True, most)
        numbers, spacing = numbers_of(frame), spacing_of(frame)
        rows = [measured_class(numbers, value, spacing) for value in classes_in(numbers, 0)]
        return {"rows": rows, "isVolume": frame.is_volume}

    found, reason = attempted(work)
    return {"reason": reason, **(found or {"rows": [], "isVolume": False})}


def measured_class(numbers: Numbers, value: int, spacing: Sequence[float] | None) -> dict[str, Any]:
    own = numbers == value
    box = bounds(own)
    found = pieces_of(own[box])
    count = int(found.sizes.sum())
    return {
        "value": value,
        "count": count,
        # mm³
        "size": None if spacing is None else count * float(np.prod(spacing)),
        "pieces": found.count,
        # From x, y (and z), counted from 0, to the last one in it.
        "box": [[span.start, span.stop - 1] for span in reversed(box)],
    }
