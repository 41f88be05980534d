"""A corrected study made finer by a network around its mask, and beside it by interpolation alone.

A frame at a time: of a long study no more is held. Needs torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import torch
from torch import Tensor

from .. import export
from ..control import Control
from ..device import prepare_device
from ..events import Emitter
from ..failures import RunFailure, is_out_of_memory
from ..network import build_network
from ..predict import Predictor, starts
from ..spec import Device, SpecError, at_least, field, parse_plan
from ..state import restore
from ..tasks.velocity import NETWORK_TASK, SHARE, blood, factor_of, interpolated, packed
from .compute import Progress, present
from .files.reading import durable, header_bytes
from .libraries import ndimage
from .sample import refined
from .spec import FlowSpec
from .stored import Stored, decoded, digest_of, encoded, read_arrays, read_study
from .study import Bools, Refusal, Values

# Coarse voxels: a patch's side, how much of it neighbours share, and of that at each end what does not count,
# since there a network sees an edge that is none.
PATCH, SHARED, UNSURE = 24, 8, 2
# Coarse voxels around the mask in which the network answers.
AROUND = 2
# Speeds in the mask reach so far at most, as a share of what the network measures by: more it has not seen.
FASTEST = 1 / 1.1
LARGEST_MAGNITUDE = 32_767

Box = tuple[slice, slice, slice]


@dataclass(frozen=True)
class Cut:
    """What is made finer: a box of the study's grid."""

    stored: Stored
    box: Box
    # (z, y, x), of the box.
    mask: Bools
    factor: int

    @property
    def fine_shape(self) -> tuple[int, int, int]:
        z, y, x = (side * self.factor for side in self.mask.shape)
        return z, y, x

    def velocity(self, frame: int) -> Values:
        """(3, z, y, x) in m/s; NaN where there is no value."""
        return decoded(self.stored.velocity[(slice(None), frame, *self.box)], self.stored.unit)

    def magnitude(self, frame: int) -> Values:
        """(z, y, x); of a study without any, 1."""
        found = self.stored.magnitude[(frame, *self.box)].astype(np.float32)
        return found if (found > 0).any() else np.ones_like(found)


