"""How much of the time that passed others had the processor: read from Linux, thread by thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TASKS = Path("/proc/self/task")
NANO = 1e-9


@dataclass(frozen=True)
class Spent:
    """Seconds that threads computed, and that they could have computed while others had the cores."""

    computed: float
    waited: float


class Usage:
    """Counts from when it was made."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, spent: Callable[[], Spent] | None = None
    ) -> None:
        self._clock = clock
        self._spent = spent or spent_by_threads
        self._began = clock()
        self._before = self._spent()

    def slowdown(self) -> float:
        """How many times longer it took than it would have alone."""
        return max(1.0, (self._clock() - self._began) / max(1e-3, self.quiet_seconds()))

    def quiet_seconds(self) -> float:
        """What the same would have taken with the cores to itself.

        Threads wait for each other besides, but that only stretches with the rest: of the time that passed,
        the share in which threads that could compute did so.
        """
        now = self._spent()
        computed = max(0.0, now.computed - self._before.computed)
        waited = max(0.0, now.waited - self._before.waited)
        passed = self._clock() - self._began
        return passed * computed / (computed + waited) if computed > 0 else passed


def spent_by_threads() -> Spent:
    """Of all threads that are there; nothing where the system does not tell (none but Linux does)."""
    computed = waited = 0
    for task in TASKS.iterdir() if TASKS.is_dir() else ():
        try:
            numbers = (task / "schedstat").read_text().split()
            computed += int(numbers[0])
            waited += int(numbers[1])
        except (OSError, ValueError, IndexError):
            # A thread that ended since it was listed.
            continue
    return Spent(computed * NANO, waited * NANO)
