"""Random changes of training as they are shown: the same numbers as in training, each change by itself."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from neuroloom_engine.data.changes import CHANGES
from neuroloom_engine.varied import vary

from .make import edit_spec, make_plan, make_run, write_json
from .make_boxes import make_detection
from .make_pairs import make_pairs_run
from .make_volumes import draw_ball, make_volume_run, volume_nodes

OF_IMAGES = {"mirror", "turn", "zoom", "shift", "contrast", "brightness"}
# Each task with all that it makes of an image.
MADE = {
    "classification": OF_IMAGES,
    "segmentation": {"pose", "contrast", "brightness", "slope"},
    "detection": OF_IMAGES - {"turn"} | {"stretch"},
    "volume_segmentation": OF_IMAGES - {"shift"} | {"noise"},
    "denoising": {"pose"},
}


def make(folder: Path, task: str) -> Path:
    if task == "detection":
        return make_detection(folder, 6)
    if task == "volume_segmentation":
        items = [draw_ball(folder, str(index), (10, 24, 22)) for index in range(3)]
        plan = make_plan("segmentation", volume_nodes(2), size=16, axes=3)
        return make_volume_run(folder, items, plan, imageSize=[16, 16], depth=8)
    if task == "denoising":
        return make_pairs_run(folder, task)
    return make_run(folder, task, 6)


class VariedTest(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def made(self, task: str) -> Path:
        folder = self.folder / task
        folder.mkdir()
        return make(folder, task)

    def ask(self, folder: Path, changes: set[str] | frozenset[str], seed: int = 3) -> list[dict[str, Any]]:
        question = {"changes": sorted(changes), "seed": seed, "side": 96, "memoryBytes": 4 << 30}
        write_json(folder / "vary.json", question)
        vary(folder)
        return json.loads((folder / "varied.json").read_text())["samples"]

    def test_each_change_of_a_task_shows_by_itself_and_no_other_does(self) -> None:
        for task, made in MADE.items():
            folder = self.made(task)
            for change in sorted(CHANGES):
                with self.subTest(task=task, change=change):
                    # A mirror or a pose may be drawn as none, so several draws are looked at.
                    asked = [one for seed in range(4) for one in self.ask(folder, {change}, seed)]
                    self.assertTrue(all(one["reason"] is None for one in asked))
                    differs = any(one["before"] != one["after"] for one in asked)
                    self.assertEqual(differs, change in made)

    def test_the_same_draw_shows_the_same_and_another_shows_another(self) -> None:
        folder = self.made("segmentation")
        first = self.ask(folder, CHANGES)
        self.assertEqual(self.ask(folder, CHANGES), first)
        self.assertNotEqual(self.ask(folder, CHANGES, seed=4), first)
        self.assertEqual({mark for one in first for mark in one["marks"]}, {1})

    def test_without_variation_nothing_is_changed(self) -> None:
        folder = self.made("detection")
        run = json.loads((folder / "run.json").read_text())
        edit_spec(folder, hyper=run["hyper"] | {"augment": False})
        self.assertTrue(all(one["before"] == one["after"] for one in self.ask(folder, CHANGES)))

    def test_an_image_that_cannot_be_read_is_told_in_its_place(self) -> None:
        folder = self.made("segmentation")
        (folder / "data" / "images" / "1.png").write_bytes(b"no picture")
        asked = self.ask(folder, CHANGES)
        self.assertEqual([one["reason"] for one in asked], [None, "not_an_image", None, None, None, None])
