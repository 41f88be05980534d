"""What an attempt has finished, for the one after it: arrays and words, known by what they were made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..spec import SpecError
from .stored import read_arrays, write_arrays
from .study import Values


class Stages:
    """Below one folder. `key` is a digest of all that the stages depend on: others are not taken."""

    def __init__(self, folder: Path, key: str) -> None:
        self._folder = folder
        self._key = key

    def keep(self, name: str, told: Mapping[str, Any], arrays: Mapping[str, Values]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        body = json.dumps({"key": self._key, "told": dict(told)}, allow_nan=True)
        words = {"body": body, "sha256": digest_of(body, arrays)}
        write_arrays(self._path(name), arrays, words)

    def kept(self, name: str) -> tuple[dict[str, Any], dict[str, Values]] | None:
        """None where there is no such stage, it was made of something else, or a byte is not as written."""
        try:
            arrays, words = read_arrays(self._path(name))
            if words["sha256"] != digest_of(words["body"], arrays):
                return None
            body = json.loads(words["body"])
        except (OSError, SpecError, KeyError, ValueError):
            return None
        return (body["told"], arrays) if body["key"] == self._key else None

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.safetensors"


def digest_of(body: str, arrays: Mapping[str, Values]) -> str:
    digest = hashlib.sha256(body.encode())
    for name, values in arrays.items():
        digest.update(name.encode())
        for part in values:
            digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()
