"""File names for what people take away."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def entry_names(names: Iterable[str], ending: str) -> list[str]:
    """File names for an archive: the user's own, without folders, each once, with another ending."""
    used: set[str] = set()
    out = []
    for name in names:
        stem = Path(name.replace("\\", "/")).stem.strip(". ") or "item"
        stem = "".join(
            letter if letter.isprintable() and letter not in '<>:"|?*' else "_" for letter in stem
        )[:120]
        unique, number = stem, 2
        while unique.lower() in used:
            unique, number = f"{stem}-{number}", number + 1
        used.add(unique.lower())
        out.append(unique + ending)
    return out
