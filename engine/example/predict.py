"""Runs a trained network on pictures or volumes: python predict.py FILE [FILE …] [--out FOLDER] [--sure 0.5]

Needs numpy, Pillow and onnxruntime (pip install -r requirements.txt). The network and its facts are read
from the folder above. Of each picture the answer is told by task:

- which class, which labels: a line of predictions.csv with all probabilities
- where it is, in outlines: NAME-mask.png with the values of the masks that were trained on
- where it is, in a volume: NAME-mask.nii.gz on the volume's own grid
- where it is, in boxes: NAME-boxes.json with class, score and corners in pixels
- finer or without noise: NAME-restored.png

Pictures are read and prepared exactly as when the network was trained and tested.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import volumes
from PIL import Image

HERE = Path(__file__).resolve().parent
DEEP = ("I", "I;16", "I;16B", "I;16L", "I;16N")
# Above so many pixels of the answer a picture is looked at in overlapping tiles; side and overlap of a tile.
MOST_AT_ONCE, SIDE, OVERLAP = 1536**2, 1024, 128
# Of boxes that are sure enough the surest are looked through; at most so many are an answer.
MOST_CANDIDATES, MOST_FOUND = 1000, 300

Facts = dict[str, Any]
Array = Any


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs a trained network on pictures or volumes.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("."), help="where the answers go (default: here)")
    parser.add_argument("--sure", type=float, help="boxes from this score on (default: as trained)")
    options = parser.parse_args()

    facts = json.loads((HERE.parent / "model.json").read_text())
    network = Network(HERE.parent / "model.onnx", facts)
    options.out.mkdir(parents=True, exist_ok=True)
    is_volume = facts["task"] == "volume_segmentation"
    for path in options.files:
        try:
            content = volumes.read_volume(path) if is_volume else read_levels(path)
        except (OSError, ValueError, EOFError) as error:
            print(f"{path}: cannot be read as a {'volume' if is_volume else 'picture'} ({error})")
            continue
        told = mark(network, content, path, options) if is_volume else answer(network, content, path, options)
        print(f"{path}: {told}")


def mark(network: Network, volume: volumes.Volume, path: Path, options: argparse.Namespace) -> str:
    """Writes a volume's mask; returns how much of each class it holds."""

    def run(block: Array, moments: Array) -> Array:
        return network.run(block, moments)[0]

    named = volumes.find(run, network.facts, volume)
    target = options.out / f"{path.name.removesuffix('.gz').removesuffix('.nii')}-mask.nii.gz"
    volumes.write_mask(target, values_of(network.facts)[named], volume)
    counts = np.bincount(named.reshape(-1), minlength=len(network.facts["classes"])) * np.prod(volume.spacing)
    found = zip(network.facts["classes"][1:], counts[1:] / 1000, strict=True)
    return f"{target} ({', '.join(f'{name} {ml:.2f} ml' for name, ml in found)})"


def answer(network: Network, levels: Array, path: Path, options: argparse.Namespace) -> str:
    """Writes one picture's answer; returns what of it fits on a line."""
    facts, out = network.facts, options.out
    task = facts["task"]
    if task in ("classification", "multilabel"):
        sure = network.name(levels)
        write_line(out / "predictions.csv", ["name", *facts["classes"]], [path.name, *sure.round(6).tolist()])
        if task == "classification":
            best = int(sure.argmax())
            return f"{facts['classes'][best]} ({sure[best]:.1%})"
        return (
            ", ".join(name for name, one in zip(facts["classes"], sure, strict=True) if one >= 0.5) or "none"
        )
    if task == "segmentation":
        mask = network.outline(levels)
        target = out / f"{path.stem}-mask.png"
        Image.fromarray(values_of(facts)[mask]).save(target)
        return f"{target} ({(mask > 0).mean():.1%} of the picture)"
    if task == "detection":
        least = options.sure if options.sure is not None else facts["validation"].get("threshold") or 0.5
        boxes = [box for box in network.frame(levels) if box["score"] >= least]
        target = out / f"{path.stem}-boxes.json"
        target.write_text(json.dumps(boxes, indent=1))
        return f"{target} ({len(boxes)} found)"
    restored = network.restore(levels)
    target = out / f"{path.stem}-restored.png"
    Image.fromarray(restored[..., 0] if restored.shape[2] == 1 else restored).save(target)
    return f"{target} ({restored.shape[1]} x {restored.shape[0]})"


