"""How fast a training gets on, and so how long it still takes.

Counts seconds; knows no network and no data.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

# Steps that are looked at: enough that single slow ones do not tell, few enough that a new load soon does.
LOOKED_AT = 50
# Before the first step things are set up once: memory, kernels, threads.
FIRST_STEPS = 2
# Of the steps looked at, the quickest and the slowest do not count: a checkpoint was written, or others
# had the cores.
LEFT_OUT = 0.2
# Checking computes forwards only, a step also the gradients of all layers and weights; but it also measures.
CHECK_SHARE = 0.5
# Writing the weights and the files for other programs, on two cores.
ENDING_SECONDS = 2.0


@dataclass(frozen=True)
class Left:
    """What is left of a run: steps, looks at all items kept for checking, looks at a fold's test side."""

    steps: int
    checks: int = 0
    tests: int = 0


class Pace:
    """Told when steps and checks are over; only the time within an epoch counts for steps."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, slowdown: Callable[[], float] = lambda: 1.0
    ) -> None:
        """`slowdown`: how many times longer things take than alone, as which the ending is reckoned."""
        self._clock = clock
        self._slowdown = slowdown
        self._since = clock()
        self._seen = 0
        self._steps: deque[float] = deque(maxlen=LOOKED_AT)
        self._items: deque[int] = deque(maxlen=LOOKED_AT)
        self._check_seconds: float | None = None
        self._check_items = 0
        self._test_items = 0

    def begin_fold(self, check_items: int, test_items: int) -> None:
        """Before a fold: how many items checks look at, and how many its test side holds."""
        self._check_items, self._test_items = check_items, test_items

    def begin(self) -> None:
        """Before the steps of an epoch, and before a check: what lies between counts for neither."""
        self._since = self._clock()

    def step(self, items: int) -> None:
        """A step is over."""
        now = self._clock()
        self._seen += 1
        if self._seen == FIRST_STEPS + 1:
            self._steps.clear()
            self._items.clear()
        self._steps.append(now - self._since)
        self._items.append(items)
        self._since = now

    def checked(self) -> None:
        """A check is over, with everything that is done for it."""
        self._check_seconds = self._clock() - self._since

    @property
    def step_seconds(self) -> float:
        """Of an ordinary step lately."""
        ordered = sorted(self._steps)
        cut = int(len(ordered) * LEFT_OUT)
        kept = ordered[cut : len(ordered) - cut]
        return sum(kept) / max(1, len(kept))

    @property
    def items_per_second(self) -> float:
        """0 before a second step has told."""
        if self._seen < 2:
            return 0.0
        return sum(self._items) / len(self._items) / max(1e-6, self.step_seconds)

    def seconds_left(self, left: Left) -> float:
        """All steps, checks, tests and the ending.

        Before the first check has told, checks are reckoned by the steps.
        """
        check = self._check_seconds
        if check is None:
            an_item = self.step_seconds / max(1.0, sum(self._items) / max(1, len(self._items)))
            check = CHECK_SHARE * an_item * self._check_items
        test = check * self._test_items / max(1, self._check_items)
        ending = ENDING_SECONDS * self._slowdown()
        return left.steps * self.step_seconds + left.checks * check + left.tests * test + ending


def checks_left(epoch: int, epochs: int, interval: int) -> int:
    """Of a fold whose epoch `epoch` is not over: every so many epochs, and after the last one."""
    due = epochs // interval - (epoch - 1) // interval
    return due + (1 if epochs % interval else 0)
