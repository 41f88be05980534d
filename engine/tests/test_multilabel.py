"""Labels that do not exclude each other: their metrics by definition, and a run that learns them."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine import safetensors
from neuroloom_engine.data.split import grouped
from neuroloom_engine.spec import Item
from neuroloom_engine.tasks.multilabel import positive_weights
from neuroloom_engine.tasks.multilabel_scores import (
    decision_calibration,
    label_score,
    multilabel_evidence,
    multilabel_scores,
)

from .make import (
    Json,
    classifier_nodes,
    edit_spec,
    make_plan,
    make_run,
    of_type,
    run_here,
    save_png,
    write_json,
)


class ScoresTest(unittest.TestCase):
    def test_are_those_counted_by_hand(self) -> None:
        truth = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 0]], bool)
        sure = np.array([[0.9, 0.2, 0.1], [0.4, 0.8, 0.1], [0.3, 0.1, 0.2], [0.1, 0.3, 0.6]])
        values, per_class = multilabel_scores(truth, sure)
        self.assertAlmostEqual(per_class[0]["f1"] or 0, 2 / 3)
        self.assertAlmostEqual(per_class[1]["recall"] or 0, 1 / 2)
        self.assertEqual((per_class[2]["f1"], per_class[2]["support"]), (None, 0))
        self.assertAlmostEqual(values["macroF1"] or 0, 2 / 3)
        self.assertAlmostEqual(values["microF1"] or 0, 4 / 7)
        self.assertEqual((values["exactMatch"], values["hamming"]), (0.5, 0.25))
        self.assertEqual((values["averagePrecision"], values["rocAuc"]), (1.0, 1.0))
        self.assertEqual([label_score(*pair) for pair in zip(truth, sure, strict=True)][2], 1.0)

    def test_calibration_counts_every_decision(self) -> None:
        found = decision_calibration(np.array([[True, False]]), np.array([[0.95, 0.95]]))
        self.assertEqual(found["bins"][9]["count"], 2)
        self.assertAlmostEqual(found["error"], 0.45)
        self.assertAlmostEqual(found["brier"], 0.0025 + 0.9025)

    def test_intervals_hold_the_score(self) -> None:
        rng = np.random.default_rng(3)
        truth = rng.random((60, 2)) < 0.4
        sure = np.clip(truth * 0.5 + rng.random((60, 2)) * 0.6, 0, 1)
        items = [Item(f"i{k}", f"{k}", "", None, None, f"g{k}", labels=()) for k in range(60)]
        found = multilabel_evidence(items, truth, sure, ["a", "b"])
        values, _ = multilabel_scores(truth, sure)
        low, high = found["intervals"]["macroF1"]
        self.assertTrue(low < (values["macroF1"] or 0) < high)

    def test_rare_labels_weigh_more_and_absent_ones_no_more(self) -> None:
        labels = np.zeros((100, 3), bool)
        labels[:50, 0], labels[:10, 1] = True, True
        self.assertEqual(positive_weights(labels).tolist(), [1.0, 3.0, 1.0])

    def test_an_item_stands_for_its_rarest_label(self) -> None:
        labels = [(0,), (0, 1), (0,), ()]
        items = [Item(f"i{k}", "", "", None, None, f"g{k}", labels=one) for k, one in enumerate(labels)]
        self.assertEqual([group.stratum for group in grouped(items)], [0, 1, 0, -1])


class RunTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def lay_out(self, count: int = 36, **changes: Any) -> Path:
        folder = make_run(self.folder, "classification", 3, criterion="bce", numClass=3, **changes)
        edit_spec(folder, task="multilabel", plan=make_plan("classification", classifier_nodes(3)))
        rng = np.random.default_rng(1)
        items: list[Json] = []
        for index in range(count):
            pixels = rng.integers(0, 90, (16, 16)).astype(np.uint8)
            labels = [label for label in range(2) if index >> label & 1]
            place = int(rng.integers(2, 12))
            if 0 in labels:
                pixels[:, place : place + 3] = 240
            if 1 in labels:
                pixels[place : place + 3] = 240
            save_png(folder / "data" / f"{index}.png", pixels)
            paths = {"image": f"{index}.png", "label": None, "class": None, "labels": labels}
            items.append({"id": f"i{index}", "name": f"{index}.png", **paths, "group": f"g{index}"})
        task = {"v": 1, "task": "multilabel", "classes": ["upright", "lying", "never"]}
        write_json(folder / "manifest.json", {**task, "channels": 1, "maskValues": {}, "items": items})
        return folder

    def test_learns_and_leaves_a_result_for_every_label(self) -> None:
        code, events = run_here(self.lay_out(epochs=25, classWeights=True))
        self.assertEqual(code, 0, of_type(events, "error"))
        self.assertEqual(of_type(events, "warning")[0]["data"]["classes"], ["never"])
        self.assertGreater(events[-1]["metrics"]["macroF1"], 0.7)
        edit_spec(self.folder, kind="test", weights="out/weights.safetensors", part="held-out")
        code, events = run_here(self.folder)
        self.assertEqual(code, 0, of_type(events, "error"))
        items = json.loads((self.folder / "out" / "items.json").read_text())
        self.assertTrue(all(len(item["probabilities"]) == 3 and item["truth"] is None for item in items))
        header = (self.folder / "out" / "predictions.csv").read_text("utf-8-sig").splitlines()[0]
        self.assertEqual(header, "name,f1,true upright,p upright,true lying,p lying,true never,p never")
        evidence = json.loads((self.folder / "out" / "evidence.json").read_text())
        self.assertEqual([curve["class"] for curve in evidence["curves"]], ["upright", "lying", "never"])

    def test_names_labels_from_the_thresholds_on_that_validation_chose(self) -> None:
        parts = {"method": "holdout", "train": 9, "test": 1, "seed": 3}
        code, events = run_here(self.lay_out(160, epochs=1, learningRate=1e-4, validation=parts))
        self.assertEqual(code, 0, of_type(events, "error"))
        facts = json.loads((self.folder / "out" / "model.json").read_text())
        thresholds, cases = facts["decision"]["thresholds"], facts["decision"]["cases"]
        self.assertTrue(max(cases) >= 10 and any(threshold != 0.5 for threshold in thresholds))
        self.assertEqual((thresholds[2], cases[2]), (0.5, 0))
        edit_spec(self.folder, kind="test", weights="out/weights.safetensors", part="all")
        code, events = run_here(self.folder)
        self.assertEqual(code, 0, of_type(events, "error"))
        items = json.loads((self.folder / "out" / "items.json").read_text())
        named = [[k for k, p in enumerate(one["probabilities"]) if p >= thresholds[k]] for one in items]
        self.assertEqual([one["named"] for one in items], named)
        evidence = json.loads((self.folder / "out" / "evidence.json").read_text())
        told = evidence["decisions"]
        self.assertEqual([one["threshold"] for one in told], thresholds)
        self.assertEqual(
            [one["basis"] for one in told], ["validation" if count >= 10 else "few" for count in cases]
        )
        sensitivity = told[0]["figures"][0]
        hits = sum(0 in one["named"] for one in items if 0 in one["labels"])
        self.assertAlmostEqual(sensitivity["value"], hits / sum(0 in one["labels"] for one in items))
        self.assertTrue(sensitivity["interval"][0] <= sensitivity["value"] <= sensitivity["interval"][1])

    def test_goes_on_to_the_same_weights_to_the_bit(self) -> None:
        run_here(self.lay_out(epochs=2))
        whole = safetensors.file_sha256(self.folder / "out" / "weights.safetensors")
        run_here(self.folder, stop_at=7)
        newest = sorted((self.folder / "out" / "checkpoints").iterdir())[-1]
        edit_spec(self.folder, resume=f"out/checkpoints/{newest.name}", attempt=2)
        code, events = run_here(self.folder)
        self.assertEqual(code, 0, of_type(events, "error"))
        self.assertEqual(safetensors.file_sha256(self.folder / "out" / "weights.safetensors"), whole)


if __name__ == "__main__":
    unittest.main()
