"""FCOS and CenterNet learn from drawn boxes; a wrong target, loss or decoder leaves nothing found."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

from neuroloom_engine.failures import DONE

from .make import Json, of_type, run_here
from .make_boxes import detector_plan, make_detection

PLANS = {
    "fcos": (("cls", "box", "ctr"), 2),
    "centernet": (("heat", "size", "offset"), 1),
}
# After these epochs three seeds gave 0.77 to 0.86.
EPOCHS, LEAST = 30, 0.6
# With its first weights a network finds so much at most.
MOST_BY_CHANCE = 0.1


class StylesLearnTest(unittest.TestCase):
    def trained(self, style: str, **changes: Any) -> tuple[list[float], float]:
        """The loss of each epoch, and the last mean average precision at an overlap of a half."""
        ports, levels = PLANS[style]
        with tempfile.TemporaryDirectory() as parent:
            plan = detector_plan(ports, levels)
            folder = make_detection(Path(parent) / "run", 60, plan=plan, augment=False, **changes)
            code, events = run_here(folder)
        self.assertEqual(code, DONE, of_type(events, "error"))
        metrics: list[Json] = of_type(events, "metrics")
        losses = [event["values"]["loss"] for event in metrics if event["split"] == "train"]
        return losses, events[-1]["metrics"]["map50"]

    def test_losses_fall_and_shapes_are_found(self) -> None:
        for style in PLANS:
            with self.subTest(style):
                losses, found = self.trained(
                    style, epochs=EPOCHS, validationInterval=EPOCHS, learningRate=0.02
                )
                self.assertLess(losses[-1], losses[0] / 2)
                self.assertGreaterEqual(found, LEAST)

    def test_nothing_is_found_without_learning(self) -> None:
        for style in PLANS:
            with self.subTest(style):
                _, found = self.trained(style, epochs=1, learningRate=1e-6)
                self.assertLess(found, MOST_BY_CHANCE)
