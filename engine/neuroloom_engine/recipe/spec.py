"""The `prepare` run folder as a frozen dataclass. Refuses what the contract does not allow, opens no data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..spec import SpecError, at_least, field, optional, read_json, safe_name


@dataclass(frozen=True)
class PrepareFile:
    id: str
    paths: tuple[Path, ...]
    # As members call them: for new names and for texts that tell of them, never a path to open.
    names: tuple[str, ...]
    is_mask: bool
    # Of a mask, the width and height of its image.
    expect: tuple[int, int] | None
    # What makes a mask fit its image, one after the other.
    repairs: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class PrepareSpec:
    folder: Path
    kind: Literal["prepare"]
    attempt: int
    max_pixels: int
    memory_bytes: int
    work: Mapping[str, Any]
    files: tuple[PrepareFile, ...]

    @property
    def out(self) -> Path:
        return self.folder / "out"


def read_prepare(folder: Path) -> PrepareSpec:
    raw = read_json(folder / "run.json")
    if raw.get("v") != 1:
        raise SpecError(f"run.json: v is {raw.get('v')!r}, this engine reads 1")
    return PrepareSpec(
        folder=folder,
        kind="prepare",
        attempt=field(raw, "attempt", int),
        max_pixels=field(raw, "maxPixels", int),
        memory_bytes=field(raw, "memoryBytes", int),
        work=field(raw, "work", dict),
        files=tuple(file_of(folder, file) for file in field(raw, "files", list)),
    )


def file_of(folder: Path, raw: Mapping[str, Any]) -> PrepareFile:
    paths = tuple(folder / str(path) for path in field(raw, "paths", list))
    names = tuple(str(name) for name in field(raw, "names", list))
    if not paths or len(paths) != len(names):
        raise SpecError(f"files: {len(paths)} paths and {len(names)} names")
    expect = optional(raw, "expect", dict)
    repairs = optional(raw, "repairs", list) or []
    return PrepareFile(
        id=safe_name(field(raw, "id", str)),
        paths=paths,
        names=names,
        is_mask=field(raw, "isMask", bool),
        expect=None if expect is None else (at_least(expect, "width", 1), at_least(expect, "height", 1)),
        repairs=tuple(repairs),
    )
