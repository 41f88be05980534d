"""Which images go through a network together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

# Halves of a batch run side by side, so two go together wherever both are no more than one picture may be.
PAIR_PIXELS = 1024**2


def count_together(pixels: int, most: int) -> int:
    """How many images of so many pixels go through a network at once: at most `most` pixels, or two."""
    return max(2 if pixels <= PAIR_PIXELS else 1, most // pixels)


def same_size_chunks(sizes: Sequence[tuple[int, int]], rows: Sequence[int], pixels: int) -> list[list[int]]:
    """Rows of equal image size, as many as go together."""
    chunks: list[list[int]] = []
    for (height, width), same in groupby(sorted(rows, key=lambda row: (sizes[row], row)), lambda r: sizes[r]):
        members, count = list(same), count_together(height * width, pixels)
        chunks += [members[start : start + count] for start in range(0, len(members), count)]
    return chunks
