"""In k-fold all items count once, whatever folds they were dealt to."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from neuroloom_engine.spec import Item
from neuroloom_engine.tasks.average_precision import Boxes, detection_scores, matches_of, scores_at
from neuroloom_engine.tasks.detection_evidence import detection_evidence
from neuroloom_engine.tasks.detection_results import Answer, joined, tally_of
from neuroloom_engine.tasks.scores import roc_auc

from .make import Json, edit_spec, make_run, of_type, run_here
from .make_boxes import make_boxes, make_detection
from .make_pairs import make_pairs_run

KFOLD = {"method": "kfold", "splits": 3, "seed": 3}


class PooledTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def results(self) -> list[dict]:
        paths = sorted((self.folder / "out" / "folds").iterdir())
        return [one for path in paths for one in json.loads(path.read_text())]

    def test_classes_are_scored_over_all_items_and_have_evidence(self) -> None:
        code, events = run_here(make_run(self.folder, count=37, epochs=2, validation=KFOLD))
        self.assertEqual(code, 0, of_type(events, "error"))
        items = self.results()
        self.assertEqual(len({one["id"] for one in items}), 37)
        metrics = events[-1]["metrics"]
        right = [one["named"] == [one["truth"]] for one in items]
        self.assertAlmostEqual(metrics["accuracy"], sum(right) / 37)
        truth = np.array([one["truth"] for one in items])
        sure = np.array([one["probabilities"] for one in items])
        areas = [roc_auc(truth == index, sure[:, index]) or 0 for index in range(sure.shape[1])]
        self.assertAlmostEqual(metrics["rocAuc"], float(np.mean(areas)))
        self.assertIn("accuracySd", metrics)
        evidence = json.loads((self.folder / "out" / "evidence.json").read_text())
        self.assertEqual((evidence["items"], evidence["groups"]), (37, 37))
        low, high = evidence["intervals"]["accuracy"]
        self.assertTrue(low <= metrics["accuracy"] <= high)
        self.assertEqual({one["basis"] for one in evidence["decisions"]}, {"folds"})
        self.assertIn("evidence", [one["kind"] for one in of_type(events, "artifact")])

    def test_outlines_count_by_image_and_not_by_fold(self) -> None:
        run_here(make_run(self.folder, "segmentation", count=10, epochs=1, validation=KFOLD))
        scores = [one["score"] for one in self.results()]
        evidence = json.loads((self.folder / "out" / "evidence.json").read_text())
        self.assertEqual(evidence["items"], 10)
        low, high = evidence["intervals"]["dice"]
        self.assertTrue(low <= float(np.mean(scores)) <= high)

    def test_what_a_test_leaves_is_left_by_all_folds_together(self) -> None:
        _, events = run_here(make_run(self.folder, "segmentation", count=10, epochs=1, validation=KFOLD))
        kept = self.results()
        # Intersection over union of the summed pixels, by hand.
        pixels = np.sum([one["tally"]["matrix"] for one in kept], axis=0)
        by_hand = pixels[1, 1] / (pixels[1, 1] + pixels[0, 1] + pixels[1, 0])
        [said] = of_type(events, "pooled")
        [disc] = said["perClass"]
        self.assertAlmostEqual(disc["values"]["iou"], by_hand)
        self.assertAlmostEqual(events[-1]["metrics"]["iou"], by_hand)
        self.assertAlmostEqual(events[-1]["metrics"]["pooledDice"], 2 * by_hand / (1 + by_hand))
        evidence = json.loads((self.folder / "out" / "evidence.json").read_text())
        gaps = [one["tally"]["gaps"][0] for one in kept]
        [surface] = evidence["surfaces"]
        self.assertEqual(surface["measured"], sum(gap is not None for gap in gaps))
        parts = evidence["cross"]["parts"]
        self.assertEqual(sum(part["items"] for part in parts), 10)
        tests = [one["values"] for one in of_type(events, "metrics") if one["split"] == "test"]
        self.assertEqual([part["values"] for part in parts], tests)
        items = json.loads((self.folder / "out" / "items.json").read_text())
        self.assertEqual({item["id"] for item in items}, {one["id"] for one in kept})
        for item in items:
            self.assertTrue((self.folder / item["overlay"]).exists())
        table = (self.folder / "out" / "predictions.csv").read_text("utf-8-sig")
        self.assertEqual(len(table.splitlines()), 11)

    def test_boxes_of_all_folds_have_one_average_precision(self) -> None:
        changes = {"epochs": 2, "validation": KFOLD}
        code, events = run_here(make_detection(self.folder, count=20, **changes))
        self.assertEqual(code, 0, of_type(events, "error"))
        metrics, kept = events[-1]["metrics"], self.results()
        truths, founds = ([boxes_of(one, name) for one in kept] for name in ("truth", "found"))
        self.assertLessEqual(max(len(found) for found in founds), 100)
        values, per_class = detection_scores(matches_of(truths, founds, 2), 0.5)
        # A hundred boxes an image are shown, of those beyond none is sure enough to matter here.
        self.assertAlmostEqual(metrics["map50"], values["map50"] or 0, places=3)
        parts = json.loads((self.folder / "out" / "evidence.json").read_text())["cross"]["parts"]
        weighted = sum(part["values"]["map50"] * part["items"] for part in parts) / 20
        self.assertNotAlmostEqual(metrics["map50"], weighted, places=6)
        self.assertIsNone(metrics["threshold"])
        [said] = of_type(events, "pooled")
        self.assertAlmostEqual(said["perClass"][0]["values"]["ap50"], per_class[0]["ap50"] or 0, places=3)

    def test_boxes_count_from_the_limit_of_their_own_network_on(self) -> None:
        one = (0, 0.0, 0.0, 10.0, 10.0)
        truth = make_boxes(one)
        sure, unsure = make_boxes((*one, 0.9)), make_boxes((*one, 0.2))
        wrong = make_boxes((0, 50.0, 50.0, 60.0, 60.0, 0.8))
        answers = [Answer(sure, 0.5), Answer(unsure, 0.1), Answer(wrong, 0.85)]
        matches, limits = joined([tally_of(truth, answer, 1) for answer in answers])
        values, _ = scores_at(matches, limits)
        # Surest first: right, wrong, right; the wrong one is below its own network's limit.
        self.assertEqual((values["precision"], values["recall"]), (1.0, 2 / 3))
        # Of 101 recalls 34 have precision 1, 33 two of three, the rest nothing.
        self.assertAlmostEqual(values["map50"] or 0, (34 + 33 * 2 / 3) / 101)
        items = [Item(f"i{index}", "a.png", "a.png", None, None, f"g{index}") for index in range(3)]
        evidence = detection_evidence(items, matches, ["thing"], limits=limits)
        figures = {one["name"]: one["value"] for one in evidence["decisions"][0]["figures"]}
        self.assertEqual(figures, {"sensitivity": 2 / 3, "ppv": 1.0})

    def test_restored_images_count_one_by_one_and_against_what_needs_no_network(self) -> None:
        run = make_pairs_run(self.folder, "denoising", count=8, epochs=1, validation=KFOLD)
        code, events = run_here(run)
        self.assertEqual(code, 0, of_type(events, "error"))
        kept, metrics = self.results(), events[-1]["metrics"]
        self.assertAlmostEqual(metrics["psnr"], float(np.mean([one["score"] for one in kept])))
        known = [one["values"]["inputSsim"] for one in kept if one["values"]["inputSsim"] is not None]
        self.assertAlmostEqual(metrics["inputSsim"], float(np.mean(known)))
        evidence = json.loads((self.folder / "out" / "evidence.json").read_text())
        self.assertEqual([gain["metric"] for gain in evidence["gains"]], ["psnr", "ssim"])

    def test_are_those_of_an_unbroken_run_after_a_break(self) -> None:
        _, events = run_here(make_run(self.folder, epochs=1, validation=KFOLD))
        whole = (self.folder / "out" / "evidence.json").read_text()
        run_here(self.folder, stop_at=8)
        newest = sorted((self.folder / "out" / "checkpoints").iterdir())[-1]
        edit_spec(self.folder, resume=f"out/checkpoints/{newest.name}", attempt=2)
        _, resumed = run_here(self.folder)
        self.assertEqual(resumed[-1]["metrics"], events[-1]["metrics"])
        self.assertEqual((self.folder / "out" / "evidence.json").read_text(), whole)


def boxes_of(item: Json, name: str) -> Boxes:
    names = ("class", "x0", "y0", "x1", "y1", *(["score"] if name == "found" else []))
    return make_boxes(*(tuple(box[key] for key in names) for box in item["boxes"][name]))


if __name__ == "__main__":
    unittest.main()
