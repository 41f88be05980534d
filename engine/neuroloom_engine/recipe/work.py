"""The `prepare` run: files by numbers in, files by numbers out, one line each. A bad file never ends the run.

Needs no torch.
"""

from __future__ import annotations

import os
import resource
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..control import Control
from ..data.images import BadFile
from ..events import Emitter
from ..spec import field
from . import groups
from .algebra import joined
from .files import name_after, read_frame, read_frames, stem_of, write_frame
from .frame import Frame, Placement, Trouble
from .labels import Picture, Pictures, relabel
from .repair import repaired
from .spec import PrepareFile, PrepareSpec
from .steps import Recipe, parse_recipe, prepare

# Decoding and encoding leave Python's lock.
THREADS = min(4, os.cpu_count() or 2)
# Read ahead of what was told.
AHEAD = 4 * THREADS
# One of the large ones at a time: memory, not time, is what they take.
LARGE_BYTES = 4_000_000
large = threading.Lock()

Made = list[dict[str, Any]]


def work(spec: PrepareSpec, emitter: Emitter, control: Control) -> None:
    """One `prepared` event each, in order."""
    resource.setrlimit(resource.RLIMIT_DATA, (spec.memory_bytes, resource.RLIM_INFINITY))
    (spec.out / "made").mkdir(exist_ok=True)
    waiting: deque[tuple[PrepareFile, Future[dict[str, Any]]]] = deque()
    with ThreadPoolExecutor(THREADS) as pool:
        doing = doer(spec)
        for file in spec.files:
            control.check()
            waiting.append((file, pool.submit(told, doing, file)))
            if len(waiting) >= AHEAD:
                tell(emitter, waiting)
        while waiting:
            control.check()
            tell(emitter, waiting)


def tell(emitter: Emitter, waiting: deque[tuple[PrepareFile, Future[dict[str, Any]]]]) -> None:
    file, future = waiting.popleft()
    emitter.emit("prepared", id=file.id, **future.result())


def told(doing: Any, file: PrepareFile) -> dict[str, Any]:
    """What was made of a file, or why nothing was."""
    is_large = sum(path.stat().st_size for path in file.paths if path.exists()) > LARGE_BYTES
    try:
        with large if is_large else nullcontext():
            before, made = doing(file)
        return {"reason": None, "before": before, "made": made}
    except (Trouble, BadFile) as error:
        params = dict(error.params) if isinstance(error, Trouble) else {}
        return refused(error.reason, params)
    except MemoryError:
        return refused("too_large", {})
    except FileNotFoundError:
        return refused("gone", {})
    except (ValueError, ArithmeticError, IndexError, KeyError, TypeError) as error:
        # A file of a shape that no step foresaw costs its own answer alone; the log says where.
        import traceback

        traceback.print_exception(error)
        return refused("not_prepared", {})


def refused(reason: str, params: Mapping[str, Any]) -> dict[str, Any]:
    return {"reason": {"name": reason, "params": params}, "before": None, "made": []}


def doer(spec: PrepareSpec) -> Any:
    kind = field(spec.work, "do", str)
    if kind == "recipe":
        recipe = parse_recipe(field(spec.work, "recipe", dict))
        return lambda file: by_recipe(spec, recipe, file)
    if kind == "join":
        return lambda file: (None, [by_join(spec, file)])
    if kind == "repair":
        return lambda file: (None, [by_repairs(spec, file)])
    if kind == "labels":
        pictures = Pictures([picture_of(raw) for raw in field(spec.work, "pictures", list)])
        return lambda file: (None, rewritten(spec, pictures, file))
    return lambda file: (None, grouped(spec, kind, file))


def by_recipe(spec: PrepareSpec, recipe: Recipe, file: PrepareFile) -> tuple[dict[str, int], Made]:
    frames = opened(file.paths[0], file, spec.max_pixels)
    before = {"width": frames[0].width, "height": frames[0].height}
    image = image_of(file.paths[1:], spec.max_pixels)
    results = (one for frame in frames for one in prepare(recipe, frame, image))
    made = [keep(spec, file, number, one) for number, one in enumerate(results)]
    return before, made


def image_of(paths: Sequence[Path], max_pixels: int) -> Frame | None:
    """That a mask belongs to, where a step asks for it."""
    if not paths:
        return None
    frames = read_frames(paths[0], False, max_pixels)
    return frames[0] if len(frames) == 1 else None


def by_repairs(spec: PrepareSpec, file: PrepareFile) -> dict[str, Any]:
    """A mask that fits the image, which is the second file."""
    mask = read_frame(file.paths[0], True, spec.max_pixels)
    image = read_frame(file.paths[1], False, spec.max_pixels)
    return keep(spec, file, 0, repaired(mask, image, file.repairs))


