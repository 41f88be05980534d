"""Which images go through a network together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby


def same_size_chunks(sizes: Sequence[tuple[int, int]], rows: Sequence[int], pixels: int) -> list[list[int]]:
    """Rows of equal image size, together at most so many pixels, but at least one row."""
    chunks: list[list[int]] = []
    for (height, width), same in groupby(sorted(rows, key=lambda row: (sizes[row], row)), lambda r: sizes[r]):
        members, count = list(same), max(1, pixels // (height * width))
        chunks += [members[start : start + count] for start in range(0, len(members), count)]
    return chunks
