"""Pieces and holes of a mask, by runs: equal pixels of a row are one thing, joined with those beside it.

Needs numpy alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Pieces:
    """What hangs together: by corners too (8 neighbours, 26 in a volume), or by edges and faces (4, 6)."""

    shape: tuple[int, ...]
    # Of each run: its row, counted through all slices, its first column and the one behind its last.
    rows: Whole
    starts: Whole
    ends: Whole
    # Of each run, to which piece it belongs.
    numbers: Whole
    # Of each piece, in the order of their first pixels.
    sizes: Whole

    @property
    def count(self) -> int:
        return len(self.sizes)

    def painted(self, wanted: Bools) -> Bools:
        """The pixels of those pieces for which `wanted` holds."""
        chosen = wanted[self.numbers]
        width = self.shape[-1]
        edges = np.zeros((int(np.prod(self.shape[:-1])), width + 1), np.int8)
        edges[self.rows[chosen], self.starts[chosen]] = 1
        edges[self.rows[chosen], self.ends[chosen]] = -1
        return np.cumsum(edges[:, :-1], axis=1, dtype=np.int8).astype(np.bool_).reshape(self.shape)

    def inner(self) -> Bools:
        """Of each piece, whether it touches no edge of the picture, no face of the volume."""
        touching = (self.starts == 0) | (self.ends == self.shape[-1])
        row = self.rows
        for side in reversed(self.shape[:-1]):
            # A volume of one slice has no faces there.
            if side > 1:
                touching |= (row % side == 0) | (row % side == side - 1)
            row = row // side
        is_inner = np.ones(self.count, np.bool_)
        is_inner[self.numbers[touching]] = False
        return is_inner


def pieces_of(mask: Bools, by_corners: bool = True) -> Pieces:
    height = int(np.prod(mask.shape[:-1]))
    edges = np.diff(mask.reshape(height, -1).astype(np.int8), axis=1, prepend=0, append=0)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    first, second = touching_runs(mask.shape, (rows, starts, ends), by_corners)
    roots, numbers = np.unique(joined(len(rows), first, second), return_inverse=True)
    sizes = np.bincount(numbers, ends - starts, len(roots)).astype(np.int64)
    return Pieces(mask.shape, rows, starts, ends, numbers, sizes)


def holes_of(mask: Bools) -> Bools:
    """What is not marked and cannot reach the edge of the picture: all around it is the mask."""
    outside = pieces_of(~mask, by_corners=False)
    return outside.painted(outside.inner())


def touching_runs(
    shape: tuple[int, ...], runs: tuple[Whole, Whole, Whole], by_corners: bool
) -> tuple[Whole, Whole]:
    """Pairs of runs in rows next to each other that share columns, or a corner."""
    rows, starts, ends = runs
    # Columns of all rows one behind the other, with room between rows.
    stride = shape[-1] + 2
    reach = int(by_corners)
    first_keys, last_keys = rows * stride + starts, rows * stride + ends
    pairs: list[tuple[Whole, Whole]] = []
    for up, back in steps_between_rows(len(shape), by_corners):
        row_of, slice_of = rows % shape[-2], rows // shape[-2]
        is_there = (row_of + up >= 0) & (row_of + up < shape[-2]) & (slice_of + back >= 0)
        own = np.flatnonzero(is_there)
        base = (rows[own] + up + back * shape[-2]) * stride
        low = np.searchsorted(last_keys, base + starts[own] - reach, "right")
        high = np.searchsorted(first_keys, base + ends[own] + reach, "left")
        count = np.maximum(high - low, 0)
        before = np.cumsum(count) - count
        others = np.arange(int(count.sum())) + np.repeat(low - before, count)
        pairs.append((np.repeat(own, count), others))
    return np.concatenate([one for one, _ in pairs]), np.concatenate([other for _, other in pairs])


def steps_between_rows(axes: int, by_corners: bool) -> list[tuple[int, int]]:
    """To rows that come earlier, as (row, slice)."""
    if axes == 2:
        return [(-1, 0)]
    return [(-1, 0), (0, -1), *([(-1, -1), (1, -1)] if by_corners else [])]


def joined(count: int, first: Whole, second: Whole) -> Whole:
    """Of each thing the smallest number that it is joined with, over however many others."""
    parent = np.arange(count)
    while True:
        low = np.minimum(parent[first], parent[second])
        np.minimum.at(parent, parent[first], low)
        np.minimum.at(parent, parent[second], low)
        while not np.array_equal(parent, parent[parent]):
            parent = parent[parent]
        apart = parent[first] != parent[second]
        if not apart.any():
            return parent
        first, second = first[apart], second[apart]
