"""The `check` run: looks at files one by one and says what they are or why they cannot be used.

Needs no torch.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from .control import Control
from .data.images import BadFile, Picture, Pixels, mask_counts, read_mask, read_picture
from .events import Emitter
from .spec import CheckFile, CheckSpec

THREADS = 2
WINDOW = 16


def check(spec: CheckSpec, emitter: Emitter, control: Control) -> None:
    """One `file` event each, in order; a bad file never ends the run."""
    thumbnails = spec.out / "thumbnails"
    thumbnails.mkdir(exist_ok=True)
    emitter.emit("phase", phase="checking_data", counts={"files": len(spec.files)})
    with ThreadPoolExecutor(THREADS) as pool:
        for window in windows(spec.files):
            control.check()
            for file, (facts, reason) in zip(
                window, pool.map(lambda file: look(file, spec), window), strict=True
            ):
                emitter.emit("file", id=file.id, facts=facts, reason=reason)


def windows(files: tuple[CheckFile, ...]) -> Iterator[tuple[CheckFile, ...]]:
    for start in range(0, len(files), WINDOW):
        yield files[start : start + WINDOW]


def look(file: CheckFile, spec: CheckSpec) -> tuple[dict[str, Any] | None, str | None]:
    """Facts, or the reason why there are none."""
    try:
        read = read_mask if file.role == "mask" else read_picture
        picture = read(file.path, spec.max_pixels)
        facts = facts_of(picture, file.role)
        if spec.thumbnail_size > 0:
            save_thumbnail(
                spec.out / "thumbnails" / f"{file.id}.webp", picture, file.role, spec.thumbnail_size
            )
        return facts, None
    except BadFile as error:
        return None, error.reason
    except MemoryError:
        return None, "too_large"
    except FileNotFoundError:
        return None, "empty"


def facts_of(picture: Picture, role: str) -> dict[str, Any]:
    pixels = picture.pixels
    top = 65535.0 if picture.bits == 16 else 255.0
    counts = np.bincount(pixels.reshape(-1))
    levels = np.arange(len(counts)) / top
    mean = float(counts @ levels / pixels.size)
    values = {str(value): count for value, count in mask_counts(pixels).items()} if role == "mask" else None
    return {
        "format": picture.format,
        "width": pixels.shape[1],
        "height": pixels.shape[0],
        "depth": None,
        "spacing": None,
        "orientation": None,
        "channels": picture.channels,
        "bits": picture.bits,
        "mean": mean,
        "std": float(np.sqrt(max(0.0, counts @ (levels - mean) ** 2 / pixels.size))),
        "values": values,
    }


def save_thumbnail(path: Path, picture: Picture, role: str, size: int) -> None:
    image = Image.fromarray(mask_shades(picture.pixels) if role == "mask" else eight_bit(picture.pixels))
    resample = Image.Resampling.NEAREST if role == "mask" else Image.Resampling.BILINEAR
    image.thumbnail((size, size), resample)
    part = path.with_suffix(".part")
    image.save(part, format="WEBP", quality=80, lossless=role == "mask", method=2)
    part.replace(path)


def mask_shades(pixels: Pixels) -> Pixels:
    """Mask values as evenly spaced greys: 0 and 1 would both look black."""
    values, index = np.unique(pixels, return_inverse=True)
    shades = np.linspace(0, 255, max(2, len(values))).astype(np.uint8)
    return shades[index.reshape(pixels.shape)]


def eight_bit(pixels: Pixels) -> Pixels:
    if pixels.dtype == np.uint8:
        return pixels
    low, high = int(pixels.min()), int(pixels.max())
    return ((pixels.astype(np.float32) - low) * (255 / max(1, high - low))).astype(np.uint8)
