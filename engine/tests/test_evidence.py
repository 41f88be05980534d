"""Intervals, curves, calibration and outline distances are what their definitions say."""

from __future__ import annotations

import unittest

import numpy as np

from neuroloom_engine.spec import Item
from neuroloom_engine.tasks.evidence import (
    STOPS,
    calibration,
    classification_evidence,
    classification_measures,
    curve,
    group_numbers,
    segmentation_evidence,
)
from neuroloom_engine.tasks.result import ItemResult
from neuroloom_engine.tasks.scores import classification_scores
from neuroloom_engine.tasks.surfaces import hd95, outline


def items_of(groups: list[str]) -> list[Item]:
    return [
        Item(id=f"i{k}", name=f"{k}", image="", label=None, class_index=0, group=group)
        for k, group in enumerate(groups)
    ]


def results_of(truth: np.ndarray, probabilities: np.ndarray) -> list[ItemResult]:
    return [
        ItemResult(f"i{k}", f"{k}", int(label), row.tolist(), float(row[label]), {})
        for k, (label, row) in enumerate(zip(truth, probabilities, strict=True))
    ]


class MeasuresTest(unittest.TestCase):
    def test_every_measure_with_equal_weights_is_the_score(self) -> None:
        rng = np.random.default_rng(3)
        truth = rng.integers(0, 3, 200)
        raw = rng.random((200, 3)).round(1) + np.eye(3)[truth] * 0.4
        probabilities = raw / raw.sum(1, keepdims=True)
        values, per_class, _ = classification_scores(truth, probabilities)
        measures = classification_measures(truth, probabilities.argmax(1), probabilities)
        once = np.ones((1, 200))
        for name, value in values.items():
            self.assertAlmostEqual(measures[name](once)[0], value or 0, msg=name)
        for index, row in enumerate(per_class):
            for name in ("precision", "recall", "f1", "rocAuc"):
                self.assertAlmostEqual(measures[f"{name} {index}"](once)[0], row[name] or 0)

    def test_groups_are_numbered_by_name(self) -> None:
        self.assertEqual(group_numbers(items_of(["b", "a", "b"])).tolist(), [1, 0, 1])


class CurveTest(unittest.TestCase):
    def test_is_the_one_worked_out_by_hand(self) -> None:
        # 0.9 ill, 0.8 well, 0.7 ill and well, 0.1 well
        positive = np.array([True, False, True, False, False])
        found = curve("ill", positive, np.array([0.9, 0.8, 0.7, 0.7, 0.1]))
        rows = [(p["threshold"], p["sensitivity"], p["specificity"], p["precision"]) for p in found["points"]]
        expected = [
            (0.9, 0.5, 1.0, 1.0),
            (0.8, 0.5, 2 / 3, 0.5),
            (0.7, 1.0, 1 / 3, 0.5),
            (0.1, 1.0, 0.0, 0.4),
        ]
        np.testing.assert_allclose(rows, expected)
        # Pairs won: 0.9 beats 3 of 3, 0.7 beats one, ties one, loses one.
        self.assertAlmostEqual(found["rocAuc"], (3 + 1.5) / 6)
        self.assertAlmostEqual(found["averagePrecision"], 0.5 * 1 + 0.5 * 0.5)

    def test_of_a_class_that_does_not_occur_has_no_points(self) -> None:
        found = curve("ill", np.zeros(4, bool), np.ones(4))
        self.assertEqual((found["points"], found["rocAuc"]), ([], None))

    def test_of_many_items_keeps_both_ends(self) -> None:
        score = np.linspace(0, 1, 5000)
        points = curve("ill", score > 0.3, score)["points"]
        self.assertTrue(200 <= len(points) <= 200 + len(STOPS))
        self.assertEqual((points[0]["threshold"], points[-1]["threshold"]), (1.0, 0.0))

    def test_is_exact_at_whole_percents_and_at_the_chosen_threshold(self) -> None:
        rng = np.random.default_rng(11)
        score = rng.random(5000)
        positive = rng.random(5000) < score
        chosen = 0.123456
        points = curve("ill", positive, score, [chosen])["points"]
        for threshold in [*STOPS, chosen]:
            named = score >= threshold
            reached = [point for point in points if point["threshold"] >= threshold]
            sensitivity = reached[-1]["sensitivity"] if reached else 0
            self.assertEqual(sensitivity, (positive & named).sum() / positive.sum())
            if reached:
                self.assertEqual(reached[-1]["precision"], (positive & named).sum() / named.sum())


class CalibrationTest(unittest.TestCase):
    def test_is_the_one_worked_out_by_hand(self) -> None:
        probabilities = np.array([[0.95, 0.05], [0.95, 0.05], [0.4, 0.6], [0.4, 0.6]])
        found = calibration(np.array([0, 1, 1, 1]), probabilities)
        # Half of the two at 0.95 are right, both at 0.6.
        self.assertAlmostEqual(found["error"], 0.5 * 0.45 + 0.5 * 0.4)
        squares = [2 * 0.05**2, 2 * 0.95**2, 2 * 0.4**2, 2 * 0.4**2]
        self.assertAlmostEqual(found["brier"], sum(squares) / 4)
        self.assertEqual([row["count"] for row in found["bins"]], [0, 0, 0, 0, 0, 0, 2, 0, 0, 2])


