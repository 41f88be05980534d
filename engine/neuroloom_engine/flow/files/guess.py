"""Completes what the names of series left open, and chooses among several measurements.

What is completed is a guess and marked so. Unit: numbers up to π that come close to it, or whole 12-bit
numbers, are phases; up to 10 m/s, up to 1000 cm/s, else mm/s. VENC: the largest velocity, up to the next
5 cm/s, for a person to correct; nothing is made by it alone. Direction: in the order of the names, x to z.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .found import Meaning, Series

PI = 3.1416
TWELVE_BITS = 4096
# m/s, as the contract has it.
MOST_VENC = 20.0
AXES = ("+x", "+y", "+z")
SCALES = {"m/s": 1.0, "cm/s": 0.01, "mm/s": 0.001}


@dataclass(frozen=True)
class Figures:
    """Of the finite numbers of a series."""

    low: float
    high: float
    # The 99.9th percentile of what they are without sign.
    top: float
    # Those that are no numbers.
    missing: int
    count: int

    @property
    def largest(self) -> float:
        return max(-self.low, self.high)


@dataclass(frozen=True)
class Row:
    series: Series
    meaning: Meaning
    figures: Figures
    # The VENC was guessed from the numbers.
    is_venc_guessed: bool = False


def chosen(rows: Sequence[Row]) -> list[Row]:
    """Of several measurements the fullest; what could stand in its place is left to the person."""
    velocity = [row for row in rows if row.meaning.role == "velocity"]
    best = fullest(velocity, lambda row: (row.series.place.size, row.series.frames), rows)
    if len(best) > 3:
        best = fullest(best, home_of, rows)
    if len(best) == len(velocity):
        return list(rows)
    taken = {row.series.id for row in best}
    grid = best[0].series
    homes = {home_of(row) for row in best}
    magnitude = [
        row for row in rows if row.meaning.role == "magnitude" and row.series.place.size == grid.place.size
    ]
    near = [row for row in magnitude if home_of(row) in homes] or magnitude
    taken |= {row.series.id for row in near if row.series.frames in (1, grid.frames)}
    return [
        row
        if row.series.id in taken or row.meaning.role == "unused"
        else replace(row, meaning=Meaning(unsure=frozenset({"role"})))
        for row in rows
    ]


def home_of(row: Row) -> str:
    """The folder of a series in files of its own, the file of others."""
    first = row.series.files[0].name
    return first.rpartition("/")[0] if row.series.id.startswith(first) and "#" not in row.series.id else first


def fullest(velocity: Sequence[Row], key: Callable[[Row], Any], rows: Sequence[Row]) -> list[Row]:
    groups: dict[Any, list[Row]] = {}
    for row in velocity:
        groups.setdefault(key(row), []).append(row)
    sizes = [row.series.place.size for row in rows if row.meaning.role == "magnitude"]

    def score(group: Sequence[Row]) -> tuple:
        directions = {row.meaning.direction or row.series.id for row in group}
        series = group[0].series
        return (
            min(3, len(directions)),
            series.place.size in sizes,
            series.frames,
            math.prod(series.place.size),
        )

    return max(groups.values(), key=score) if groups else []


def completed(rows: Sequence[Row]) -> list[Row]:
    """With guesses where the files left something open."""
    velocity = [row for row in rows if row.meaning.role == "velocity"]
    lacking = [row.series.id for row in velocity if row.meaning.direction is None]
    left = [axis for axis in AXES if axis not in {row.meaning.direction for row in velocity}]
    is_whole = len(velocity) == 3 and len(lacking) == len(left)
    made = []
    for row in rows:
        meaning, is_guessed = row.meaning, False
        if meaning.role == "velocity":
            if meaning.direction is None:
                guess = left[lacking.index(row.series.id)] if is_whole else None
                meaning = replace(meaning, direction=guess, unsure=meaning.unsure | {"direction"})
            if meaning.unit is None:
                meaning = replace(meaning, unit=guessed_unit(row), unsure=meaning.unsure | {"unit"})
            if meaning.venc is None or not 0 < meaning.venc <= MOST_VENC:
                meaning = replace(meaning, venc=guessed_venc(meaning, row), unsure=meaning.unsure | {"venc"})
                is_guessed = True
        made.append(replace(row, meaning=meaning, is_venc_guessed=is_guessed))
    # The three of one vector, or of one measurement, share what was guessed of the largest.
    return [shared(row, made) for row in made]


def guessed_unit(row: Row) -> str:
    figures = row.figures
    if PI - 0.2 < figures.largest <= PI + 0.01 or is_raw_phase(figures):
        return "phase"
    if figures.top <= 10:
        return "m/s"
    return "cm/s" if figures.top <= 1000 else "mm/s"


def is_raw_phase(figures: Figures) -> bool:
    """Whole 12-bit numbers, as scanners store phases and converters leave them: −4096 … 4095, or 0 … 4095."""
    is_whole = float(figures.low).is_integer() and float(figures.high).is_integer()
    return (
        is_whole
        and figures.high - min(0.0, figures.low) > 0.9 * TWELVE_BITS
        and figures.largest <= TWELVE_BITS
    )


def guessed_venc(meaning: Meaning, row: Row) -> float | None:
    if meaning.unit is None or meaning.unit == "phase":
        return None
    largest = row.figures.largest * SCALES[meaning.unit]
    return round(math.ceil(largest / 0.05 - 0.01) * 0.05, 4) if 0 < largest <= MOST_VENC else None


def shared(row: Row, rows: Sequence[Row]) -> Row:
    beside = [one for one in rows if one.meaning.role == "velocity"]
    if row.meaning.role != "velocity" or len(beside) != 3:
        return row
    meaning = row.meaning
    if all("unit" in one.meaning.unsure for one in beside):
        widest = max(beside, key=lambda one: one.figures.top)
        meaning = replace(meaning, unit=widest.meaning.unit)
    if all(one.is_venc_guessed for one in beside):
        most = max(guessed_venc(meaning, one) or 0.0 for one in beside)
        meaning = replace(meaning, venc=most or None)
    return replace(row, meaning=meaning)
