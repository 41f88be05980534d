"""What people take along, run as they run it on files: networks of every task, and every way of detection."""

from __future__ import annotations

from . import test_example_runs as taken


class EveryTaskTakenAlongTest(taken.TakenAlongTest):
    names = tuple(taken.MADE)
