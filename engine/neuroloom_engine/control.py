"""Hears what the outside wants of a run: commands on standard input, signals, the folder lock.

Never touches data.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from .events import Emitter
from .failures import DONE, STOPPED, RunFailure, Stopped

LOCK_WAIT_SECONDS = 30.0


class Control:
    """One per process. `check()` between steps raises `Stopped` once a stop was asked for."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        # The member ended the run, rather than the parent leaving it for another attempt.
        self.is_final = False
        self._folder: Path | None = None
        self._attempt = 0

    def watch(self, folder: Path, attempt: int) -> None:
        """Starts to listen; called once the run's folder is known."""
        self._folder, self._attempt = folder, attempt
        threading.Thread(target=self._read_commands, name="commands", daemon=True).start()

    def watch_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._handle_signal)

    def stop(self) -> None:
        self._stop.set()

    @property
    def is_stopping(self) -> bool:
        return self._stop.is_set()

    def check(self) -> None:
        if self._stop.is_set():
            raise Stopped

    def is_superseded(self) -> bool:
        """True when a newer attempt has laid out the same folder: then nothing may be written any more."""
        if self._folder is None:
            return False
        try:
            spec = json.loads((self._folder / "run.json").read_bytes())
        except (OSError, ValueError):
            return False
        return isinstance(spec, dict) and int(spec.get("attempt", 0)) > self._attempt

    def _handle_signal(self, number: int, frame: FrameType | None) -> None:
        if self._folder is None:
            os._exit(STOPPED)
        self.stop()

    def _read_commands(self) -> None:
        while line := sys.stdin.buffer.readline():
            if parse_command(line).get("command") == "stop":
                self.is_final = True
                self.stop()
        if self.is_superseded():
            os._exit(STOPPED)
        self.stop()


def parse_command(line: bytes) -> dict[str, str]:
    """A command line as a dictionary; anything else as an empty one."""
    try:
        command = json.loads(line)
    except ValueError:
        return {}
    return command if isinstance(command, dict) else {}


def answer_folders(emitter: Emitter, answer: Callable[[Path], str | None]) -> int:
    """Folder after folder until the input closes; `answer` says why one failed, which costs no other."""
    emitter.ready()
    for line in sys.stdin.buffer:
        folder = parse_command(line).get("folder")
        if isinstance(folder, str):
            emitter.emit("looked", folder=folder, code=answer(Path(folder)))
    return DONE


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds `<folder>/lock`, so that two attempts never write at once; an ended process holds nothing."""
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    deadline = time.monotonic() + LOCK_WAIT_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise RunFailure(
                    "internal", {"reason": "another attempt still writes in this folder"}
                ) from None
            time.sleep(0.05)
    try:
        yield
    finally:
        os.close(descriptor)