def by_join(spec: PrepareSpec, file: PrepareFile) -> dict[str, Any]:
    """One mask of several, and how each reader did where that is estimated."""
    named = list(zip(file.paths, file.names, strict=True))
    frame, readers = joined(named, spec.work, spec.max_pixels)
    return {**keep(spec, file, 0, frame), "readers": [asdict(reader) for reader in readers]}


def opened(path: Path, file: PrepareFile, max_pixels: int) -> list[Frame]:
    frames = read_frames(path, file.is_mask, max_pixels)
    frame = frames[0]
    if file.expect is None or not file.is_mask:
        return frames
    if (frame.width, frame.height) != file.expect:
        raise Trouble(
            "mask_size",
            width=frame.width,
            height=frame.height,
            imageWidth=file.expect[0],
            imageHeight=file.expect[1],
        )
    return frames


def keep(spec: PrepareSpec, file: PrepareFile, number: int, frame: Frame) -> dict[str, Any]:
    path = spec.out / "made" / f"{file.id}_{number}"
    kind = write_frame(frame, path)
    placement: Placement = frame.placement
    return {
        "path": path.relative_to(spec.folder).as_posix(),
        "name": name_after(file.names[0], kind, frame.mark),
        "matrix": placement.matrix[:2].reshape(-1).tolist(),
        "isExact": placement.is_exact,
        "width": frame.width,
        "height": frame.height,
    }


def picture_of(raw: Mapping[str, Any]) -> Picture:
    matrix = np.eye(3)
    matrix[:2] = np.array(field(raw, "matrix", list), np.float64).reshape(2, 3)
    return Picture(
        path=field(raw, "path", str),
        name=field(raw, "name", str),
        matrix=matrix,
        is_exact=field(raw, "isExact", bool),
        before=(field(raw, "beforeWidth", int), field(raw, "beforeHeight", int)),
        size=(field(raw, "width", int), field(raw, "height", int)),
    )


def rewritten(spec: PrepareSpec, pictures: Pictures, file: PrepareFile) -> Made:
    content = file.paths[0].read_bytes()
    path = file.names[0]
    texts = relabel(path, content, pictures)
    if texts is None:
        return [plain(spec, file, 0, path.rsplit("/", 1)[-1], content)]
    return [plain(spec, file, number, one.name, one.content.encode()) for number, one in enumerate(texts)]


def plain(spec: PrepareSpec, file: PrepareFile, number: int, name: str, content: bytes) -> dict[str, Any]:
    path = spec.out / "made" / f"{file.id}_{number}"
    path.write_bytes(content)
    return unplaced(spec, path, name)


def unplaced(spec: PrepareSpec, path: Path, name: str) -> dict[str, Any]:
    nowhere = {"matrix": None, "isExact": True, "width": None, "height": None}
    return {"path": path.relative_to(spec.folder).as_posix(), "name": name, **nowhere}


def grouped(spec: PrepareSpec, kind: str, file: PrepareFile) -> Made:
    named = list(zip(file.paths, file.names, strict=True))
    path = spec.out / "made" / f"{file.id}_0"
    stem = stem_of(file.names[0])
    if kind == "stack_tiff":
        groups.write_tiff(groups.stack(named, spec.max_pixels), path)
        return [unplaced(spec, path, f"{stem}.tif")]
    if kind == "stack_nifti":
        write_frame(groups.as_volume(groups.stack(named, spec.max_pixels)), path)
        return [unplaced(spec, path, f"{stem}.nii.gz")]
    if kind == "table":
        path.write_text(groups.join_tables(named), "utf-8")
        return [unplaced(spec, path, f"{stem}.csv")]
    if kind == "split":
        return [
            keep(spec, file, number, one)
            for number, one in enumerate(groups.split(file.paths[0], spec.max_pixels))
        ]
    assert kind == "stitch", kind
    match = groups.TILE.match(stem)
    assert match is not None, file.names[0]
    whole = replace(groups.stitch(named, spec.max_pixels), mark="")
    ending = file.names[0][len(stem) :]
    return [keep(spec, replace(file, names=(match["stem"] + ending,)), 0, whole)]


def frames_of(recipe: Recipe, frame: Frame, most: int, image: Frame | None = None) -> Sequence[Frame]:
    """The first ones that come of it."""
    made: list[Frame] = []
    results: Iterator[Frame] = prepare(recipe, frame, image)
    for one in results:
        made.append(one)
        if len(made) >= most:
            break
    return made
