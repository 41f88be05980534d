"""What an application has done so far, a line an item: an attempt that breaks off is gone on with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..tasks.result import ItemResult
from .applier import Told


class Journal:
    """Lines are appended after the files that they speak of are whole; a broken last line never was."""

    def __init__(self, folder: Path, found: Path, path: Path) -> None:
        self._folder = folder
        self._found = found
        self._path = path
        self.told: dict[str, Told] = {}
        # Id to the reason why nothing can be said.
        self.bad: dict[str, str] = {}
        self._load()
        self._file = path.open("ab")

    def __len__(self) -> int:
        return len(self.told) + len(self.bad)

    def __contains__(self, item: str) -> bool:
        return item in self.told or item in self.bad

    def add(self, item: str, answer: Told | str) -> None:
        """What was told of an item, or why nothing was."""
        is_bad = isinstance(answer, str)
        line = {"id": item, "bad": answer} if is_bad else {"id": item, "told": asdict(answer)}
        self._file.write(json.dumps(line, allow_nan=False).encode() + b"\n")
        self._file.flush()
        self._take(item, answer)

    def close(self) -> None:
        self._file.close()

    def _take(self, item: str, answer: Told | str) -> None:
        if isinstance(answer, str):
            self.bad[item] = answer
        else:
            self.told[item] = answer

    def _load(self) -> None:
        written = self._path.read_bytes() if self._path.exists() else b""
        whole = written[: written.rfind(b"\n") + 1]
        self._path.write_bytes(whole)
        for line in whole.splitlines():
            raw: dict[str, Any] = json.loads(line)
            answer = raw["bad"] if "bad" in raw else told_of(raw["told"])
            if isinstance(answer, str) or self._has_files(answer):
                self._take(raw["id"], answer)

    def _has_files(self, told: Told) -> bool:
        files = [self._found / told.file] if told.file else []
        pictures = (told.result.overlay, told.result.plain, told.result.whole)
        files += [self._folder / picture for picture in pictures if picture]
        return all(file.exists() for file in files)


def told_of(raw: Mapping[str, Any]) -> Told:
    return Told(ItemResult(**raw["result"]), raw["rows"], raw["file"], raw["detail"])
