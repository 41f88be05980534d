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
from .data.fingerprint import fingerprint_of, volume_fingerprint_of
from .data.images import TURNS, BadFile, Picture, Pixels, pages_of, read_picture
from .data.masks import agreement, as_colours, as_picture, codes_of, mask_facts, mix, read_mask
from .data.slices import grey, shown
from .data.volumes import (
    Volume,
    affine_of,
    read_volume,
    read_volume_labels,
    read_volume_mask,
    voxel_facts,
    write_volume,
)
from .events import Emitter
from .spec import CheckFile, CheckSpec, Mixing

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
        facts, thumbnail = (
            look_at_volume(file, spec) if "volume" in file.role else look_at_picture(file, spec)
        )
        if spec.thumbnail_size > 0:
            is_mask = file.role in ("mask", "volume_mask")
            path = spec.out / "thumbnails" / f"{file.id}.webp"
            save_thumbnail(path, thumbnail, is_mask, spec.thumbnail_size)
        return facts, None
    except BadFile as error:
        return None, error.reason
    except MemoryError:
        return None, "too_large"
    except FileNotFoundError:
        return None, "empty"


def look_at_picture(file: CheckFile, spec: CheckSpec) -> tuple[dict[str, Any], Image.Image]:
    """Facts and what a thumbnail is made of."""
    is_mask = file.role == "mask"
    if file.mix is not None:
        facts, picture = mixed_picture(file, file.mix, spec)
    elif is_mask:
        picture = read_mask(file.path, spec.max_pixels)
        facts = facts_of(picture, file.role)
    else:
        picture = read_picture(file.path, spec.max_pixels)
        facts = facts_of(picture, file.role)
    if file.mix is None:
        facts["pages"] = pages_of(file.path, picture.format)
    if picture.pixels.dtype == np.uint32:
        return {**facts, "fingerprint": None}, as_picture(picture.pixels)
    pixels = mask_shades(picture.pixels) if is_mask else eight_bit(picture.pixels)
    facts = {**facts, "fingerprint": None if is_mask else fingerprint_of(pixels)}
    return facts, Image.fromarray(pixels)


