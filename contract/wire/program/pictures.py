"""Answers to pictures: how they are read and prepared, cut into tiles, and what is told of them.

Needs numpy and Pillow. The network itself is given as `run`. Pictures are read and prepared exactly as when
the network was trained and tested.
"""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from dicom_pictures import dicom_levels, is_dicom
from PIL import Image

Facts = dict[str, Any]
Array = Any
# Of one picture (c, h, w) in 0..1, or by its own mean and deviation where the facts say so: the answers.
Run = Callable[[Array], list[Array]]
# Of a picture and a factor: what a network's answer is added to.
Base = Callable[[Array, int], Array]

FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP", "GIF", "PPM")
# Kinds in which cameras note how they were held, and how a picture is turned for each note (EXIF 0x0112).
# Pillow itself turns a TIFF.
TURNED, TURN_TAG = ("JPEG", "MPO", "WEBP"), 0x0112
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
DEEP = ("I", "I;16", "I;16B", "I;16L", "I;16N")
PLAIN = ("LA", "La", "P", "PA", "RGB", "RGBA", "RGBX", "RGBa", "CMYK", "YCbCr")
# Above so many pixels of the answer a picture is looked at in overlapping tiles; side and overlap of a tile.
MOST_AT_ONCE, SIDE, OVERLAP = 1536**2, 1024, 128
# Of boxes that are sure enough the surest are looked through; at most so many are an answer.
MOST_CANDIDATES, MOST_FOUND = 1000, 300
# Pictures of nearly one brightness are not spread further than by this deviation.
LEAST_DEVIATION = 0.02


def name_classes(run: Run, facts: Facts, path: Path) -> dict[str, float]:
    """The probability of each class by its name."""
    pixels = resize(as_bytes(read_levels(path, facts), facts["channels"]), *facts["imageSize"])
    sure = run(prepared(to_planes(pixels), facts))[0]
    return {name: float(one) for name, one in zip(facts["classes"], sure, strict=True)}


def outline_areas(run: Run, facts: Facts, path: Path) -> Array:
    """A mask (h, w) with the values of the masks that were trained on; (h, w, 3) with their colours."""
    planes = prepared(to_planes(as_bytes(read_levels(path, facts), facts["channels"])), facts)
    return values_of(facts)[over_tiles(run, facts, planes, 1).argmax(0)]


def find_boxes(run: Run, facts: Facts, path: Path) -> list[dict[str, Any]]:
    """Boxes with class, score and corners in pixels of the picture, surest first; also unlikely ones."""
    pixels = as_bytes(read_levels(path, facts), facts["channels"])
    fitted, scale = fit(pixels, *facts["imageSize"])
    boxes, scores = run(prepared(to_planes(fitted), facts))
    return found_boxes(boxes, scores, scale, pixels.shape[:2], facts)


def restore_picture(run: Run, facts: Facts, path: Path, base: Base | None = None) -> Array:
    """The restored picture (h, w, c) with as many bits as the given one; `base` goes to what `run` says."""
    stored = as_stored(read_levels(path, facts), facts["channels"])
    top = np.iinfo(stored.dtype).max
    planes, factor = to_planes(stored), facts["outputs"][0]["factor"]
    image = over_tiles(run, facts, planes, factor)
    if base is not None:
        image = base(planes, factor) + image
    return (image.clip(0, 1) * np.float32(top)).round().astype(stored.dtype).transpose(1, 2, 0)


def as_trained(answer: Callable[[Path], Any], facts: Facts, path: Path) -> Any:
    """Of the file, or of what the recipe of the training's files makes of it, under its name."""
    recipe = facts.get("recipe")
    if not recipe:
        return answer(path)
    if is_dicom(path):
        raise ValueError(
            "the network learned from prepared files, and this program prepares no DICOM: "
            "let the network predict it in the product"
        )
    try:
        from neuroloom_engine.recipe.replay import replay, replayed
    except ImportError as error:
        raise ValueError(
            "the network learned from prepared files, and the code that prepares them is missing: "
            "put the folder neuroloom_engine of the training's example beside this program"
        ) from error
    with tempfile.TemporaryDirectory() as folder:
        return answer(replay(replayed(recipe), path, Path(folder) / path.name))


