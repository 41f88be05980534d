"""Average precision in cases worked out by hand, and what is read off it."""

from __future__ import annotations

import unittest

import numpy as np

from neuroloom_engine.spec import Item
from neuroloom_engine.tasks.average_precision import (
    best_threshold,
    detection_scores,
    hits_of,
    item_f1,
    matches_of,
)
from neuroloom_engine.tasks.decision import Decision
from neuroloom_engine.tasks.detection_evidence import detection_evidence, precision_of

from .make_boxes import make_boxes

NONE = make_boxes()
LEFT, RIGHT = (0, 0.0, 0.0, 10.0, 10.0), (0, 20.0, 0.0, 30.0, 10.0)


class AveragePrecisionTest(unittest.TestCase):
    def test_a_second_box_on_the_same_thing_is_wrong(self) -> None:
        found = make_boxes((*LEFT, 0.9), (*LEFT, 0.8), (*RIGHT, 0.7))
        matches = matches_of([make_boxes(LEFT, RIGHT)], [found], 1)
        values, per_class = detection_scores(matches, best_threshold(matches))
        # Precision 1 up to a recall of 0.5 (51 of the recalls), then 2 of 3.
        self.assertAlmostEqual(values["map50"] or 0, (51 + 50 * 2 / 3) / 101)
        self.assertAlmostEqual(values["map"] or 0, values["map50"] or 1)
        # F1 is 2/3 at 0.9, 1/2 at 0.8 and 4/5 at 0.7.
        self.assertAlmostEqual(values["threshold"] or 0, 0.7)
        self.assertAlmostEqual(per_class[0]["f1"] or 0, 4 / 5)
        self.assertAlmostEqual(per_class[0]["precision"] or 0, 2 / 3)
        self.assertEqual(per_class[0]["recall"], 1.0)

    def test_from_ten_boxes_on_the_threshold_is_chosen_and_a_given_one_is_kept(self) -> None:
        founds = [make_boxes((*LEFT, 0.3), (*RIGHT, 0.2))] * 10
        few = matches_of([make_boxes(LEFT)] * 9, founds[:9], 1)
        self.assertEqual(detection_scores(few)[0]["threshold"], 0.5)
        enough = matches_of([make_boxes(LEFT)] * 10, founds, 1)
        values, per_class = detection_scores(enough)
        self.assertAlmostEqual(values["threshold"] or 0, 0.3, places=6)
        self.assertEqual(per_class[0]["f1"], 1.0)
        given, per_class = detection_scores(enough, 0.1)
        self.assertEqual((given["threshold"], per_class[0]["precision"]), (0.1, 0.5))
        items = [Item(f"i{k}", f"{k}", "", None, None, f"g{k}") for k in range(10)]
        [told] = detection_evidence(items, enough, ["left"], Decision((0.1,), (12,)))["decisions"]
        self.assertEqual((told["threshold"], told["basis"], told["cases"]), (0.1, "validation", 12))
        self.assertEqual([one["value"] for one in told["figures"]], [1.0, 0.5])

    def test_of_equally_sure_boxes_those_of_the_earlier_image_count_first(self) -> None:
        truths = [NONE, make_boxes(LEFT)]
        values, _ = detection_scores(matches_of(truths, [make_boxes((*LEFT, 0.5))] * 2, 1))
        self.assertAlmostEqual(values["map50"] or 0, 1 / 2)
        values, _ = detection_scores(matches_of(truths[::-1], [make_boxes((*LEFT, 0.5))] * 2, 1))
        self.assertAlmostEqual(values["map50"] or 0, 1.0)

    def test_a_box_that_fits_by_seven_tenths_counts_at_five_of_the_ten_limits(self) -> None:
        found = make_boxes((0, 0.0, 0.0, 10.0, 7.0, 0.9))
        values, _ = detection_scores(matches_of([make_boxes(LEFT)], [found], 1))
        self.assertAlmostEqual(values["map50"] or 0, 1.0)
        self.assertAlmostEqual(values["map"] or 0, 0.5)

    def test_a_class_without_truth_has_no_value_and_does_not_pull_the_mean(self) -> None:
        found = make_boxes((*LEFT, 0.9), (1, 0.0, 0.0, 10.0, 10.0, 0.8))
        values, per_class = detection_scores(matches_of([make_boxes(LEFT)], [found], 3))
        self.assertEqual(values["map50"], 1.0)
        for empty in per_class[1:]:
            self.assertEqual(
                {name: value for name, value in empty.items() if value is not None}, {"boxes": 0}
            )

    def test_boxes_on_an_image_without_truth_are_wrong_and_nothing_found_at_all_is_zero(self) -> None:
        found = [make_boxes((*LEFT, 0.9)), make_boxes((*LEFT, 0.8))]
        values, _ = detection_scores(matches_of([NONE, make_boxes(LEFT)], found, 1))
        self.assertAlmostEqual(values["map50"] or 0, 1 / 2)
        values, per_class = detection_scores(matches_of([make_boxes(LEFT)], [NONE], 1))
        self.assertEqual((values["map50"], values["map"], values["threshold"]), (0.0, 0.0, 0.5))
        self.assertEqual((per_class[0]["precision"], per_class[0]["recall"]), (None, 0.0))
        values, _ = detection_scores(matches_of([NONE], [NONE], 1))
        self.assertIsNone(values["map50"])

    def test_a_recall_of_twenty_nine_hundredths_is_reached_by_twenty_nine_of_a_hundred(self) -> None:
        truths = [make_boxes((0, 20.0 * i, 0.0, 20.0 * i + 10, 10.0)) for i in range(100)]
        founds = [
            make_boxes((0, 20.0 * i, 0.0, 20.0 * i + 10, 10.0, 0.9)) if i < 29 else NONE for i in range(100)
        ]
        values, _ = detection_scores(matches_of(truths, founds, 1))
        self.assertAlmostEqual(values["map50"] or 0, 30 / 101)

    def test_a_box_takes_what_it_fits_best_and_what_is_still_free(self) -> None:
        truth = make_boxes((0, 0.0, 0.0, 10.0, 10.0), (0, 2.0, 0.0, 12.0, 10.0), (1, 2.0, 0.0, 12.0, 10.0))
        found = make_boxes(
            (0, 2.0, 0.0, 12.0, 10.0, 0.9), (0, 1.5, 0.0, 11.5, 10.0, 0.8), (0, 2.0, 0.0, 12.0, 10.0, 0.7)
        )
        hits = hits_of(truth, found)
        self.assertEqual(hits[0].tolist(), [True, True, False])
        # The second fits the first true box by 85 of 115, which is enough up to 0.70.
        self.assertEqual(hits[:, 1].sum(), 5)

    def test_the_threshold_lets_each_class_count_alike(self) -> None:
        truth = make_boxes(LEFT, RIGHT, (0, 40.0, 0.0, 50.0, 10.0), (1, 0.0, 20.0, 10.0, 30.0))
        sure = [(*LEFT, 0.9), (*RIGHT, 0.9), (0, 40.0, 0.0, 50.0, 10.0, 0.9)]
        wrong = [(0, 60.0 + 20 * i, 0.0, 70.0 + 20 * i, 10.0, 0.5) for i in range(3)]
        found = make_boxes(*sure, *wrong, (1, 0.0, 20.0, 10.0, 30.0, 0.4))
        # Over all boxes 6/7 at 0.9 would win against 8/11; by class it is (1 + 0)/2 against (6/9 + 1)/2.
        self.assertAlmostEqual(best_threshold(matches_of([truth], [found], 2)), 0.4, places=6)

    def test_means_go_over_one_set_of_classes_and_pooled_figures_over_all_boxes(self) -> None:
        # Three of class 0, of which two are found beside a wrong one; one of class 1 that is never shown.
        truth = make_boxes(LEFT, RIGHT, (0, 40.0, 0.0, 50.0, 10.0), (1, 0.0, 20.0, 10.0, 30.0))
        found = make_boxes((*LEFT, 0.9), (*RIGHT, 0.8), (0, 80.0, 0.0, 90.0, 10.0, 0.7))
        values, per_class = detection_scores(matches_of([truth], [found], 2), 0.5)
        self.assertAlmostEqual(values["precision"] or 0, (2 / 3 + 0) / 2)
        self.assertAlmostEqual(values["recall"] or 0, (2 / 3 + 0) / 2)
        self.assertAlmostEqual(values["f1"] or 0, (2 / 3 + 0) / 2)
        self.assertIsNone(per_class[1]["precision"])
        self.assertAlmostEqual(values["microPrecision"] or 0, 2 / 3)
        self.assertAlmostEqual(values["microRecall"] or 0, 2 / 4)
        self.assertAlmostEqual(values["microF1"] or 0, 4 / 7)

    def test_an_item_is_scored_by_its_boxes(self) -> None:
        self.assertEqual(item_f1(NONE, NONE), 1.0)
        self.assertEqual(item_f1(NONE, make_boxes((*LEFT, 0.9))), 0.0)
        self.assertAlmostEqual(item_f1(make_boxes(LEFT, RIGHT), make_boxes((*LEFT, 0.9))), 2 / 3)


