"""Thresholds are chosen on validation where there is enough of it, and named by afterwards."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from neuroloom_engine import safetensors
from neuroloom_engine.spec import Item
from neuroloom_engine.tasks.decision import (
    Decision,
    best_threshold,
    class_named,
    decision_of,
    f1,
    of_labels,
    of_two_classes,
    youden,
)
from neuroloom_engine.tasks.evidence import classification_evidence
from neuroloom_engine.tasks.result import ItemResult

from .make import edit_spec, make_run, of_type, run_here


class ThresholdTest(unittest.TestCase):
    def test_is_the_best_of_all_and_lies_between_scores(self) -> None:
        rng = np.random.default_rng(4)
        positive = rng.random(60) < 0.3
        score = np.clip(rng.random(60) * 0.6 + 0.3 * positive, 0, 1)
        for worth in (f1, youden):
            chosen = best_threshold(positive, score, worth)
            self.assertGreater(np.abs(score - chosen).min(), 1e-5)

            def reached(threshold: float, worth=worth) -> float:
                named = score >= threshold
                counts = [np.array([float((named & side).sum())]) for side in (positive, ~positive)]
                return float(worth(*counts, int(positive.sum()), int((~positive).sum()))[0])

            best = max(reached(one) for one in np.linspace(0, 1, 2001))
            self.assertAlmostEqual(reached(chosen), best)

    def test_stays_at_one_half_where_that_is_as_good(self) -> None:
        positive = np.arange(40) < 20
        self.assertEqual(best_threshold(positive, np.where(positive, 0.9, 0.3), youden), 0.5)

    def test_stays_at_one_half_where_a_class_has_fewer_than_ten_cases(self) -> None:
        truth = np.stack([np.arange(40) < 10, np.arange(40) < 9], 1)
        decision = of_labels(truth, np.where(truth, 0.3, 0.1))
        self.assertEqual(decision.thresholds, (0.2, 0.5))
        self.assertEqual([decision.basis(index) for index in range(2)], ["validation", "few"])
        sure = np.where(np.arange(40) < 9, 0.3, 0.1)
        both = np.stack([1 - sure, sure], 1).astype(np.float64)
        two = of_two_classes((np.arange(40) < 9).astype(np.int64), both)
        self.assertEqual(two, Decision((0.5, 0.5), (9, 9)))

    def test_of_more_than_two_classes_there_is_none(self) -> None:
        self.assertIsNone(of_two_classes(np.zeros(30, np.int64), np.full((30, 3), 1 / 3)))
        sure = np.array([[0.2, 0.5, 0.3]])
        self.assertEqual(class_named(sure, Decision((0.1, 0.1, 0.1), None)).tolist(), [1])

    def test_names_the_likeliest_of_two_at_one_half_to_the_last_digit(self) -> None:
        sure = np.array([[0.5, 0.5], [0.4, 0.6], [0.6, 0.4]])
        usual = Decision((0.5, 0.5), (3, 3))
        self.assertEqual(class_named(sure, usual).tolist(), sure.argmax(1).tolist())
        self.assertEqual(class_named(sure, Decision((0.65, 0.35), (20, 20))).tolist(), [1, 1, 1])

    def test_of_models_of_before_is_that_of_their_boxes_alone(self) -> None:
        boxes = {"classes": ["a", "b"], "validation": {"threshold": 0.3}}
        self.assertEqual(decision_of(boxes), Decision((0.3, 0.3), None))
        self.assertIsNone(decision_of({"classes": ["a", "b"], "validation": {"loss": 1.0}}))
        kept = Decision((0.3, 0.7), (12, 14))
        self.assertEqual(decision_of(boxes | {"decision": json.loads(json.dumps(kept.to_json()))}), kept)


class EvidenceTest(unittest.TestCase):
    def test_tells_what_a_finding_is_worth_at_its_threshold(self) -> None:
        truth = [1, 1, 1, 0, 0, 0, 0, 0] * 5
        sure = [0.9, 0.4, 0.2, 0.45, 0.1, 0.1, 0.1, 0.1] * 5
        items = [Item(f"i{k}", f"{k}", "", None, None, f"g{k}") for k in range(40)]
        results = [ItemResult(f"i{k}", f"{k}", truth[k], [1 - sure[k], sure[k]], 0.0, {}) for k in range(40)]
        found = classification_evidence(items, results, ["well", "ill"], Decision((0.7, 0.3), (12, 12)))
        ill = found["decisions"][1]
        self.assertEqual((ill["threshold"], ill["basis"], ill["cases"]), (0.3, "validation", 12))
        figures = {one["name"]: one["value"] for one in ill["figures"]}
        self.assertEqual(figures, {"sensitivity": 2 / 3, "specificity": 4 / 5, "ppv": 2 / 3, "npv": 4 / 5})
        self.assertTrue(all(one["interval"] is not None for one in ill["figures"]))
        likeliest = classification_evidence(items, results, ["well", "ill"])["decisions"][1]
        self.assertEqual((likeliest["threshold"], likeliest["basis"]), (None, "likeliest"))


class RunTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_two_classes_are_told_apart_as_validation_decided(self) -> None:
        parts = {"method": "holdout", "train": 9, "test": 1, "seed": 3}
        run_here(make_run(self.folder, count=200, epochs=1, learningRate=1e-3, validation=parts))
        out = self.folder / "out"
        decision = json.loads((out / "model.json").read_text())["decision"]
        self.assertTrue(min(decision["cases"]) >= 10, decision)
        threshold = decision["thresholds"][1]
        self.assertNotEqual(threshold, 0.5)
        weights = safetensors.file_sha256(out / "weights.safetensors")
        edit_spec(self.folder, kind="test", weights="out/weights.safetensors", part="held-out")
        code, events = run_here(self.folder)
        self.assertEqual(code, 0, of_type(events, "error"))
        self.assertEqual(safetensors.file_sha256(out / "weights.safetensors"), weights)
        items = json.loads((out / "items.json").read_text())
        named = [int(one["probabilities"][1] >= threshold) for one in items]
        self.assertEqual([one["named"] for one in items], [[one] for one in named])
        right = sum(one["truth"] == name for one, name in zip(items, named, strict=True)) / len(items)
        self.assertAlmostEqual(events[-1]["metrics"]["accuracy"], right)

    def test_a_run_that_goes_on_decides_as_an_unbroken_one(self) -> None:
        parts = {"method": "kfold", "splits": 2, "seed": 3}
        run_here(make_run(self.folder, count=200, epochs=2, validation=parts))
        out = self.folder / "out"
        whole = json.loads((out / "model.json").read_text())["decision"]
        weights = safetensors.file_sha256(out / "weights.safetensors")
        run_here(self.folder, stop_at=20)
        newest = sorted((out / "checkpoints").iterdir())[-1]
        edit_spec(self.folder, resume=f"out/checkpoints/{newest.name}", attempt=2)
        code, events = run_here(self.folder)
        self.assertEqual(code, 0, of_type(events, "error"))
        self.assertEqual(json.loads((out / "model.json").read_text())["decision"], whole)
        self.assertEqual(safetensors.file_sha256(out / "weights.safetensors"), weights)


if __name__ == "__main__":
    unittest.main()
