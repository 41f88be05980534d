"""A recipe: steps by their names, done one after the other, or only foreseen from a file's size and kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..spec import SpecError, field, number, one_of
from . import cleaning, geometry, tones
from .frame import Frame, Trouble
from .mask_steps import MASK_STEPS

Step = Mapping[str, Any]
Recipe = Sequence[Step]
Work = Callable[[Frame, Any], Frame]

MOVES: Mapping[str, Work] = {
    "size": geometry.size,
    "crop": geometry.crop,
    "pad": geometry.pad,
    "rotate": geometry.rotate,
    "flip": geometry.flip,
}
# Of images alone: a mask's numbers are no brightness.
TONES: Mapping[str, Work] = {
    "grey": tones.grey,
    "clahe": tones.clahe,
    "window": tones.window,
    "normalise": tones.normalise,
    "denoise": cleaning.denoise,
    "bias": cleaning.bias,
}
MASKS: Mapping[str, Work] = {"index": tones.index, **MASK_STEPS}
NAMES = (*MOVES, *TONES, *MASKS, "tiles")


def parse_recipe(raw: Mapping[str, Any]) -> Recipe:
    if raw.get("v") != 1:
        raise SpecError(f"recipe: v is {raw.get('v')!r}, this engine reads 1")
    steps = field(raw, "steps", list)
    for step in steps:
        one_of(step, "do", NAMES)
    return steps


def prepare(recipe: Recipe, frame: Frame, image: Frame | None = None) -> Iterator[Frame]:
    """What becomes of a picture; tiles, which come last, make several of it.

    A mask is cut as its image is, which goes along with it.
    """
    for given in recipe:
        step = given
        if geometry.is_to_content(dict(given)):
            if frame.is_mask and image is None:
                raise Trouble("crop_alone")
            step = geometry.content_crop(image or frame, dict(given))
        name = str(step["do"])
        if image is not None and name != "tiles":
            image = one_step(name, image, step)
        if name == "tiles":
            yield from geometry.tiles(frame, step)  # type: ignore[arg-type]
            return
        frame = one_step(name, frame, step)
    yield frame


def one_step(name: str, frame: Frame, step: Step) -> Frame:
    if name in MOVES:
        return MOVES[name](frame, step)
    if name in TONES:
        return frame if frame.is_mask else TONES[name](frame, step)
    return MASKS[name](frame, step) if frame.is_mask else frame


@dataclass(frozen=True)
class Head:
    """What is known of a picture without opening it."""

    width: int
    height: int
    channels: int
    is_volume: bool
    is_mask: bool


def foresee(recipe: Recipe, head: Head) -> None:
    """Raises the trouble that the picture will meet, as far as its size and its kind tell."""
    for step in recipe:
        if geometry.is_to_content(dict(step)):
            # What is left of it only a look tells.
            return
        head = foreseen(str(step["do"]), head, dict(step))


def foreseen(name: str, head: Head, step: dict[str, Any]) -> Head:
    before = (head.width, head.height)
    match name:
        case "size":
            inner = geometry.inner_size(step, before)
            width, height = geometry.sides_of(step) if step.get("how") == "filled" else inner
            return replace(head, width=width, height=height)
        case "crop":
            _, _, width, height = geometry.crop_box(step, before)
            return replace(head, width=width, height=height)
        case "pad":
            width, height = geometry.sides_of(step)
            return replace(head, width=max(width, head.width), height=max(height, head.height))
        case "rotate":
            degrees = number(step, "degrees")
            geometry.refuse_turn(degrees, head.is_volume)
            return replace(head, width=head.height, height=head.width) if degrees % 180 == 90 else head
        case "grey":
            return head if head.is_mask else replace(head, channels=1)
        case "normalise" if step.get("how") == "zscore" and not head.is_mask:
            tones.refuse_floats((0,) * (2 if head.channels == 1 else 3), head.is_volume)
            return head
        case "index" if head.is_mask and head.is_volume:
            raise Trouble("volume_colours")
        case "tiles":
            geometry.refuse_tiles(before, step, head.is_volume)
            return head
        case _:
            return head
