"""Does with one file what was done with those that a network learned from.

Goes along with the programs that people take away (`contract/src/recipes/carried.ts`).
Needs numpy and Pillow alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..data.images import MAX_PIXELS, BadFile
from .files import read_frames, write_frame
from .frame import Trouble
from .steps import MASKS, Recipe, parse_recipe, prepare

# Tiles are of training alone, and some steps of masks (contract: `replayOf`).
OF_TRAINING = ("tiles", *MASKS)


def replayed(raw: Mapping[str, Any]) -> Recipe:
    return [step for step in parse_recipe(raw) if step["do"] not in OF_TRAINING]


def replay(recipe: Recipe, path: Path, made: Path, max_pixels: int = MAX_PIXELS) -> Path:
    """Writes what the recipe makes of the file."""
    try:
        frame, *others = read_frames(path, False, max_pixels)
        if others:
            raise Trouble("several_pictures", count=len(others) + 1)
        frame = next(iter(prepare(recipe, frame)))
    except Trouble as error:
        raise BadFile("not_prepared") from error
    write_frame(frame, made)
    return made
