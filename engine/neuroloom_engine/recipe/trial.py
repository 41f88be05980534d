"""Tries a recipe: what would fail by sizes and kinds, and what really comes of a few pictures.

Reads a folder with `try.json` and the pictures; writes `tried.json`.
"""

from __future__ import annotations

import base64
import json
import resource
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from ..check import mask_shades
from ..control import answer_folders
from ..data.images import BadFile, Pixels, without_alpha
from ..events import Emitter
from ..failures import is_out_of_memory
from ..spec import field, optional, read_json
from .files import read_frames
from .frame import Frame, Trouble
from .steps import Head, Recipe, foresee, parse_recipe
from .tones import colours_of
from .work import THREADS, frames_of, image_of

# Tiles that are shown of one picture.
MOST_SHOWN = 4
MOST_COLOURS = 32
WEBP_QUALITY = 85


def serve(emitter: Emitter, work: Callable[[Path], None]) -> int:
    return answer_folders(emitter, partial(attempt, work))


def attempt(work: Callable[[Path], None], folder: Path) -> str | None:
    try:
        work(folder)
    except Exception as error:
        if is_out_of_memory(error):
            return "too_big"
        traceback.print_exc()
        return "internal"
    return None


def trial(folder: Path) -> None:
    raw = read_json(folder / "try.json")
    memory = field(raw, "memoryBytes", int)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.RLIM_INFINITY))
    recipe = parse_recipe(field(raw, "recipe", dict))
    heads = [trouble_of(recipe, head_of(one)) for one in field(raw, "heads", list)]
    samples: list[Mapping[str, Any]] = field(raw, "samples", list)
    with ThreadPoolExecutor(THREADS) as pool:
        shown = list(pool.map(lambda one: sample(folder, raw, recipe, one), samples))
    answer = {"heads": heads, "samples": shown}
    (folder / "tried.json").write_text(json.dumps(answer, allow_nan=False))


def head_of(raw: Mapping[str, Any]) -> Head:
    return Head(
        width=field(raw, "width", int),
        height=field(raw, "height", int),
        channels=field(raw, "channels", int),
        is_volume=field(raw, "isVolume", bool),
        is_mask=field(raw, "isMask", bool),
    )


def trouble_of(recipe: Recipe, head: Head) -> dict[str, Any] | None:
    try:
        foresee(recipe, head)
    except Trouble as error:
        return {"name": error.reason, "params": dict(error.params)}
    return None


def sample(folder: Path, raw: Mapping[str, Any], recipe: Recipe, one: Mapping[str, Any]) -> dict[str, Any]:
    side, is_mask = field(raw, "side", int), field(one, "isMask", bool)
    answer: dict[str, Any] = {"before": None, "after": [], "reason": None, "colours": []}
    try:
        frame, *_ = read_frames(folder / field(one, "path", str), is_mask, field(raw, "maxPixels", int))
        answer["before"] = picture_of(frame, side)
        answer["colours"] = colours(frame) if is_mask else []
        beside = optional(one, "image", str)
        image = image_of([] if beside is None else [folder / beside], field(raw, "maxPixels", int))
        answer["after"] = [picture_of(made, side) for made in frames_of(recipe, frame, MOST_SHOWN, image)]
    except (Trouble, BadFile) as error:
        params = dict(error.params) if isinstance(error, Trouble) else {}
        answer["reason"] = {"name": error.reason, "params": params}
    except MemoryError:
        answer["reason"] = {"name": "too_large", "params": {}}
    except (ValueError, ArithmeticError, IndexError, KeyError, TypeError):
        traceback.print_exc()
        answer["reason"] = {"name": "not_prepared", "params": {}}
    return answer


def colours(frame: Frame) -> list[str]:
    """Those of a mask, so that nobody has to find them out; none where there are too many to be classes."""
    if frame.is_volume or frame.pixels.dtype != np.uint8:
        return []
    found = np.unique(colours_of(frame)[:: 1 + frame.height // 512, :: 1 + frame.width // 512])
    return [f"#{code:06x}" for code in found.tolist()] if len(found) <= MOST_COLOURS else []


def picture_of(frame: Frame, side: int) -> dict[str, Any]:
    """Of a volume its middle slice. Deep values are shown from their darkest to their brightest."""
    plane: Pixels = frame.pixels[len(frame.pixels) // 2] if frame.is_volume else frame.pixels
    image = Image.fromarray(shades(plane, frame))
    image.thumbnail((side, side), Image.Resampling.NEAREST if frame.is_mask else Image.Resampling.BILINEAR)
    return {
        "image": address_of(image, is_exact=frame.is_mask),
        "width": frame.width,
        "height": frame.height,
        "depth": len(frame.pixels) if frame.is_volume else None,
        "bits": frame.pixels.dtype.itemsize * 8,
    }


def address_of(image: Image.Image, is_exact: bool) -> str:
    buffer = BytesIO()
    image.save(buffer, "WEBP", quality=WEBP_QUALITY, lossless=is_exact, method=2)
    return "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode()


def shades(plane: Pixels, frame: Frame) -> Pixels:
    if frame.palette is not None:
        codes = colours_of(frame)
        return np.stack([codes >> 16 & 255, codes >> 8 & 255, codes & 255], axis=2).astype(np.uint8)
    if plane.ndim == 3:
        return without_alpha(plane if plane.shape[2] != 2 else plane[..., [0, 0, 0, 1]])
    if frame.is_mask:
        return mask_shades(plane)
    if plane.dtype == np.uint8:
        return plane
    low, high = float(plane.min()), float(plane.max())
    return ((plane.astype(np.float32) - low) * (255 / ((high - low) or 1.0)) + 0.5).astype(np.uint8)
