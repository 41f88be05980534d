"""Prints the protocol's events as JSON lines on a private copy of standard output.

Decides nothing about a run.
"""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections.abc import Mapping
from typing import Any

VERSION = 1


class Emitter:
    """Numbers and writes events.

    A closed output is remembered and not an error: the run must still save itself.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._seq = 0
        self.is_closed = False

    def emit(self, kind: str, /, **fields: Any) -> None:
        with self._lock:
            event = {"v": VERSION, "seq": self._seq, "t": now_ms(), "type": kind, **finite(fields)}
            self._seq += 1
            self._write(event)

    def ready(self) -> None:
        self._write({"v": VERSION, "type": "ready"})

    def _write(self, event: Mapping[str, Any]) -> None:
        if self.is_closed:
            return
        data = (json.dumps(event, allow_nan=False, separators=(",", ":")) + "\n").encode()
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            self.is_closed = True


def private_stdout() -> Emitter:
    """Keeps descriptor 1 for events and points standard output at standard error, so that no print can
    break a line.
    """
    descriptor = os.dup(1)
    os.dup2(2, 1)
    return Emitter(descriptor)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def finite(value: Any) -> Any:
    """The same tree with numbers that JSON does not know replaced by null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value
