"""From series that were recognised, and what a person says of them, to three directions and a magnitude; or
why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from .found import Floats, Limits, Place, Problem, blocking, note
from .gather import Gathered
from .guess import SCALES, TWELVE_BITS, Row, is_raw_phase

PATIENT = {
    "RL": (-1.0, 0.0, 0.0),
    "LR": (1.0, 0.0, 0.0),
    "AP": (0.0, -1.0, 0.0),
    "PA": (0.0, 1.0, 0.0),
    "FH": (0.0, 0.0, 1.0),
    "HF": (0.0, 0.0, -1.0),
}
# Grids that lie apart by less are the same, in mm.
SAME_PLACE = 0.05
# Cosine of directions that are taken for one; volume of three that span no space.
SAME_DIRECTION = 0.9
FLAT = 0.3
# Times the largest VENC, as far as a study's numbers reach.
ROOM = 4
# Sides of voxels, in mm, and the longest beat, in seconds: beyond, a file says nonsense.
SIDES = (1e-3, 1e3)
LONGEST_BEAT = 10.0
# In cm/s; only to be told.
ENDLESS = 1e9


@dataclass(frozen=True)
class Settled:
    rows: tuple[Row, ...]
    # In the order of x, y and z, as near as they come.
    velocity: tuple[Row, ...]
    magnitude: tuple[Row, ...]
    place: Place | None
    times: tuple[float, ...] | None
    period: float | None
    gating: str
    problems: tuple[Problem, ...]

    @property
    def is_blocked(self) -> bool:
        return any(problem.is_blocking for problem in self.problems)


def settle(gathered: Gathered, answer: Mapping[str, Any], limits: Limits) -> Settled:
    """An empty answer leaves everything as it was told."""
    said = {str(one["id"]): one for one in answer.get("series", [])}
    rows = tuple(answered(row, said.get(row.series.id, {})) for row in gathered.rows)
    velocity = [row for row in rows if row.meaning.role == "velocity"]
    magnitude = tuple(row for row in rows if row.meaning.role == "magnitude")
    if not velocity:
        problems = (*gathered.problems, blocking("no_velocity"))
        return Settled(rows, (), magnitude, None, None, None, "unknown", problems)
    place = place_of(velocity[0].series.place, answer.get("spacing"))
    times, timing, period = times_of(velocity[0], answer)
    problems = [
        *gathered.problems,
        *direction_problems(velocity, place),
        *grid_problems(velocity, magnitude),
        *venc_problems(velocity),
        *told_missing(velocity),
        *timing,
        *place_problems(place, velocity, answer.get("spacing") is not None),
        *size_problems(place, velocity[0].series.frames, limits),
    ]
    if not magnitude:
        problems.append(note("magnitude_missing"))
    gating = answer.get("gating") or velocity[0].series.clock.gating
    ordered = in_order(velocity, place)
    return Settled(rows, ordered, magnitude, place, times, period, gating, tuple(problems))


def answered(row: Row, said: Mapping[str, Any]) -> Row:
    told = {key: said[key] for key in ("role", "direction", "unit", "venc") if said.get(key) is not None}
    meaning = replace(row.meaning, **told, unsure=row.meaning.unsure - set(told))
    return replace(row, meaning=meaning, is_venc_guessed=row.is_venc_guessed and "venc" not in told)


def place_of(place: Place, spacing: Sequence[float] | None) -> Place:
    if place.spacing is not None and not all(SIDES[0] <= side <= SIDES[1] for side in place.spacing):
        place = replace(place, spacing=None)
    if spacing is None or place.affine is not None:
        return place
    x, y, z = (float(side) for side in spacing)
    return replace(place, spacing=(x, y, z), is_unit_told=True)


def direction_in(direction: str, place: Place) -> Floats | None:
    """A unit vector in the axes of the grid; None of a direction in a patient whom nothing tells of."""
    if direction[0] in "+-":
        axes = np.eye(3) if place.axes is None else place.axes
        return axes[:, "xyz".index(direction[1])] * (1.0 if direction[0] == "+" else -1.0)
    if place.affine is None:
        return None
    turn = place.affine[:, :3] / np.linalg.norm(place.affine[:, :3], axis=0)
    vector = np.linalg.solve(turn, np.array(PATIENT[direction]))
    return vector / np.linalg.norm(vector)


def vectors_of(velocity: Sequence[Row], place: Place) -> list[Floats | None]:
    return [direction_in(row.meaning.direction, place) if row.meaning.direction else None for row in velocity]


def direction_problems(velocity: Sequence[Row], place: Place) -> list[Problem]:
    """Three series whose directions span the space, each once."""
    known = [
        (row, vector)
        for row, vector in zip(velocity, vectors_of(velocity, place), strict=True)
        if vector is not None
    ]
    for at, (row, vector) in enumerate(known):
        if any(abs(vector @ other) > SAME_DIRECTION for _, other in known[:at]):
            return [blocking("direction_twice", direction=row.meaning.direction or "")]
    told = sum(row.meaning.direction is not None for row in velocity)
    if told != 3 or len(velocity) != 3:
        return [blocking("direction_missing", found=min(told, 3))]
    if len(known) == 3 and abs(np.linalg.det(np.array([vector for _, vector in known]))) < FLAT:
        return [blocking("direction_missing", found=2)]
    return []


def in_order(velocity: Sequence[Row], place: Place) -> tuple[Row, ...]:
    vectors = vectors_of(velocity, place)
    if len(velocity) != 3 or any(vector is None for vector in vectors):
        return tuple(velocity)
    known = [vector for vector in vectors if vector is not None]
    best = max(
        permutations(range(3)), key=lambda order: sum(abs(known[order[axis]][axis]) for axis in range(3))
    )
    return tuple(velocity[at] for at in best)


def grid_problems(velocity: Sequence[Row], magnitude: Sequence[Row]) -> list[Problem]:
    """A magnitude of one time may stand for all of them."""
    first = velocity[0].series
    for row in (*velocity[1:], *magnitude):
        other = row.series
        is_timed = other.frames == first.frames or (row in magnitude and other.frames == 1)
        if not is_timed or not is_same(first.place, other.place):
            return [blocking("unequal_grids", series=first.name, other=other.name)]
    return []


def is_same(one: Place, other: Place) -> bool:
    if one.size != other.size or (one.affine is None) != (other.affine is None):
        return False
    if one.affine is not None and other.affine is not None:
        far = np.array([*one.size, 1.0])
        return bool(
            np.abs((one.affine - other.affine) @ far).max() < SAME_PLACE
            and np.abs(one.affine - other.affine).max() < SAME_PLACE
        )
    return (
        one.spacing is None
        or other.spacing is None
        or bool(np.allclose(one.spacing, other.spacing, rtol=1e-3))
    )


def venc_problems(velocity: Sequence[Row]) -> list[Problem]:
    unknown = [row for row in velocity if row.meaning.venc is None or row.is_venc_guessed]
    told: list[Problem] = [blocking("venc_unknown", series=row.series.name) for row in unknown]
    vencs = [row.meaning.venc for row in velocity if row.meaning.venc is not None]
    if unknown or not vencs:
        return told
    most = max(vencs)
    speeds = [speed_of(row, row.figures.top) for row in velocity]
    largest = max(speed_of(row, row.figures.largest) for row in velocity)
    params = {"largest": round(min(ENDLESS, 100 * max(speeds)), 1), "venc": round(100 * most, 1)}
    if largest > ROOM * most:
        # The numbers would not fit.
        return [blocking("scale_doubtful", **(params | {"largest": round(min(ENDLESS, 100 * largest), 1)}))]
    if max(speeds) > 2 * most or max(speeds) < 0.05 * most:
        return [note("scale_doubtful", **params)]
    return []


def told_missing(rows: Sequence[Row]) -> list[Problem]:
    """What is no number among the velocities: no value where there are others, no series without any."""
    told = []
    for row in rows:
        if 0 < row.figures.missing == row.figures.count:
            told.append(blocking("not_finite", series=row.series.name, count=row.figures.missing))
        elif row.figures.missing:
            told.append(note("not_finite", series=row.series.name, count=row.figures.missing))
    return told


def scale_of(row: Row) -> tuple[float, float]:
    """m/s of one unit of the file's numbers, and which number stands for none."""
    unit, venc = row.meaning.unit or "m/s", row.meaning.venc or 1.0
    if unit != "phase":
        return SCALES[unit], 0.0
    if not is_raw_phase(row.figures):
        return venc / np.pi, 0.0
    return (venc / TWELVE_BITS, 0.0) if row.figures.low < 0 else (2 * venc / TWELVE_BITS, TWELVE_BITS / 2)


