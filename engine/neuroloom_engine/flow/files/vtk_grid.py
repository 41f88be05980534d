"""What VTK's files of images hold, whichever way they are written, and how they become series: one file a
time.

Arrays of three numbers a point are vectors along the axes x, y, z in which the file counts places;
`Direction` turns those against the grid's. Nothing in VTK tells of the patient or of units: lengths are
taken for mm (for metres where voxels would be smaller than a twentieth of one), and of velocities the unit
is unsure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from .found import Clock, File, Floats, Found, Limits, Meaning, Place, Series, Size, Values, id_of, unreadable
from .naming import as_venc, meaning_of, unit_of

AXES = ("+x", "+y", "+z")
EVEN = 1e-3
METRES = 0.05
ENDING = re.compile(r"\.(vti|vtk)$", re.IGNORECASE)


@dataclass(frozen=True)
class Image:
    """`arrays` tells how many numbers each has a point."""

    file: File
    size: Size
    spacing: tuple[float, float, float]
    arrays: Mapping[str, int]
    # (points, numbers) of an array; reads the file.
    load: Callable[[str], Values]
    axes: Floats | None = None
    # Values of the file as a whole, as `TimeValue` and `VENC`.
    fields: Mapping[str, float] = field(default_factory=dict)


def check_sides(file: File, size: Sequence[int], spacing: Sequence[float], limits: Limits) -> None:
    if (
        len(size) != 3
        or min(size) < 1
        or len(spacing) != 3
        or not np.isfinite(spacing).all()
        or min(spacing) <= 0
    ):
        raise unreadable(file.name, "damaged")
    limits.check(24 * int(np.prod(np.array(size, object))))


def even_spacing(file: File, coordinates: Values) -> float:
    """From place to place; refuses places that do not lie evenly."""
    steps = np.diff(np.asarray(coordinates, np.float64))
    if steps.size == 0:
        return 1.0
    mean = float(steps.mean())
    if not np.isfinite(mean) or mean <= 0 or np.abs(steps - mean).max() > EVEN * mean:
        raise unreadable(file.name, "uneven_spacing")
    return mean


def read_vtk(files: Sequence[File], times: Mapping[str, float], open_image: Callable[[File], Image]) -> Found:
    """`times` come from a list (.pvd), by the files' names."""
    found = Found("vtk")
    groups: dict[tuple, list[Image]] = {}
    for image in map(open_image, files):
        meaning = meaning_of(re.sub(r"\d+$", "", ENDING.sub("", image.file.base)).rstrip("_-. "))
        key = (tuple(sorted(image.arrays.items())), meaning.role, meaning.direction)
        groups.setdefault(key, []).append(image)
    for images in groups.values():
        steps = sorted(images, key=lambda image: order_of(image, times))
        found.series += series_of(steps, times)
    return found


def order_of(image: Image, times: Mapping[str, float]) -> tuple:
    """By the list, by the time within, else by the numbers in the name."""
    name = re.split(r"(\d+)", image.file.name)
    natural = [(int(one), "") if one.isdigit() else (-1, one) for one in name]
    return (times.get(image.file.name, image.fields.get("TimeValue", 0.0)), natural)


def series_of(steps: Sequence[Image], times: Mapping[str, float]) -> list[Series]:
    first = steps[0]
    for other in steps:
        if other.size != first.size or not np.allclose(other.spacing, first.spacing, rtol=EVEN):
            raise unreadable(other.file.name, "other_size")
    cache = Step()
    clock = Clock(clock_of(steps, times))
    made = []
    for array, count in first.arrays.items():
        for part in range(3) if count == 3 else range(1) if count == 1 else ():
            label = f"{array} [{part + 1}]" if count == 3 else array
            made.append(
                Series(
                    id=id_of(first.file.name, label),
                    name=f"{first.file.base}: {label}",
                    place=place_of(first),
                    frames=len(steps),
                    files=tuple(step.file for step in steps),
                    read=partial(read_frames, steps, (array, part), cache),
                    meaning=meaning_in(first, array, count, part),
                    clock=clock,
                )
            )
    return made


def place_of(image: Image) -> Place:
    scale = 1000.0 if max(image.spacing) < METRES else 1.0
    x, y, z = (float(one) * scale for one in image.spacing)
    return Place(image.size, (x, y, z), None, image.axes, is_unit_told=False)


def meaning_in(image: Image, array: str, count: int, part: int) -> Meaning:
    stem = ENDING.sub("", image.file.base)
    meaning = meaning_of(array)
    is_lone = sum(one == 3 for one in image.arrays.values()) == 1
    if count == 3:
        is_named = meaning.role == "velocity"
        if is_named or (is_lone and "role" in meaning.unsure):
            meaning = Meaning(
                "velocity",
                AXES[part],
                meaning.unit,
                meaning.venc,
                frozenset() if is_named else frozenset({"role"}),
            )
        else:
            meaning = Meaning(unsure=meaning.unsure & {"role"})
    elif meaning.role == "unused" and "role" in meaning.unsure:
        # `vx.vti` with an array called `scalars`.
        meaning = meaning_of(re.sub(r"\d+$", "", stem).rstrip("_-. "))
    if meaning.role != "velocity":
        return meaning
    venc = next((value for name, value in image.fields.items() if name.lower() == "venc" and value > 0), None)
    if venc is not None and meaning.venc is None:
        value, is_sure = as_venc(venc)
        meaning = replace(meaning, venc=value, unsure=meaning.unsure | (set() if is_sure else {"venc"}))
    return replace(meaning, unit=meaning.unit or unit_of(stem))


class Step:
    """The array that was read last: its three components come one after the other."""

    def __init__(self) -> None:
        self.key: tuple | None = None
        self.values: Values | None = None

    def get(self, image: Image, array: str) -> Values:
        if self.key != (image.file.path, array) or self.values is None:
            self.values = None
            self.values = image.load(array)
            self.key = (image.file.path, array)
        return self.values


def read_frames(steps: Sequence[Image], wanted: tuple[str, int], cache: Step) -> Iterator[Values]:
    array, part = wanted
    for image in steps:
        values = cache.get(image, array)
        kind = np.result_type(values.dtype.newbyteorder("="), np.float32)
        yield values[:, part].astype(kind).reshape(image.size[::-1])


def clock_of(steps: Sequence[Image], listed: Mapping[str, float]) -> tuple[float, ...] | None:
    """In seconds; mere numbers of steps are no times."""
    if len(steps) == 1:
        return (0.0,)
    told = [listed.get(step.file.name, step.fields.get("TimeValue")) for step in steps]
    times = [one for one in told if one is not None and np.isfinite(one)]
    is_rising = all(later > earlier for earlier, later in zip(times, times[1:], strict=False))
    if (
        len(times) < len(steps)
        or not is_rising
        or all(float(one).is_integer() for one in times)
        and times[-1] < 10
    ):
        return None
    return tuple(one / 1000 if times[-1] > 10 else one for one in times)
