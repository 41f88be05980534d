"""What a member asks of a flow run, as a frozen dataclass. Refuses what the contract does not allow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..spec import SpecError, at_least, field, number, one_of, optional
from .direction import AS_RECORDED, Order
from .gradient import check_window
from .study import Refusal

KINDS = ("vortex", "fluidLine")
# Where no vorticity is asked for, its window is not looked at.
WINDOW = 5


@dataclass(frozen=True)
class Asked:
    """See `flowRunSchema` in contract/src/flow/run.ts."""

    # As it came: results repeat it.
    raw: Mapping[str, Any]
    kinds: frozenset[str]
    window: int
    fit_order: Literal[1, 3]
    density: float
    seed: int
    # Of the background; None leaves it.
    offset: int | None
    is_unwrapping: bool
    # Order and signs of the components.
    turn: tuple[Order, Order]
    mask: Literal["threshold", "file"]
    # Share of the angiogram's top; None: found.
    level: float | None
    # x, y, z from 0.
    grow: tuple[tuple[int, int, int], ...]


def read_asked(raw: Mapping[str, Any], plane: tuple[int, int]) -> Asked:
    """`plane`: y and x of the study's grid, in which the window has to find room."""
    settings, corrections, mask = (field(raw, name, dict) for name in ("settings", "corrections", "mask"))
    kinds = frozenset(field(raw, "kinds", list))
    if not kinds or not kinds <= set(KINDS):
        raise SpecError(f"run.json: kinds are {sorted(map(str, kinds))}")
    window, fit_order = WINDOW, 1
    if "vortex" in kinds:
        window, fit_order = field(settings, "vorticityCalculationWindow", int), field(raw, "fitOrder", int)
        try:
            check_window(window, fit_order, plane)
        except Refusal as refusal:
            raise SpecError(f"run.json: {refusal}") from refusal
    kind = one_of(mask, "kind", ("threshold", "file"))
    return Asked(
        raw=raw,
        kinds=kinds,
        window=window,
        fit_order=3 if fit_order == 3 else 1,
        density=number(settings, "linDensity"),
        seed=at_least(raw, "seed", 0),
        offset=offset_of(corrections),
        is_unwrapping=field(corrections, "unwrap", bool),
        turn=turn_of(optional(corrections, "turn", dict)),
        mask="file" if kind == "file" else "threshold",
        level=level_of(mask),
        grow=tuple(whole(seed) for seed in mask.get("grow", [])),
    )


def offset_of(corrections: Mapping[str, Any]) -> int | None:
    order = optional(corrections, "offset", int)
    if order is not None and not 0 <= order <= 3:
        raise SpecError(f"run.json: an offset of order {order}")
    return order


def level_of(mask: Mapping[str, Any]) -> float | None:
    if mask.get("level") is None:
        return None
    level = number(mask, "level")
    if not 0 <= level <= 1:
        raise SpecError(f"run.json: a level of {level}")
    return level


def turn_of(raw: Mapping[str, Any] | None) -> tuple[Order, Order]:
    if raw is None:
        return AS_RECORDED
    order, signs = whole(raw["order"]), whole(raw["signs"])
    if sorted(order) != [0, 1, 2] or {abs(sign) for sign in signs} != {1} or signs[0] != 1:
        raise SpecError(f"run.json: turn of order {order}, signs {signs}")
    return order, signs


def whole(raw: Any) -> tuple[int, int, int]:
    if not isinstance(raw, list) or len(raw) != 3 or not all(isinstance(one, int) for one in raw):
        raise SpecError(f"run.json: {raw!r:.80} is not three whole numbers")
    return raw[0], raw[1], raw[2]