def look_at_volume(file: CheckFile, spec: CheckSpec) -> tuple[dict[str, Any], Image.Image]:
    """The thumbnail is of the middle slice; of a mask, of the middle one that is not empty."""
    is_mask = file.role == "volume_mask"
    if file.mix is not None:
        agreed, volume = mixed_volume(file, file.mix, spec)
    else:
        agreed, volume = {}, (read_volume_labels if is_mask else read_volume)(file.path, spec.max_pixels)
    facts = volume_facts(volume, is_mask)
    facts |= agreed
    facts["fingerprint"] = None if is_mask else volume_fingerprint_of(volume.voxels)
    slices: list[int] = np.flatnonzero(volume.voxels.any(axis=(1, 2))).tolist() if is_mask else []
    slices = slices or list(range(len(volume.voxels)))
    middle = volume.voxels[slices[len(slices) // 2]]
    pixels = mask_shades(middle) if is_mask else grey(middle)
    resample = Image.Resampling.NEAREST if is_mask else Image.Resampling.BILINEAR
    return facts, Image.fromarray(shown(pixels, volume.header, resample))


def volume_facts(volume: Volume, is_mask: bool) -> dict[str, Any]:
    """Mean and deviation are shares of the type's maximum, of scaled and broken numbers of the largest."""
    voxels, header = volume.voxels, volume.header
    affine = affine_of(header)
    depth, height, width = header.size
    is_whole = voxels.dtype.kind in "iu" and voxels.dtype == header.type.newbyteorder("=")
    largest = float(max(abs(float(voxels.min())), abs(float(voxels.max()))))
    top = float(np.iinfo(voxels.dtype).max) if is_whole else largest or 1.0
    return {
        "format": header.format,
        "width": width,
        "height": height,
        "depth": depth,
        "spacing": None if header.format == "numpy" else list(header.spacing),
        "orientation": header.orientation,
        "affine": None if affine is None else affine.reshape(-1).tolist(),
        "channels": 1,
        "bits": header.type.itemsize * 8,
        "mean": float(voxels.mean(dtype=np.float64)) / top,
        "std": float(voxels.std(dtype=np.float64)) / top,
        "values": None,
        **(voxel_facts(voxels) if is_mask else {}),
    }


def mixed_picture(file: CheckFile, mixing: Mixing, spec: CheckSpec) -> tuple[dict[str, Any], Picture]:
    """The mask that is made of several, written below `out/made`; turned by its note."""
    masks = [read_mask(path, spec.max_pixels) for path in (file.path, *mixing.paths)]
    is_coloured = mixing.code is not None and mixing.code.is_coloured
    codes = [
        as_colours(mask.pixels, mask.palette) if is_coloured and mask.palette is not None else mask.pixels
        for mask in masks
    ]
    if mixing.turn in TURNS:
        codes = [np.asarray(as_picture(one).transpose(TURNS[mixing.turn])) for one in codes]
        codes = [codes_of(one) if one.ndim == 3 else one for one in codes]
    made = mix(codes, mixing.how, mixing.kinds, mixing.code)
    path = made_path(file, spec)
    # One mask alone keeps the noise of its file, and the colours of its numbers.
    is_alone = len(masks) == 1
    palette = masks[0].palette if is_alone and mixing.how != "kinds" and not is_coloured else None
    as_picture(made, palette).save(path, format="PNG")
    kind = masks[0].format if is_alone else "png"
    picture = Picture(made, kind, 16 if made.dtype == np.uint16 else 8, palette=palette)
    told = {"agreement": agreement(codes)} if mixing.how != "kinds" and len(codes) > 1 else {}
    return {**facts_of(picture, file.role), "format": "png", **told}, picture


def mixed_volume(file: CheckFile, mixing: Mixing, spec: CheckSpec) -> tuple[dict[str, Any], Volume]:
    volumes = [read_volume_mask(path, spec.max_pixels) for path in (file.path, *mixing.paths)]
    voxels = [volume.voxels for volume in volumes]
    made = mix(voxels, mixing.how, mixing.kinds, mixing.code).astype(np.int32)
    made_path(file, spec).write_bytes(write_volume(made, volumes[0].header))
    told = {"agreement": agreement(voxels)} if mixing.how != "kinds" and len(voxels) > 1 else {}
    return told, Volume(made, volumes[0].header)


def made_path(file: CheckFile, spec: CheckSpec) -> Path:
    folder = spec.out / "made"
    folder.mkdir(exist_ok=True)
    return folder / file.id


def facts_of(picture: Picture, role: str) -> dict[str, Any]:
    pixels = picture.pixels
    told = {"palette": None} | mask_facts(picture) if role == "mask" else {}
    # Of colours their first channel: nobody asks for the brightness of a mask.
    levels_of = (pixels >> 16 & 255).astype(np.uint8) if pixels.dtype == np.uint32 else pixels
    top = float(np.iinfo(levels_of.dtype).max)
    counts = np.bincount(levels_of.reshape(-1))
    levels = np.arange(len(counts)) / top
    mean = float(counts @ levels / levels_of.size)
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
        "std": float(np.sqrt(max(0.0, counts @ (levels - mean) ** 2 / levels_of.size))),
        "values": None,
        "turn": picture.turn,
        **told,
    }


def save_thumbnail(path: Path, image: Image.Image, is_mask: bool, size: int) -> None:
    image.thumbnail((size, size), Image.Resampling.NEAREST if is_mask else Image.Resampling.BILINEAR)
    part = path.with_suffix(".part")
    image.save(part, format="WEBP", quality=80, lossless=is_mask, method=2)
    part.replace(path)


def mask_shades(pixels: Pixels) -> Pixels:
    """Mask values as evenly spaced greys: 0 and 1 would both look black."""
    known = np.unique(pixels)
    shades = np.linspace(0, 255, max(2, len(known))).astype(np.uint8)
    return shades[np.searchsorted(known, pixels)]


def eight_bit(pixels: Pixels) -> Pixels:
    if pixels.dtype == np.uint8:
        return pixels
    low, high = int(pixels.min()), int(pixels.max())
    return ((pixels.astype(np.float32) - low) * (255 / max(1, high - low))).astype(np.uint8)
