"""Parts with one class or one patient train and are tested, and a run says what that cannot show."""

from __future__ import annotations

import json
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

from neuroloom_engine.data.split import split
from neuroloom_engine.failures import DONE
from neuroloom_engine.spec import Validation

from .make import Json, edit_spec, make_run, of_type, run_here, write_json
from .test_data import make_items

GIVEN: Json = {"method": "given", "seed": 3}


class ScarceTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def warnings_of(self, task: str, told: Callable[[int], Json]) -> list[str]:
        """Of a training on drawn items that `told` gives to parts and patients, tested afterwards."""
        changes: Json = {"epochs": 1, "validation": GIVEN, "classWeights": True}
        folder = make_run(self.folder / task, task, 12, **changes)
        manifest = json.loads((folder / "manifest.json").read_text())
        items = [item | told(index) for index, item in enumerate(manifest["items"])]
        write_json(folder / "manifest.json", manifest | {"items": items})
        code, events = run_here(folder)
        self.assertEqual((code, of_type(events, "error")), (DONE, []))
        edit_spec(folder, kind="test", weights="out/weights.safetensors", part="held-out")
        code, tested = run_here(folder)
        self.assertEqual((code, of_type(tested, "error")), (DONE, []))
        return [event["code"] for event in of_type(events, "warning")]

    def test_one_class_alone_is_learned_from(self) -> None:
        def told(index: int) -> Json:
            return {"part": "test" if index % 2 or index > 8 else "train"}

        self.assertEqual(self.warnings_of("classification", told), ["single_class"])

    def test_one_patient_in_each_part_is_enough(self) -> None:
        def told(index: int) -> Json:
            part = "train" if index < 8 else "test"
            return {"part": part, "group": part}

        self.assertEqual(self.warnings_of("classification", told), ["validation_known"])
        self.assertEqual(self.warnings_of("segmentation", told), ["validation_known"])

    def test_a_single_picture_to_learn_from_is_also_looked_at(self) -> None:
        def told(index: int) -> Json:
            return {"part": "test" if index else "train"}

        self.assertEqual(self.warnings_of("segmentation", told), ["validation_known"])

    def test_the_only_patient_left_by_a_fold_is_divided(self) -> None:
        items = make_items(9, classes=1, per_group=3)
        for parts in split(items, Validation("kfold", 0, 0, 2, 9)):
            self.assertTrue(parts.train and parts.validation and parts.test)
            self.assertFalse({*parts.train, *parts.validation} & {*parts.test})
            self.assertFalse({*parts.train} & {*parts.validation})


if __name__ == "__main__":
    unittest.main()