def save_classes(found: dict[str, float], facts: Facts, path: Path, out: Path) -> str:
    """A line of predictions.csv; returns what the picture shows."""
    line = [path.name, *(f"{one:.9f}" for one in found.values())]
    write_line(out / "predictions.csv", ["name", *found], line)
    thresholds = (facts.get("decision") or {}).get("thresholds") or [0.5] * len(found)
    if facts["task"] == "multilabel":
        pairs = zip(found.items(), thresholds, strict=True)
        return ", ".join(name for (name, one), least in pairs if one >= least) or "none"
    best = max(found, key=lambda name: found[name])
    if len(found) == 2 and thresholds[1] != 0.5:
        # Of two classes training chose from which probability on it is the second.
        first, second = found
        best = second if found[second] >= thresholds[1] else first
    return f"{best} ({found[best]:.1%})"


def save_mask(mask: Array, facts: Facts, path: Path, out: Path) -> str:
    target = out / f"{path.stem}-mask.png"
    Image.fromarray(mask).save(target)
    marked = mask != values_of(facts)[0]
    share = (marked.any(-1) if mask.ndim == 3 else marked).mean()
    return f"{target} ({share:.1%} of the picture)"


def save_boxes(boxes: list[dict[str, Any]], facts: Facts, path: Path, out: Path) -> str:
    """Those that are sure enough, as training found out."""
    least = facts["validation"].get("threshold")
    least = 0.5 if least is None else least
    sure = [box for box in boxes if box["score"] >= least]
    target = out / f"{path.stem}-boxes.json"
    target.write_text(json.dumps(sure, indent=1))
    return f"{target} ({len(sure)} found)"


def save_picture(restored: Array, facts: Facts, path: Path, out: Path) -> str:
    target = out / f"{path.stem}-restored.png"
    Image.fromarray(restored[..., 0] if restored.shape[2] == 1 else restored).save(target)
    return f"{target} ({restored.shape[1]} x {restored.shape[0]})"


