"""What takes several files to make one, or makes several of one: stacks, pages, tiles, tables."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from ..data.images import BadFile
from ..data.volumes import Header
from .files import pages, pixels_of, read_frame, stem_of
from .frame import Frame, Trouble

# A frame of a table is read as a whole; larger ones are no tables that people look at.
MOST_TABLE_BYTES = 64_000_000
TILE = re.compile(r"^(?P<stem>.*)__y(?P<top>\d+)_x(?P<left>\d+)_of_(?P<height>\d+)x(?P<width>\d+)$")
Named = tuple[Path, str]


def stack(files: Sequence[Named], max_pixels: int) -> list[Frame]:
    """Grey or colour pictures of one size and one type, in the order of the list."""
    frames: list[Frame] = []
    for path, name in files:
        try:
            frame = read_frame(path, False, max_pixels)
        except BadFile as error:
            raise Trouble("part_unread", file=name, why=error.reason) from error
        if frame.is_volume:
            raise Trouble("part_volume", file=name)
        first = frames[0] if frames else frame
        if frame.pixels.shape[:2] != first.pixels.shape[:2]:
            raise Trouble("sizes_differ", file=name, width=frame.width, height=frame.height)
        if frame.pixels.shape != first.pixels.shape or frame.pixels.dtype != first.pixels.dtype:
            raise Trouble("kinds_differ", file=name)
        frames.append(frame)
        if sum(one.pixels.size for one in frames) > max_pixels:
            raise Trouble("too_large")
    return frames


def write_tiff(frames: Sequence[Frame], path: Path) -> None:
    first, *others = [Image.fromarray(frame.pixels) for frame in frames]
    first.save(path, "TIFF", save_all=True, append_images=others, compression="tiff_adobe_deflate")


def as_volume(frames: Sequence[Frame]) -> Frame:
    """Slices of a volume that nobody knows the place of; 1 mm, as programs take it where nothing is said."""
    if frames[0].pixels.ndim != 2:
        raise Trouble("colour_volume")
    voxels = np.stack([frame.pixels for frame in frames])
    header = Header(
        size=(int(voxels.shape[0]), int(voxels.shape[1]), int(voxels.shape[2])),
        type=voxels.dtype,
        offset=352,
        slope=1.0,
        intercept=0.0,
        spacing=(1.0, 1.0, 1.0),
        orientation=None,
        place=bytes(76),
        pixdim=(1.0,) * 8,
        units=2,
    )
    return Frame(voxels, "nifti", header=header)


def split(path: Path, max_pixels: int) -> list[Frame]:
    """Each page by itself."""
    found = pages(path, max_pixels)
    if len(found) < 2:
        raise Trouble("one_picture")
    digits = max(3, len(str(len(found))))
    frames = []
    for number, page in enumerate(found, 1):
        pixels = opaque(pixels_of(page, False))
        frames.append(Frame(pixels, (page.format or "png").lower(), mark=f"_{number:0{digits}}"))
    return [replace(frame, kind="tiff" if frame.pixels.dtype.kind == "f" else "png") for frame in frames]


def opaque(pixels: np.ndarray) -> np.ndarray:
    """Frames of animations have an alpha of which most say nothing."""
    if pixels.ndim == 3 and pixels.shape[2] == 4 and bool((pixels[..., 3] == 255).all()):
        return np.ascontiguousarray(pixels[..., :3])
    return pixels


def stitch(files: Sequence[Named], max_pixels: int) -> Frame:
    """Exactly the picture that the tiles were cut from; one that lacks a part is none."""
    found = [(path, name, match) for path, name in files if (match := TILE.match(stem_of(name)))]
    height, width = (int(found[0][2][side]) for side in ("height", "width"))
    if height * width > max_pixels:
        raise Trouble("too_large")
    whole: np.ndarray | None = None
    seen = np.zeros((height, width), np.bool_)
    first: Frame | None = None
    for path, name, match in found:
        try:
            frame = read_frame(path, True, max_pixels)
        except BadFile as error:
            raise Trouble("part_unread", file=name, why=error.reason) from error
        if first is None or whole is None:
            first = frame
            whole = np.zeros((height, width, *frame.pixels.shape[2:]), frame.pixels.dtype)
        if frame.pixels.shape[2:] != whole.shape[2:] or frame.pixels.dtype != whole.dtype:
            raise Trouble("kinds_differ", file=name)
        top, left = int(match["top"]), int(match["left"])
        if top + frame.height > height or left + frame.width > width:
            raise Trouble("tile_outside", file=name)
        whole[top : top + frame.height, left : left + frame.width] = frame.pixels
        seen[top : top + frame.height, left : left + frame.width] = True
    if first is None or whole is None or not seen.all():
        raise Trouble("tiles_missing")
    return replace(first, pixels=whole, is_mask=first.kind != "jpeg")


def join_tables(files: Sequence[Named]) -> str:
    """Rows below rows, where all have the same headings in whatever order."""
    headings: list[str] = []
    rows: list[list[str]] = []
    for path, name in files:
        if path.stat().st_size > MOST_TABLE_BYTES:
            raise Trouble("too_large")
        try:
            text = path.read_text("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Trouble("table_letters", file=name) from error
        first = text.split("\n", 1)[0]
        mark = max(",;\t", key=first.count)
        lines = [line for line in csv.reader(io.StringIO(text), delimiter=mark) if any(line)]
        if not lines:
            continue
        headings = headings or lines[0]
        if sorted(lines[0]) != sorted(headings) or len(set(headings)) != len(headings):
            raise Trouble("columns_differ", file=name)
        places = [lines[0].index(heading) for heading in headings]
        rows += [[line[place] if place < len(line) else "" for place in places] for line in lines[1:]]
    if not headings:
        raise Trouble("empty")
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([headings, *rows])
    return out.getvalue()
