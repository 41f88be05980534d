"""Volumes for tests, written field by field after nifti1.h and nifti2.h, and runs on them."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path
from typing import Any

import numpy as np

from .make import Json, Node, edit_spec, make_run, segmenter_nodes, write_json

CODES = {
    "u1": 2,
    "i2": 4,
    "i4": 8,
    "f4": 16,
    "f8": 64,
    "i1": 256,
    "u2": 512,
    "u4": 768,
    "i8": 1024,
    "u8": 1280,
}


def nifti(
    voxels: np.ndarray,
    order: str = "<",
    version: int = 1,
    spacing: tuple[float, float, float] = (1, 1, 1),
    axes: str = "RAS",
    slope: tuple[float, float] = (0, 0),
    size: tuple[int, ...] | None = None,
) -> bytes:
    """Of voxels (z, y, x); spacing and axes in the order x, y, z."""
    header = bytearray(352 if version == 1 else 544)
    dim = size or (3, *voxels.shape[::-1], 1, 1, 1, 1)
    code, bits = CODES[voxels.dtype.str[1:]], voxels.dtype.itemsize * 8
    rows = np.zeros((3, 4))
    for axis, letter in enumerate(axes):
        line = "RLAPSI".index(letter)
        rows[line // 2, axis] = spacing[axis] * (-1 if line % 2 else 1)
    places: dict[int, list[tuple[str, int, tuple[Any, ...]]]] = {
        1: [
            *(("i", 0, (348,)), ("8h", 40, dim), ("2h", 70, (code, bits))),
            *(("8f", 76, (1, *spacing, 1, 1, 1, 1)), ("3f", 108, (352, *slope)), ("b", 123, (2,))),
            *(("2h", 252, (0, 1)), ("12f", 280, tuple(rows.reshape(-1)))),
        ],
        2: [
            *(("i", 0, (540,)), ("2h", 12, (code, bits)), ("8q", 16, dim)),
            *(("8d", 104, (1, *spacing, 1, 1, 1, 1)), ("q", 168, (544,)), ("2d", 176, slope)),
            *(("2i", 344, (0, 1)), ("12d", 400, tuple(rows.reshape(-1))), ("i", 500, (2,))),
        ],
    }
    for kind, at, values in places[version]:
        struct.pack_into(order + kind, header, at, *values)
    magic = b"n+1\0" if version == 1 else b"n+2\0\r\n\032\n"
    start = 344 if version == 1 else 4
    header[start : start + len(magic)] = magic
    return bytes(header) + voxels.astype(voxels.dtype.newbyteorder(order)).tobytes()


def volume_nodes(classes: int) -> list[Node]:
    """The small segmenter with three axes."""

    def cubed(params: Json) -> Json:
        return {name: [value[0]] * 3 if isinstance(value, list) else value for name, value in params.items()}

    return [(name, op, sources, cubed(params)) for name, op, sources, params in segmenter_nodes(classes)]


def make_volume_run(folder: Path, items: list[Json], plan: Json, **changes: Any) -> Path:
    """A run folder over volumes that lie below `data`."""
    (folder / "data").mkdir(parents=True, exist_ok=True)
    hyper = {"imageSize": [8, 8], "depth": 8, "batchSize": 2, "epochs": 2}
    make_run(folder, "segmentation", 3, **{"plan": plan, **hyper, **changes})
    edit_spec(folder, task="volume_segmentation")
    task = {"v": 1, "task": "volume_segmentation", "classes": ["background", "ball"]}
    write_json(
        folder / "manifest.json", {**task, "channels": 1, "maskValues": {"0": 0, "7": 1}, "items": items}
    )
    return folder


def draw_ball(folder: Path, name: str, shape: tuple[int, int, int], **how: Any) -> Json:
    """A bright ball on noise, gzipped under a name without an ending as the server lays it; its mask of 7."""
    rng = np.random.default_rng(len(name) + sum(shape) + int(name))
    z, y, x = np.ogrid[: shape[0], : shape[1], : shape[2]]
    centre = [side / 2 + rng.uniform(-1, 1) for side in shape]
    ball = (z - centre[0]) ** 2 + (y - centre[1]) ** 2 + (x - centre[2]) ** 2 < 9
    voxels = (rng.normal(0, 40, shape) + 300 * ball).astype(np.int16)
    (folder / "data").mkdir(parents=True, exist_ok=True)
    (folder / "data" / f"image{name}").write_bytes(gzip.compress(nifti(voxels, **how)))
    (folder / "data" / f"mask{name}").write_bytes(nifti((ball * 7).astype(np.uint8), **how))
    paths = {"image": f"image{name}", "label": f"mask{name}"}
    return {"id": f"v{name}", "name": f"{name}.nii.gz", **paths, "class": None, "group": f"g{name}"}