def read_levels(path: Path, facts: Facts | None = None) -> Array:
    """(h, w) when grey, else (h, w, 3); uint8, uint16 of deeper files, float32 of fractions.

    Turned as its camera noted, and of films the first frame counts. DICOM is drawn as the facts say.
    """
    if is_dicom(path):
        return dicom_levels(path, (facts or {}).get("dicom"))
    image = open_picture(path)
    if image.mode in DEEP:
        pixels = np.asarray(image)
        if pixels.min() < 0 or pixels.max() > 65535:
            raise ValueError("its values do not fit into 16 bits")
        return pixels.astype(np.uint16)
    if image.mode in ("1", "L"):
        return np.asarray(image.convert("L"))
    if image.mode == "F":
        return np.asarray(image, np.float32)
    if image.mode not in PLAIN:
        raise ValueError(f"its colours ({image.mode}) are not known here")
    has_alpha = image.mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in image.info
    pixels = np.asarray(image.convert("RGBA" if has_alpha else "RGB"))
    if not has_alpha:
        return pixels
    alpha = pixels[..., 3]
    if alpha.min() == alpha.max():
        return pixels[..., :3]
    return (pixels[..., :3].astype(np.uint16) * alpha[..., None] // 255).astype(np.uint8)


def open_picture(path: Path) -> Image.Image:
    """Decoded. What is broken makes decoders raise errors of many kinds: all become a ValueError."""
    try:
        with Image.open(path, formats=FORMATS) as image:
            image.load()
            return turned(image)
    except (OSError, MemoryError):
        raise
    except Exception as error:
        raise ValueError(f"it is broken: {error}") from error


def turned(image: Image.Image) -> Image.Image:
    """As it was seen when it was taken. A note that cannot be read says nothing."""
    try:
        turn = int(image.getexif().get(TURN_TAG, 1)) if image.format in TURNED else 1
    except Exception:  # decoders raise errors of many kinds for broken notes
        turn = 1
    return image.transpose(TURNS[turn]) if turn in TURNS else image.copy()


def as_bytes(levels: Array, channels: int) -> Array:
    """(h, w, channels) of uint8; deep files are stretched from their darkest to their brightest pixel."""
    if levels.dtype == np.float32:
        levels = stretch(levels)
    if levels.dtype == np.uint16:
        low, high = int(levels.min()), int(levels.max())
        levels = ((levels.astype(np.float32) - low) * (255 / max(1, high - low)) + 0.5).astype(np.uint8)
    if levels.ndim == 3 and channels == 1:
        levels = np.asarray(Image.fromarray(levels).convert("L"))
    return np.repeat(levels[..., None], channels, axis=2) if levels.ndim == 2 else levels


def stretch(values: Array) -> Array:
    """Fractions over the whole range of 16 bits: nothing else tells what is black."""
    if not np.isfinite(values).all():
        raise ValueError("it holds values that are no numbers")
    low, high = float(values.min()), float(values.max())
    shares = (values.astype(np.float64) - low) / ((high - low) or 1.0)
    return (shares * 65535 + 0.5).astype(np.uint16)


def as_stored(levels: Array, channels: int) -> Array:
    """(h, w, channels) with the file's own values."""
    if levels.dtype == np.float32:
        raise ValueError("its values are fractions; save it with 8 or 16 bits")
    if levels.dtype == np.uint16:
        return np.repeat(levels[..., None], channels, axis=2)
    return as_bytes(levels, channels)


def to_planes(levels: Array) -> Array:
    """(c, h, w) in 0..1."""
    return (levels.astype(np.float32) / np.float32(np.iinfo(levels.dtype).max)).transpose(2, 0, 1)


def prepared(planes: Array, facts: Facts) -> Array:
    """By the whole picture's mean and deviation where each is normalised by itself."""
    if facts["normalisation"]["kind"] != "image":
        return planes
    deviation = max(LEAST_DEVIATION, float(planes.std(dtype=np.float64)))
    return (planes - np.float32(planes.mean(dtype=np.float64))) / np.float32(deviation)


def resize(pixels: Array, height: int, width: int) -> Array:
    """Antialiased, (h, w, c) of uint8."""
    if pixels.shape[:2] == (height, width):
        return pixels
    image = Image.fromarray(pixels[..., 0] if pixels.shape[2] == 1 else pixels)
    small = image.resize((width, height), Image.Resampling.BILINEAR)
    return np.asarray(small).reshape(height, width, pixels.shape[2])


def fit(pixels: Array, height: int, width: int) -> tuple[Array, tuple[float, float]]:
    """Scaled until it fills the frame in one direction, the rest in its mean colour; and x and y scale."""
    tall, wide = pixels.shape[:2]
    factor = min(height / tall, width / wide)
    new_tall = min(height, max(1, round(tall * factor)))
    new_wide = min(width, max(1, round(wide * factor)))
    small = resize(pixels, new_tall, new_wide)
    frame = np.empty((height, width, pixels.shape[2]), np.uint8)
    frame[:] = small.mean((0, 1)).round().astype(np.uint8)
    frame[:new_tall, :new_wide] = small
    return frame, (new_wide / wide, new_tall / tall)


def over_tiles(run: Run, facts: Facts, planes: Array, factor: int) -> Array:
    """(c, h, w) to (c', h · factor, w · factor)."""
    about = facts["input"]
    try:
        return tiled(run, planes, layout(planes.shape[1:], about, factor), factor)
    except RuntimeError:
        if not about["sizeFree"]:
            raise
        # A drawn network may join its maps at certain sizes alone; its own is sure to be one.
        fixed = layout(planes.shape[1:], {**about, "sizeFree": False}, factor)
        return tiled(run, planes, fixed, factor)


def tiled(run: Run, planes: Array, places: tuple[list[int], list[int], list[int]], factor: int) -> Array:
    """Half of an overlap belongs to the tile before."""
    size = planes.shape[1:]
    padded, tile, overlap = places
    planes = pad_to(planes, padded)
    out: Array = None
    for top in starts(padded[0], tile[0], overlap[0]):
        for left in starts(padded[1], tile[1], overlap[1]):
            part = run(planes[:, top : top + tile[0], left : left + tile[1]])[0]
            if out is None:
                out = np.empty((len(part), padded[0] * factor, padded[1] * factor), np.float32)
            skip = [
                shared // 2 * factor if at else 0 for at, shared in zip((top, left), overlap, strict=True)
            ]
            rows = slice(top * factor + skip[0], (top + tile[0]) * factor)
            columns = slice(left * factor + skip[1], (left + tile[1]) * factor)
            out[:, rows, columns] = part[:, skip[0] :, skip[1] :]
    return out[:, : size[0] * factor, : size[1] * factor]


def layout(size: tuple[int, ...], about: Facts, factor: int) -> tuple[list[int], list[int], list[int]]:
    """Sides to which a picture is padded, sides of the tiles, and how far tiles overlap."""
    if not about["sizeFree"]:
        tile = list(about["shape"][2:])
        overlap = [side // 4 for side in tile]
    else:
        multiple = about["sizeMultiple"]
        whole = [up_to(side, of) for side, of in zip(size, multiple, strict=True)]
        if size[0] * size[1] * factor**2 <= MOST_AT_ONCE:
            return whole, whole, [0, 0]
        tile = [min(own, up_to(SIDE // factor, of)) for own, of in zip(whole, multiple, strict=True)]
        overlap = [OVERLAP // factor] * 2
    return [max(pair) for pair in zip(size, tile, strict=True)], tile, overlap


def up_to(length: int, multiple: int) -> int:
    return -(-length // multiple) * multiple


def starts(length: int, tile: int, overlap: int) -> list[int]:
    return [*range(0, length - tile, tile - overlap), length - tile]


def pad_to(planes: Array, size: list[int]) -> Array:
    """Adds pixels below and on the right by reflection, as often as needed."""
    while any(have < want for have, want in zip(planes.shape[1:], size, strict=True)):
        missing = [
            (0, min(want - have, max(1, have - 1))) for have, want in zip(planes.shape[1:], size, strict=True)
        ]
        planes = np.pad(planes, [(0, 0), *missing], mode="reflect" if min(planes.shape[1:]) > 1 else "edge")
    return planes


def found_boxes(
    boxes: Array, scores: Array, scale: tuple[float, float], size: tuple[int, ...], facts: Facts
) -> list[dict[str, Any]]:
    """Of (cells, 4) and (cells, classes): surest first; a box that a surer one of its class overlaps goes."""
    rules = next(output for output in facts["outputs"] if output["name"] == "scores")
    flat = scores.reshape(-1)
    sure = np.flatnonzero(flat > rules["least"])
    chosen = sure[np.argsort(-flat[sure], kind="stable")[:MOST_CANDIDATES]]
    cells, classes = chosen // scores.shape[1], chosen % scores.shape[1]
    corners = (boxes[cells] / np.array(scale * 2, np.float32)).clip(0, [size[1], size[0]] * 2)
    stays: list[int] = []
    for index in np.flatnonzero((corners[:, 2:] > corners[:, :2]).all(1)):
        same = [other for other in stays if classes[other] == classes[index]]
        if not same or overlaps(corners[index], corners[same]).max() <= rules["nms"]:
            stays.append(int(index))
    names = ("x0", "y0", "x1", "y1")
    return [
        {"class": facts["classes"][classes[index]], "score": round(float(flat[chosen[index]]), 5)}
        | {name: round(float(side), 2) for name, side in zip(names, corners[index], strict=True)}
        for index in stays[:MOST_FOUND]
    ]


def overlaps(box: Array, others: Array) -> Array:
    """Intersection over union with each of (n, 4)."""
    sides = (np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])).clip(0)
    shared = sides.prod(1)
    return shared / ((box[2:] - box[:2]).prod() + (others[:, 2:] - others[:, :2]).prod(1) - shared)


def values_of(facts: Facts) -> Array:
    """Mask value of each class index: the least of those that were trained on; (n, 3) of colours."""
    values = list(range(len(facts["classes"])))
    texts = facts.get("maskValues", {})
    if any(text.startswith("#") for text in texts):
        colours = [(value, value, value) for value in values]
        for text, index in texts.items():
            colours[index] = tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))
        return np.array(colours, np.uint8)
    own = sorted(((int(value), index) for value, index in texts.items()), reverse=True)
    for value, index in own:
        values[index] = value
    return np.array(values, np.uint8 if max(values) < 256 else np.uint16)


def write_line(path: Path, head: list[str], line: list[Any]) -> None:
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8-sig" if is_new else "utf-8") as file:
        csv.writer(file).writerows(([head] if is_new else []) + [line])