def speed_of(row: Row, value: float) -> float:
    scale, zero = scale_of(row)
    return abs(scale * (value - zero)) if zero == 0 else row.meaning.venc or 0.0


def times_of(
    row: Row, answer: Mapping[str, Any]
) -> tuple[tuple[float, ...] | None, list[Problem], float | None]:
    """Times, what is wrong with them, and the beat. A told beat that ends before the last frame is none."""
    clock, frames = row.series.clock, row.series.frames
    said = answer.get("period")
    told = clock.period if clock.period is not None and clock.period <= LONGEST_BEAT else None
    period = float(said) if said is not None else told
    if frames == 1:
        return (0.0,), [note("one_time")], period
    if clock.times is None:
        if period is None:
            return None, [blocking("times_unknown")], None
        return tuple(i * period / frames for i in range(frames)), [note("times_unknown")], period
    span = clock.times[-1] - clock.times[0]
    if period is not None and period <= span:
        wrong = {"period": round(period, 4), "span": round(span, 4)}
        return clock.times, [Problem("period_too_short", wrong, said is not None)], None
    return clock.times, [] if period is not None else [note("period_unknown")], period


def place_problems(place: Place, velocity: Sequence[Row], is_said: bool) -> list[Problem]:
    if place.spacing is None:
        return [blocking("spacing_unknown")]
    told = (
        [] if place.is_unit_told or is_said else [note("spacing_unit_unknown", x=round(place.spacing[0], 4))]
    )
    if place.affine is not None:
        return told
    is_lost = any(row.meaning.direction and row.meaning.direction[0] not in "+-" for row in velocity)
    return [*told, blocking("unplaced") if is_lost else note("unplaced")]


def size_problems(place: Place, frames: int, limits: Limits) -> list[Problem]:
    count = 8 * frames * int(np.prod(np.array(place.size, object)))
    return [blocking("too_large", bytes=count, most=limits.max_bytes)] if count > limits.max_bytes else []


def largest_of(rows: Sequence[Row]) -> float:
    return max((row.figures.largest for row in rows), default=0.0)