def sharpen(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    """The whole work: two studies, then both are told. RunFailure `flow_not_computed` as of `compute`."""
    try:
        work_through(spec, emitter, control)
    except Refusal as refusal:
        raise RunFailure("flow_not_computed", {"refusal": refusal.reason}) from refusal
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        raise RunFailure("flow_not_computed", {"refusal": "out_of_memory"}) from error


def work_through(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    # What is made finer, and by what
    plan = parse_plan(field(spec.work, "plan", dict))
    factor, threads = factor_of(plan), at_least(spec.work, "threads", 1)
    cut = cut_of(spec, factor)
    frames = int(cut.stored.head["frames"])
    device = prepare_device(Device("cpu", 0, threads, None))
    network = build_network(plan, NETWORK_TASK, 0)
    restore(network, weights_of(present(spec, "weights"), field(spec.work, "sharpened", dict)))
    unit = measure_of(cut)
    progress = Progress(emitter, control, [1.0] * frames)

    # Frame by frame into both files
    heads = {
        "study": head_of(cut) | {"source": "sharpened", "sharpened": spec.work["sharpened"]},
        "interpolated": head_of(cut),
    }
    paths = {name: spec.out / f"{name}.safetensors" for name in heads}
    emitter.emit("phase", phase="measuring", counts=None)
    with (
        durable(paths["study"]) as made,
        durable(paths["interpolated"]) as plain,
        Predictor(network, device) as predictor,
    ):
        files = [Writing(made, heads["study"], cut), Writing(plain, heads["interpolated"], cut)]
        for frame in range(frames):
            magnitude = finer_magnitude(cut, frame)
            for file, velocity in zip(
                files, finer_velocities(cut, frame, unit, predictor, control.check), strict=True
            ):
                file.put(frame, velocity, magnitude)
            progress.tick()
    for name, path in paths.items():
        emitter.emit(
            "flow_made",
            path=path.relative_to(spec.folder).as_posix(),
            sha256=digest_of(path),
            bytes=path.stat().st_size,
            head=heads[name],
        )


def cut_of(spec: FlowSpec, factor: int) -> Cut:
    """Refuses `mask_empty`, and `out_of_memory` where more than `maxVoxels` would come out."""
    stored = read_study(present(spec, "study"))
    if not np.array_equal(stored.head["directions"], np.eye(3)):
        raise SpecError("study: its components do not lie along the grid")
    mask = read_arrays(present(spec, "mask"))[0].get("mask")
    if mask is None or mask.shape != stored.magnitude.shape[1:]:
        raise SpecError("mask: not of the study's grid")
    inside, margin = np.array(mask) != 0, at_least(spec.work, "margin", 0)
    if not inside.any():
        raise Refusal("mask_empty")
    lines = [inside.any(axis=tuple({0, 1, 2} - {axis})).nonzero()[0] for axis in range(3)]
    z, y, x = (
        slice(max(0, int(line[0]) - margin), min(side, int(line[-1]) + 1 + margin))
        for line, side in zip(lines, inside.shape, strict=True)
    )
    cut = Cut(stored, (z, y, x), inside[z, y, x], factor)
    if int(np.prod(cut.fine_shape)) * int(stored.head["frames"]) > at_least(spec.work, "maxVoxels", 1):
        raise Refusal("out_of_memory")
    return cut


def weights_of(path: Path, sharpened: Mapping[str, Any]) -> dict[str, Tensor]:
    if digest_of(path) != field(sharpened, "weights", str):
        raise RunFailure("weights_unfit")
    return export.load_weights(path)[0]


def measure_of(cut: Cut) -> float:
    """m/s by which velocities are measured for the network: VENC, or more where unwrapped ones are faster."""
    fastest = 0.0
    for frame in range(int(cut.stored.head["frames"])):
        speed = np.sqrt(np.square(cut.velocity(frame)[:, cut.mask]).sum(0))
        known = speed[np.isfinite(speed)]
        fastest = max(fastest, float(np.percentile(known, 99.9)) if known.size else 0.0)
    return max(*cut.stored.head["venc"], fastest / FASTEST)


def head_of(cut: Cut) -> dict[str, Any]:
    """Fine voxel 0 lies on the first coarse voxel of the box."""
    head, factor = cut.stored.head, cut.factor
    z, y, x = (part.start for part in cut.box)
    affine = cut.stored.affine.copy()
    affine[:, 3] += affine[:, :3] @ [x, y, z]
    affine[:, :3] /= factor
    return {
        **{name: value for name, value in head.items() if name != "sharpened"},
        "size": list(cut.fine_shape[::-1]),
        "spacing": [side / factor for side in head["spacing"]],
        "affine": affine.tolist(),
    }


class Writing:
    """A study's file, of which each frame is put in its place."""

    def __init__(self, file: BinaryIO, head: Mapping[str, Any], cut: Cut) -> None:
        self._file, self._unit = file, float(head["velocityScale"])
        self._frames = int(head["frames"])
        self._volume = 2 * int(np.prod(cut.fine_shape))
        self._start = file.write(header_bytes(head))

    def put(self, frame: int, velocity: Values, magnitude: Values) -> None:
        for component, values in enumerate(velocity):
            self._at(component * self._frames + frame, encoded(values, self._unit))
        self._at(len(velocity) * self._frames + frame, magnitude)

    def _at(self, number: int, values: Values) -> None:
        self._file.seek(self._start + number * self._volume)
        self._file.write(values.tobytes())


def finer_magnitude(cut: Cut, frame: int) -> Values:
    made = refined(cut.stored.magnitude[(frame, *cut.box)].astype(np.float32), cut.factor)
    return np.rint(made).clip(0, LARGEST_MAGNITUDE).astype("<i2")


def finer_velocities(
    cut: Cut, frame: int, unit: float, predictor: Predictor, go_on: Callable[[], None]
) -> tuple[Values, Values]:
    """By the network, and by what it adds to alone; (3, Z, Y, X) in m/s. What hangs on no value has none."""
    coarse = cut.velocity(frame)
    known = np.isfinite(coarse).all(0)
    held = filled(coarse, known)
    magnitude = cut.magnitude(frame)
    given = torch.from_numpy(packed(held / unit, magnitude / blood(magnitude, cut.mask)))[None]
    near = np.asarray(ndimage.binary_dilation(cut.mask, iterations=AROUND), np.bool_)
    answer = in_patches(predictor, given, near, cut.factor, go_on)
    weighted = interpolated(given, cut.factor)[0]
    plain = weighted.numpy() * unit
    learned = (weighted + SHARE * answer).numpy() * unit
    made = np.where(refined(near.astype(np.float32), cut.factor) > 0.5, learned, plain)
    gone = refined(known.astype(np.float32), cut.factor) < 1 - 1e-4
    made[:, gone] = plain[:, gone] = np.nan
    return made, plain


def filled(velocity: Values, known: Bools) -> Values:
    """Each unknown voxel as the nearest known one."""
    if known.all() or not known.any():
        return np.where(known, velocity, 0)
    places = ndimage.distance_transform_edt(~known, return_distances=False, return_indices=True)
    return velocity[(slice(None), *places)]


def in_patches(
    predictor: Predictor, given: Tensor, near: Bools, factor: int, go_on: Callable[[], None]
) -> Tensor:
    """What a network says of (1, 6, d, h, w), as (3, D, H, W): of overlapping patches that touch `near`, each
    fading into the next. Elsewhere 0.
    """
    sums = torch.zeros(3, *(side * factor for side in near.shape))
    counts = torch.zeros(sums.shape[1:])
    for window in windows(near):
        go_on()
        answer = predictor.predict_maps(given[(..., *window)], factor)[0]
        faded = fade(tuple(answer.shape[1:]), factor)
        target = tuple(slice(part.start * factor, part.stop * factor) for part in window)
        sums[(slice(None), *target)] += answer * faded
        counts[target] += faded
    return sums / counts.clamp(min=1e-12)


def windows(near: Bools) -> Iterator[Box]:
    along = [[slice(at, min(at + PATCH, side)) for at in starts(side, PATCH, SHARED)] for side in near.shape]
    for z, y, x in product(*along):
        if near[z, y, x].any():
            yield z, y, x


def fade(shape: tuple[int, ...], factor: int) -> Tensor:
    """How much each fine voxel of a patch counts: less towards its faces, nearly nothing at them."""
    made = torch.ones(shape)
    for axis, side in enumerate(shape):
        from_face = torch.minimum(torch.arange(side), torch.arange(side).flip(0)) + 0.5
        line = (from_face / factor - UNSURE) / (SHARED - 2 * UNSURE)
        made = made * line.clamp(1e-4, 1).view([-1 if one == axis else 1 for one in range(len(shape))])
    return made
