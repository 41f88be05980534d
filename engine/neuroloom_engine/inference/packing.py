"""One archive of what was made of each item."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..names import entry_names
from ..spec import Item
from .applier import Told


def names_of(items: Iterable[Item], ending: str) -> dict[str, str]:
    """Id of each item to its name in the archive and in the table."""
    chosen = list(items)
    names = (item.name.removesuffix(".gz") for item in chosen)
    return dict(zip((item.id for item in chosen), entry_names(names, ending), strict=True))


def pack(
    path: Path, folder: Path, told: Sequence[tuple[Item, Told]], names: dict[str, str]
) -> list[tuple[str, Path]]:
    """Already compressed files are stored as they are; a fixed date keeps equal results equal to the byte."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for item, one in told:
            assert one.file is not None
            entry = zipfile.ZipInfo(names[item.id], (1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, (folder / one.file).read_bytes())
    return [(path.stem + "_zip", path)]
