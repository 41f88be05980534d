"""Looks at images with their masks: what of both a repair must know, and how a mask lies before and after it.

Reads a folder with `examine.json` and the files; writes `examined.json`.
"""

from __future__ import annotations

import json
import resource
import traceback
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..data.images import TURN_TAG, TURNED, TURNS, BadFile
from ..data.overlay import outline
from ..spec import field, optional, read_json
from .files import affine_of, read_frame
from .frame import Frame, Trouble
from .repair import MOST_VALUES, codes_of, in_millimetres, is_coloured, repaired
from .trial import address_of, shades
from .work import THREADS

# Of as many classes as are told apart at a glance; more take turns.
COLOURS = ((255, 0, 200), (0, 200, 255), (255, 190, 0), (0, 230, 90), (170, 110, 255), (255, 90, 60))
STRENGTH = 0.4


def examine(folder: Path) -> None:
    raw = read_json(folder / "examine.json")
    memory = field(raw, "memoryBytes", int)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.RLIM_INFINITY))
    pairs: list[Mapping[str, Any]] = field(raw, "pairs", list)
    with ThreadPoolExecutor(THREADS) as pool:
        told = list(pool.map(lambda pair: one_pair(folder, raw, pair), pairs))
    (folder / "examined.json").write_text(json.dumps({"pairs": told}, allow_nan=False))


def one_pair(folder: Path, raw: Mapping[str, Any], pair: Mapping[str, Any]) -> dict[str, Any]:
    most = field(raw, "maxPixels", int)
    image_path, mask_path = (folder / field(pair, name, str) for name in ("image", "mask"))
    image, image_trouble = attempted(lambda: read_frame(image_path, False, most))
    mask, mask_trouble = attempted(lambda: read_frame(mask_path, True, most))
    answer: dict[str, Any] = {
        "image": None if image is None else facts(image, image_path),
        "mask": None,
        "imageReason": image_trouble,
        "maskReason": mask_trouble,
        "shown": None,
    }
    if mask is not None:
        answer["mask"], answer["maskReason"] = attempted(
            lambda: {**facts(mask, mask_path), **mask_facts(mask)}
        )
    repairs = optional(pair, "repairs", list)
    if repairs is not None and image is not None and mask is not None:
        answer["shown"] = shown(image, mask, repairs, field(raw, "side", int))
    return answer


def attempted(work: Any) -> tuple[Any, dict[str, Any] | None]:
    """What was read, or why nothing was."""
    try:
        return work(), None
    except (Trouble, BadFile) as error:
        params = dict(error.params) if isinstance(error, Trouble) else {}
        return None, {"name": error.reason, "params": params}
    except MemoryError:
        return None, {"name": "too_large", "params": {}}
    except (ValueError, ArithmeticError, IndexError, KeyError, TypeError):
        traceback.print_exc()
        return None, {"name": "not_prepared", "params": {}}


def facts(frame: Frame, path: Path) -> dict[str, Any]:
    header = frame.header
    place = None
    if header is not None and affine_of(header)[1] > 0:
        place = in_millimetres(header)[:3].reshape(-1).tolist()
    return {
        "width": frame.width,
        "height": frame.height,
        "depth": len(frame.pixels) if frame.is_volume else None,
        "turn": 1 if frame.is_volume else turn_of(path),
        "place": place,
    }


def turn_of(path: Path) -> int:
    """How the camera was held, as it noted (EXIF 0x0112); 1 where nothing is said."""
    try:
        with Image.open(path) as image:
            turn = int(image.getexif().get(TURN_TAG, 1)) if (image.format or "").lower() in TURNED else 1
    except Exception:  # decoders raise errors of many kinds for broken notes
        return 1
    return turn if turn in TURNS else 1


def mask_facts(mask: Frame) -> dict[str, Any]:
    codes, counts = np.unique(codes_of(mask), return_counts=True)
    is_colour = is_coloured(mask)
    kind = "colours" if is_colour else "numbers" if mask.palette is None else "palette"
    if len(codes) > MOST_VALUES:
        return {"kind": kind, "isLossy": mask.kind == "jpeg", "values": None}
    names = [f"#{code:06x}" if is_colour else str(code) for code in codes.tolist()]
    told = [{"value": name, "count": count} for name, count in zip(names, counts.tolist(), strict=True)]
    return {"kind": kind, "isLossy": mask.kind == "jpeg", "values": told}


def shown(image: Frame, mask: Frame, repairs: list[Any], side: int) -> dict[str, Any]:
    """Drawn over the image: the mask as it is, from the upper left corner on, and as it would be."""
    after, trouble = attempted(lambda: repaired(mask, image, repairs))
    level = busiest(after if after is not None else mask)
    return {
        "before": drawn(image, mask, level, side),
        "after": None if after is None else drawn(image, after, level, side),
        "reason": trouble,
    }


def busiest(mask: Frame) -> int:
    """The slice of a volume in which most is marked."""
    if not mask.is_volume:
        return 0
    return int(np.count_nonzero(mask.pixels, axis=(1, 2)).argmax())


def drawn(image: Frame, mask: Frame, level: int, side: int) -> str:
    plane = image.pixels[min(level, len(image.pixels) - 1)] if image.is_volume else image.pixels
    canvas = np.array(Image.fromarray(shades(plane, image)).convert("RGB"))
    codes = codes_of(mask)
    if mask.is_volume:
        codes = codes[min(level, len(codes) - 1)]
    classes = classes_of(codes)
    fitted = np.zeros(canvas.shape[:2], np.uint8)
    height, width = min(len(fitted), len(classes)), min(fitted.shape[1], classes.shape[1])
    fitted[:height, :width] = classes[:height, :width]
    scale = side / max(fitted.shape)
    size = (max(1, round(fitted.shape[1] * scale)), max(1, round(fitted.shape[0] * scale)))
    canvas = np.array(Image.fromarray(canvas).resize(size, Image.Resampling.BILINEAR))
    large = np.asarray(Image.fromarray(fitted).resize(size, Image.Resampling.NEAREST))
    edges = outline(large)
    for number in np.unique(large[large > 0]).tolist():
        colour = np.array(COLOURS[(number - 1) % len(COLOURS)], np.float32)
        inside = large == number
        canvas[inside] = (canvas[inside] * (1 - STRENGTH) + colour * STRENGTH).astype(np.uint8)
        canvas[inside & edges] = colour.astype(np.uint8)
    return address_of(Image.fromarray(canvas), is_exact=False)


def classes_of(codes: NDArray[Any]) -> NDArray[np.uint8]:
    """0 stays background, also as black; other values are numbered in their order."""
    known = np.unique(codes)
    others = known[known != 0]
    numbers = np.searchsorted(others, codes) % 250 + 1
    return np.where(codes == 0, 0, numbers).astype(np.uint8)