class OutlineTest(unittest.TestCase):
    def test_of_a_square_is_its_rim(self) -> None:
        mask = np.zeros((6, 6), bool)
        mask[1:5, 1:5] = True
        self.assertEqual(int(outline(mask).sum()), 12)
        self.assertTrue(outline(np.ones((3, 3), bool))[0].all())

    def test_distance_of_shifted_squares_is_the_shift(self) -> None:
        first, second = np.zeros((40, 40), bool), np.zeros((40, 40), bool)
        first[5:25, 5:25] = True
        second[5:25, 8:28] = True
        self.assertAlmostEqual(hd95(first, second) or 0, 3.0)
        self.assertEqual(hd95(first, first), 0.0)
        self.assertIsNone(hd95(first, np.zeros((40, 40), bool)))

    def test_agrees_with_all_pairs_on_random_blobs(self) -> None:
        rng = np.random.default_rng(4)
        for _ in range(20):
            masks = [np.kron(rng.random((6, 8)) < 0.4, np.ones((5, 4))) > 0 for _ in range(2)]
            if not all(mask.any() for mask in masks):
                continue
            first, second = (np.argwhere(outline(mask)) for mask in masks)
            pairs = np.sqrt(((first[:, None] - second[None]) ** 2).sum(-1))
            expected = max(np.percentile(pairs.min(1), 95), np.percentile(pairs.min(0), 95))
            self.assertAlmostEqual(hd95(masks[0], masks[1]) or 0, expected)


class WholeTest(unittest.TestCase):
    def test_classification_tells_everything_as_plain_numbers(self) -> None:
        rng = np.random.default_rng(5)
        truth = rng.integers(0, 2, 60)
        ill = np.clip(truth * 0.4 + rng.random(60) * 0.6, 0, 1)
        results = results_of(truth, np.stack([1 - ill, ill], 1))
        found = classification_evidence(items_of([f"p{k // 2}" for k in range(60)]), results, ["well", "ill"])
        self.assertEqual((found["items"], found["groups"], found["method"]), (60, 30, "score"))
        low, high = found["intervals"]["accuracy"]
        accuracy = float(np.mean((ill >= 0.5) == truth))
        self.assertTrue(low <= accuracy <= high)
        self.assertEqual([row["class"] for row in found["curves"]], ["well", "ill"])

    def test_no_figure_of_fewer_than_ten_patients_has_an_interval(self) -> None:
        truth = np.array([1] * 9 + [0] * 12)
        ill = np.linspace(0.9, 0.1, 21)
        results = results_of(truth, np.stack([1 - ill, ill], 1))
        found = classification_evidence(items_of([f"p{k}" for k in range(21)]), results, ["well", "ill"])
        well, sick = (row["intervals"] for row in found["perClass"])
        self.assertIsNotNone(found["intervals"]["accuracy"])
        self.assertIsNotNone(well["recall"])
        # Nine of the ill, and an area stands on both sides.
        self.assertEqual([sick["recall"], sick["f1"], sick["rocAuc"], well["rocAuc"]], [None] * 4)
        figures = {one["name"]: one["interval"] for one in found["decisions"][1]["figures"]}
        self.assertIsNone(figures["sensitivity"])
        self.assertIsNotNone(figures["specificity"])
        few = [ItemResult(f"i{k}", f"{k}", None, [], 0.5 + k / 9, {"nucleus": 0.5 + k / 9}) for k in range(4)]
        gaps: list[list[float | None]] = [[float(k + 1)] for k in range(4)]
        found = segmentation_evidence(items_of([str(k) for k in range(4)]), few, ["nucleus"], gaps)
        self.assertEqual(found["intervals"], {"dice": None})
        self.assertEqual(found["surfaces"][0]["mean"], 2.5)
        self.assertIsNone(found["surfaces"][0]["interval"])

    def test_segmentation_counts_what_has_no_outline(self) -> None:
        results = [ItemResult(f"i{k}", f"{k}", None, [], 0.5, {"nucleus": 0.5}) for k in range(12)]
        distances: list[list[float | None]] = [[None] if k == 0 else [2.0] for k in range(12)]
        found = segmentation_evidence(items_of([str(k) for k in range(12)]), results, ["nucleus"], distances)
        self.assertEqual(found["surfaces"][0]["measured"], 11)
        self.assertEqual(found["surfaces"][0]["mean"], 2.0)
        # All the same: others may lie anywhere, and no distance is told.
        low, high = found["intervals"]["dice"]
        self.assertTrue(low < 0.3 and high > 0.7)
        self.assertIsNone(found["surfaces"][0]["interval"])