class Network:
    """The exported network and what must be done before and after it."""

    def __init__(self, path: Path, facts: Facts) -> None:
        import onnxruntime

        self.facts = facts
        self.session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])

    def run(self, image: Array, moments: Array | None = None) -> list[Array]:
        """`image` (c, h, w) in 0..1; `moments` of the whole picture where `image` is a part of it."""
        feeds = {"image": image[None].astype(np.float32)}
        if moments is not None and "moments" in self.facts:
            feeds["moments"] = moments
        return [np.asarray(one)[0] for one in self.session.run(None, feeds)]

    def name(self, levels: Array) -> Array:
        """Probabilities of the classes."""
        pixels = resize(as_bytes(levels, self.facts["channels"]), *self.facts["imageSize"])
        return self.run(to_planes(pixels))[0]

    def outline(self, levels: Array) -> Array:
        """Class index of each pixel (h, w)."""
        planes = to_planes(as_bytes(levels, self.facts["channels"]))
        moments = np.array(
            [planes.mean(dtype=np.float64), max(1e-6, planes.std(dtype=np.float64))], np.float32
        )
        return self.over_tiles(planes, 1, moments).argmax(0).astype(np.uint8)

    def frame(self, levels: Array) -> list[dict[str, Any]]:
        """Boxes, surest first, in pixels of the picture."""
        pixels = as_bytes(levels, self.facts["channels"])
        fitted, scale = fit(pixels, *self.facts["imageSize"])
        boxes, scores = self.run(to_planes(fitted))
        return found_boxes(boxes, scores, scale, pixels.shape[:2], self.facts)

    def restore(self, levels: Array) -> Array:
        """The restored picture (h, w, c) with as many bits as the given one."""
        stored = as_stored(levels, self.facts["channels"])
        top = np.iinfo(stored.dtype).max
        image = self.over_tiles(to_planes(stored), self.facts["outputs"][0]["factor"])
        return (image.clip(0, 1) * top).round().astype(stored.dtype).transpose(1, 2, 0)

    def over_tiles(self, planes: Array, factor: int, moments: Array | None = None) -> Array:
        """(c, h, w) to (c', h · factor, w · factor); half of an overlap belongs to the tile before."""
        size = planes.shape[1:]
        padded, tile, overlap = layout(size, self.facts["input"], factor)
        planes = pad_to(planes, padded)
        out: Array = None
        for top in starts(padded[0], tile[0], overlap[0]):
            for left in starts(padded[1], tile[1], overlap[1]):
                part = self.run(planes[:, top : top + tile[0], left : left + tile[1]], moments)[0]
                if out is None:
                    out = np.empty((len(part), padded[0] * factor, padded[1] * factor), np.float32)
                skip = [
                    shared // 2 * factor if at else 0 for at, shared in zip((top, left), overlap, strict=True)
                ]
                rows = slice(top * factor + skip[0], (top + tile[0]) * factor)
                columns = slice(left * factor + skip[1], (left + tile[1]) * factor)
                out[:, rows, columns] = part[:, skip[0] :, skip[1] :]
        return out[:, : size[0] * factor, : size[1] * factor]


def read_levels(path: Path) -> Array:
    """(h, w) when grey, else (h, w, 3); uint8, or uint16 of deeper files. Turning by EXIF is not applied."""
    image = Image.open(path)
    image.load()
    if image.mode in DEEP:
        pixels = np.asarray(image)
        if pixels.min() < 0 or pixels.max() > 65535:
            raise ValueError("its values do not fit into 16 bits")
        return pixels.astype(np.uint16)
    if image.mode in ("1", "L"):
        return np.asarray(image.convert("L"))
    if image.mode == "F":
        raise ValueError("its values are fractions; save it with 8 or 16 bits")
    has_alpha = image.mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in image.info
    pixels = np.asarray(image.convert("RGBA" if has_alpha else "RGB"))
    if not has_alpha:
        return pixels
    alpha = pixels[..., 3]
    if alpha.min() == alpha.max():
        return pixels[..., :3]
    return (pixels[..., :3].astype(np.uint16) * alpha[..., None] // 255).astype(np.uint8)


def as_bytes(levels: Array, channels: int) -> Array:
    """(h, w, channels) of uint8; deep files are stretched from their darkest to their brightest pixel."""
    if levels.dtype == np.uint16:
        low, high = int(levels.min()), int(levels.max())
        levels = ((levels.astype(np.float32) - low) * (255 / max(1, high - low)) + 0.5).astype(np.uint8)
    if levels.ndim == 3 and channels == 1:
        levels = np.asarray(Image.fromarray(levels).convert("L"))
    return np.repeat(levels[..., None], channels, axis=2) if levels.ndim == 2 else levels


def as_stored(levels: Array, channels: int) -> Array:
    """(h, w, channels) with the file's own values."""
    return (
        np.repeat(levels[..., None], channels, axis=2)
        if levels.dtype == np.uint16
        else as_bytes(levels, channels)
    )


def to_planes(levels: Array) -> Array:
    """(c, h, w) in 0..1."""
    return (levels.astype(np.float32) / np.float32(np.iinfo(levels.dtype).max)).transpose(2, 0, 1)


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
    """Mask value of each class index: the least of those that were trained on."""
    values = list(range(len(facts["classes"])))
    own = sorted(((int(value), index) for value, index in facts.get("maskValues", {}).items()), reverse=True)
    for value, index in own:
        values[index] = value
    return np.array(values, np.uint8 if max(values) < 256 else np.uint16)


def write_line(path: Path, head: list[str], line: list[Any]) -> None:
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8-sig" if is_new else "utf-8") as file:
        csv.writer(file).writerows(([head] if is_new else []) + [line])


if __name__ == "__main__":
    main()
