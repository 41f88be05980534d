"""What JSON beside a file says: unit, VENC, direction, times, beat, maker. Keys of BIDS, of dcm2niix and of
habit."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .found import Clock, File, Meaning, unreadable
from .naming import LETTERS, as_venc

MOST_BYTES = 4_000_000
VENDORS = (("siemens", "siemens"), ("philips", "philips"), ("ge ", "ge"), ("united", "united_imaging"))
UNITS = {
    **dict.fromkeys(("m/s", "ms-1", "m_s", "mps"), "m/s"),
    **dict.fromkeys(("cm/s", "cms-1", "cm_s", "cmps"), "cm/s"),
    **dict.fromkeys(("mm/s", "mms-1", "mm_s", "mmps"), "mm/s"),
    **dict.fromkeys(("rad", "radian", "radians"), "phase"),
}
VENC_KEYS = ("venc", "velocityencoding", "encodingvelocity", "velocityencodingmaximumvalue", "maxvelocity")
DIRECTION_KEYS = (
    "direction",
    "velocitydirection",
    "encodingdirection",
    "flowencodingdirection",
    "flowdirection",
)
TIME_KEYS = ("times", "timepoints", "frametimes", "triggertimes", "cardiactimes")
PERIOD_KEYS = ("period", "rrinterval", "rr", "nominalinterval", "cardiaccycle", "beat")
AXES = ("+x", "+y", "+z")


@dataclass(frozen=True)
class Sidecar:
    # Keys in small letters, without what parts words.
    values: Mapping[str, Any]

    def first(self, names: tuple[str, ...]) -> tuple[Any, str]:
        """A value and the unit behind its key: `venc_cm_s` is `venccms`, with the unit `cms`."""
        for name in names:
            for unit in ("", "cms", "ms", "mms", "s", "seconds", "milliseconds", "mps"):
                if (value := self.values.get(name + unit)) is not None:
                    return value, unit
        return None, ""

    @property
    def vendor(self) -> str | None:
        maker = str(self.values.get("manufacturer", "")).lower() + " "
        return next((vendor for word, vendor in VENDORS if maker.startswith(word)), None)

    @property
    def step(self) -> float | None:
        """Seconds from frame to frame."""
        value, unit = self.first(("dt", "temporalresolution", "frametime"))
        return seconds(value, unit)

    def meaning(self, known: Meaning, component: int) -> Meaning:
        """What the names say, unless this says it better."""
        unsure = set(known.unsure)
        unit = UNITS.get(
            str(self.first(("units", "unit", "velocityunit", "velocityunits"))[0]).lower().strip()
        )
        value, key = self.first(VENC_KEYS)
        if isinstance(value, list) and len(value) == 3:
            axis = AXES.index(known.direction) if known.direction in AXES else component
            value = value[axis]
        venc, is_sure = venc_of(value, key)
        # A number of the size that fits the unit beside it.
        is_sure = is_sure or (unit == "m/s" and venc == value)
        direction = direction_of(self.first(DIRECTION_KEYS)[0])
        if venc is not None:
            unsure -= {"venc"}
            unsure |= set() if is_sure else {"venc"}
        if direction is not None:
            unsure -= {"direction"}
        return replace(
            known,
            direction=direction or known.direction,
            unit=unit or known.unit,
            venc=venc or known.venc,
            unsure=frozenset(unsure),
        )

    def clock(self, known: Clock, frames: int) -> Clock:
        value, unit = self.first(TIME_KEYS)
        times = times_of(value, unit, frames)
        if times is None and known.times is None and self.step is not None:
            times = tuple(i * self.step for i in range(frames))
        period = seconds(*self.first(PERIOD_KEYS))
        rate = number(self.first(("heartrate", "heartratebpm", "bpm"))[0])
        if period is None and rate is not None and 20 <= rate <= 300:
            period = 60 / rate
        words = str(self.values.get("gating", self.values.get("cardiacgating", ""))).lower()
        gating = next((kind for kind in ("retrospective", "prospective") if kind[:5] in words), known.gating)
        return Clock(times or known.times, period or known.period, gating)


NOTHING = Sidecar({})


def read_sidecar(file: File) -> Sidecar:
    if file.path.stat().st_size > MOST_BYTES:
        raise unreadable(file.name, "too_large")
    try:
        raw = json.loads(file.path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise unreadable(file.name, "damaged") from error
    if not isinstance(raw, dict):
        raise unreadable(file.name, "unknown_format")
    return Sidecar({re.sub(r"[^a-z]", "", str(key).lower()): value for key, value in raw.items()})


def number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None


def venc_of(value: Any, key: str) -> tuple[float | None, bool]:
    told = number(value)
    if told is None or told <= 0:
        return None, False
    return as_venc(told, {"cms": "cm/s", "ms": "m/s", "mps": "m/s", "mms": "mm/s"}.get(key))


def direction_of(value: Any) -> str | None:
    text = str(value).strip()
    if text.lower() in LETTERS:
        return LETTERS[text.lower()]
    found = re.fullmatch(r"([+-]?)([xyz])", text.lower())
    return f"{found[1] or '+'}{found[2]}" if found else None


def seconds(value: Any, unit: str) -> float | None:
    """Milliseconds where the key or the size says so: no beat takes 10 s, none less than 10 ms."""
    told = number(value)
    if told is None or told <= 0:
        return None
    is_milli = unit in ("ms", "milliseconds") or (unit == "" and told > 10)
    return told / 1000 if is_milli else told


def times_of(value: Any, unit: str, frames: int) -> tuple[float, ...] | None:
    """Null unless there are as many as frames, and each is later than the one before."""
    if not isinstance(value, list) or len(value) != frames:
        return None
    told = [number(one) for one in value]
    times = [one for one in told if one is not None]
    if len(times) != frames or any(
        later <= earlier for earlier, later in zip(times, times[1:], strict=False)
    ):
        return None
    is_milli = unit in ("ms", "milliseconds") or (unit == "" and times[-1] > 10)
    return tuple(one / 1000 if is_milli else one for one in times)
