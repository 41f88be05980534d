"""Steps against what scanners add: noise, and shading that changes slowly. Masks keep what they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PIL import ImageFilter

from ..data.images import Pixels
from ..spec import at_least, number, one_of
from .frame import Frame, as_type, by_pillow, channels, slices
from .tones import joined, split

Raw = dict[str, object]
Floats = NDArray[np.float32]
# Non-local means: sides of the patches that are compared and of the neighbourhood they are looked for in.
PATCH, NEIGHBOURS = 1, 5
# Points that the field is fitted to: it has at most 35 numbers.
FIELD_POINTS, FEWEST_POINTS = 40_000, 100
ROUNDS = 3
# A field that changes more than so many times is no shading.
MOST_FIELD = 4.0


def denoise(frame: Frame, raw: Raw) -> Frame:
    how = one_of(raw, "how", ("median", "gaussian", "means"))
    if how == "median":
        radius = at_least(raw, "radius", 1)
        made = slices(frame, lambda plane: median(plane, radius))
    elif how == "gaussian":
        sigma = number(raw, "sigma")
        made = slices(frame, lambda plane: typed(plane, lambda values: blurred(values, sigma)))
    else:
        strength = number(raw, "strength")
        made = slices(frame, lambda plane: typed(plane, lambda values: averaged(values, strength)))
    return frame.having(made)


def median(plane: Pixels, radius: int) -> Pixels:
    return by_pillow(plane, lambda image: image.filter(ImageFilter.MedianFilter(2 * radius + 1)))


def typed(plane: Pixels, work: Callable[[Floats], Floats]) -> Pixels:
    """Of each channel as floats, and back."""
    return channels(plane, lambda one: as_type(work(one.astype(np.float32)), one.dtype))


def blurred(values: Floats, sigma: float) -> Floats:
    """By a Gaussian that ends after three deviations; the edge is repeated."""
    reach = max(1, round(3 * sigma))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights = (weights / weights.sum()).astype(np.float32)
    for axis in (0, 1):
        edges = [(0, 0), (0, 0)]
        edges[axis] = (reach, reach)
        wide = np.pad(values, edges, "edge")
        length = values.shape[axis]
        made = np.zeros_like(values)
        for place, weight in enumerate(weights):
            part = wide[place : place + length] if axis == 0 else wide[:, place : place + length]
            made += weight * part
        values = made
    return values


def averaged(values: Floats, strength: float) -> Floats:
    """Non-local means (Buades, Coll and Morel 2005), filtering by `strength` times the noise there is."""
    noise = noise_of(values)
    if noise == 0.0:
        return values
    allowed = np.float32((strength * noise) ** 2)
    expected = np.float32(2 * noise**2)
    wide = np.pad(values, NEIGHBOURS, "symmetric" if min(values.shape) > NEIGHBOURS else "edge")
    height, width = values.shape
    total, weights = values.copy(), np.ones_like(values)
    for down in range(-NEIGHBOURS, NEIGHBOURS + 1):
        for across in range(-NEIGHBOURS, NEIGHBOURS + 1):
            if down == 0 and across == 0:
                continue
            top, left = NEIGHBOURS + down, NEIGHBOURS + across
            other = wide[top : top + height, left : left + width]
            apart = boxed((values - other) ** 2)
            weight = np.exp(-np.maximum(apart - expected, 0) / allowed)
            total += weight * other
            weights += weight
    return total / weights


def boxed(values: Floats) -> Floats:
    """The mean over a patch around each pixel."""
    side = 2 * PATCH + 1
    wide = np.pad(values, PATCH, "edge")
    rows = sum((wide[start : start + values.shape[0]] for start in range(side)), np.float32(0))
    assert isinstance(rows, np.ndarray)
    made = sum((rows[:, start : start + values.shape[1]] for start in range(side)), np.float32(0))
    return np.asarray(made / np.float32(side * side), np.float32)


def noise_of(values: Floats) -> float:
    """The deviation of white noise (Immerkær 1996): what two Laplacians leave."""
    if min(values.shape) < 3:
        return 0.0
    rows = values[:-2] - 2 * values[1:-1] + values[2:]
    both = rows[:, :-2] - 2 * rows[:, 1:-1] + rows[:, 2:]
    return float(np.abs(both).mean(dtype=np.float64) * np.sqrt(np.pi / 2) / 6)


def bias(frame: Frame, raw: Raw) -> Frame:
    """Divides by a smooth field: a polynomial through the logarithms of what is no background.

    Shading multiplies, as in N4 (Tustison et al. 2010), whose splines and deconvolution are not done here.
    """
    degree = at_least(raw, "degree", 1)
    values = frame.values()
    if frame.header is not None:
        evened = values / field_of(values, degree)
        # Whole numbers without a slope stay so.
        is_whole = frame.pixels.dtype.kind in "iu" and frame.header.slope in (0.0, 1.0)
        return frame.measured(as_type(evened, frame.pixels.dtype) if is_whole else evened)
    colours, alpha = split(values, frame)
    # Light falls on all channels alike, so one field serves them.
    bright = colours if colours.ndim == 2 else colours.mean(axis=2)
    field = field_of(bright, degree)
    evened = colours / (field if colours.ndim == 2 else field[..., None])
    return frame.having(as_type(joined(evened, alpha), frame.pixels.dtype))


def field_of(values: Floats, degree: int) -> Floats:
    """Of the same shape, 1 in the mean of what it was fitted to."""
    field = np.ones_like(values)
    # What is background shows better once most of the shading is gone.
    for _ in range(ROUNDS):
        evened = values / field
        places = np.flatnonzero(evened > max(0.0, float(evened.mean(dtype=np.float64)) * 0.5))
        if len(places) < FEWEST_POINTS:
            break
        field = fitted(values, places[:: max(1, len(places) // FIELD_POINTS)], degree)
    return field


def fitted(values: Floats, places: NDArray[np.intp], degree: int) -> Floats:
    axes = [np.linspace(-1, 1, side) if side > 1 else np.zeros(1) for side in values.shape]
    points = [axis[place] for axis, place in zip(axes, np.unravel_index(places, values.shape), strict=True)]
    powers = powers_of(values.ndim, degree)
    table = np.stack([term(points, power) for power in powers], axis=1)
    logs = np.log(values.reshape(-1)[places].astype(np.float64))
    factors, *_ = np.linalg.lstsq(table, logs, rcond=None)
    shaped = [along(axis, one, values.ndim) for one, axis in enumerate(axes)]
    field = np.full(values.shape, -float((table @ factors).mean()), np.float32)
    for power, factor in zip(powers, factors, strict=True):
        field += np.asarray(factor * term(shaped, power), np.float32)
    limit = np.float32(np.log(MOST_FIELD))
    made: Floats = np.exp(np.clip(field, -limit, limit))
    return made


def along(values: NDArray[np.float64], axis: int, axes: int) -> NDArray[np.float64]:
    return values.reshape([-1 if one == axis else 1 for one in range(axes)])


def powers_of(axes: int, degree: int) -> list[tuple[int, ...]]:
    """Of all terms up to this degree together."""
    terms: list[tuple[int, ...]] = [()]
    for _ in range(axes):
        terms = [(*one, power) for one in terms for power in range(degree + 1)]
    return [one for one in terms if sum(one) <= degree]


def term(points: list[NDArray[np.float64]], power: tuple[int, ...]) -> NDArray[np.float64]:
    made: NDArray[np.float64] = np.ones(1)
    for place, exponent in zip(points, power, strict=True):
        made = made * place**exponent
    return made