class DetectionEvidenceTest(unittest.TestCase):
    def matches(self, images: int, each: int = 6):
        rng = np.random.default_rng(3)
        truths, founds = [], []
        for _ in range(images):
            rows = [(int(rng.integers(2)), 20.0 * i, 0.0, 20.0 * i + 10, 10.0) for i in range(each)]
            truths.append(make_boxes(*rows))
            scores = np.sort(rng.random(each))[::-1]
            moves = rng.uniform(0, 8, each)
            founds.append(
                make_boxes(
                    *[
                        (c, x + m, y, x1 + m, y1, s)
                        for (c, x, y, x1, y1), m, s in zip(rows, moves, scores, strict=True)
                    ]
                )
            )
        return matches_of(truths, founds, 2)

    def items(self, count: int) -> list[Item]:
        return [Item(f"i{i}", f"{i}.png", "x", None, None, f"g{i}") for i in range(count)]

    def test_counting_each_image_once_gives_the_average_precision_itself(self) -> None:
        matches = self.matches(20)
        _, per_class = detection_scores(matches)
        for index in range(2):
            value = precision_of(matches, index)(np.ones((1, 20)))
            self.assertAlmostEqual(float(value[0]), per_class[index]["ap50"] or 0)

    def test_of_many_boxes_it_is_nearly_the_same(self) -> None:
        matches = self.matches(600)
        _, per_class = detection_scores(matches)
        value = precision_of(matches, 0)(np.ones((1, 600)))
        self.assertLess(abs(float(value[0]) - (per_class[0]["ap50"] or 0)), 0.01)

    def test_counting_an_image_twice_equals_having_it_twice(self) -> None:
        truths, founds = (
            [make_boxes(LEFT, RIGHT), NONE],
            [make_boxes((*LEFT, 0.9)), make_boxes((*LEFT, 0.95))],
        )
        once = matches_of(truths, founds, 1)
        twice = matches_of([*truths, truths[1]], [*founds, founds[1]], 1)
        weighed = precision_of(once, 0)(np.array([[1.0, 2.0]]))
        self.assertAlmostEqual(float(weighed[0]), detection_scores(twice)[1][0]["ap50"] or 0)

    def test_intervals_and_curves_of_each_class(self) -> None:
        matches = self.matches(20)
        evidence = detection_evidence(self.items(20), matches, ["a", "b"])
        values, per_class = detection_scores(matches)
        low, high = evidence["intervals"]["map50"]
        self.assertLess(low, values["map50"])
        self.assertLess(values["map50"] or 0, high)
        for curve, own in zip(evidence["detections"], per_class, strict=True):
            self.assertEqual(curve["averagePrecision"], own["ap50"])
            self.assertEqual(curve["boxes"], own["boxes"])
            thresholds = [point["threshold"] for point in curve["points"]]
            self.assertEqual(thresholds, sorted(thresholds, reverse=True))
            self.assertLessEqual(len(thresholds), curve["found"])
            recalls = [point["recall"] for point in curve["points"]]
            self.assertEqual(recalls, sorted(recalls))

    def test_the_curve_is_exact_at_the_chosen_threshold_and_counts_what_is_shown_there(self) -> None:
        matches = self.matches(600)
        chosen = float(np.sort(matches.scores)[1234])
        evidence = detection_evidence(
            self.items(600), matches, ["a", "b"], Decision((chosen, chosen), (50, 50))
        )
        for index, (curve, decided) in enumerate(
            zip(evidence["detections"], evidence["decisions"], strict=True)
        ):
            own = matches.classes == index
            for threshold in [chosen, 0.25, 0.6]:
                is_shown = own & (matches.scores >= threshold)
                right = int(matches.hits[0, is_shown].sum())
                reached = [point for point in curve["points"] if point["threshold"] >= threshold][-1]
                self.assertEqual(reached["shown"], int(is_shown.sum()))
                self.assertAlmostEqual(reached["recall"], right / int(matches.truth[:, index].sum()))
                self.assertAlmostEqual(reached["precision"], right / int(is_shown.sum()))
            figures = {one["name"]: one["value"] for one in decided["figures"]}
            reached = [point for point in curve["points"] if point["threshold"] >= chosen][-1]
            self.assertAlmostEqual(figures["sensitivity"], reached["recall"])
            self.assertAlmostEqual(figures["ppv"], reached["precision"])

    def test_a_single_patient_or_an_empty_class_gives_no_interval(self) -> None:
        evidence = detection_evidence(self.items(1), self.matches(1), ["a", "b"])
        self.assertEqual(evidence["intervals"], {"map50": None})
        matches = matches_of([NONE] * 12, [NONE] * 12, 1)
        evidence = detection_evidence(self.items(12), matches, ["a"])
        self.assertEqual(evidence["intervals"], {"map50": None})
        self.assertEqual(evidence["detections"][0]["points"], [])


if __name__ == "__main__":
    unittest.main()
