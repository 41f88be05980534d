"""Intervals are the published ones, and as wide as few patients make them."""

from __future__ import annotations

import math
import unittest

import numpy as np

from neuroloom_engine.tasks.intervals import (
    NORMAL,
    area_variance,
    intervals,
    jackknife,
    mean_of,
    over_classes,
    overlap,
    share,
    student,
    undefined,
    weighted_roc_auc,
    wilson,
)


def right(hits: int, count: int) -> np.ndarray:
    return np.arange(count) < hits


class SharesTest(unittest.TestCase):
    def test_are_those_that_newcombe_published(self) -> None:
        # Newcombe 1998, table I, method 3.
        for hits, count, low, high in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ]:
            all_of = np.ones(count, bool)
            found = intervals(np.arange(count), {"share": share(right(hits, count), all_of)})["share"]
            np.testing.assert_allclose(found or (), (low, high), atol=5e-5)

    def test_are_there_for_three_cases_and_for_perfect_ones(self) -> None:
        for count in (2, 3, 14):
            found = intervals(np.arange(count), {"all": share(np.ones(count, bool), np.ones(count, bool))})
            low, high = found["all"] or (1, 0)
            self.assertAlmostEqual(low, count / (count + NORMAL**2))
            self.assertEqual(high, 1)

    def test_of_patients_whose_pictures_are_all_alike_count_patients(self) -> None:
        patients = right(14, 20)
        many = share(np.repeat(patients, 20), np.ones(400, bool))
        found = intervals(np.repeat(np.arange(20), 20), {"many": many})["many"]
        np.testing.assert_allclose(found or (), wilson(0.7, 20))
        perfect = share(np.ones(400, bool), np.ones(400, bool))
        found = intervals(np.repeat(np.arange(20), 20), {"many": perfect})["many"]
        np.testing.assert_allclose(found or (), wilson(1, 20))

    def test_stand_on_those_that_count(self) -> None:
        ill = right(5, 400)
        found = intervals(np.arange(400), {"sensitivity": share(right(4, 400), ill)})["sensitivity"]
        np.testing.assert_allclose(found or (), wilson(0.8, 5))

    def test_of_nothing_are_none(self) -> None:
        none = np.zeros(9, bool)
        self.assertIsNone(intervals(np.arange(9), {"share": share(none, none)})["share"])
        self.assertIsNone(intervals(np.arange(9), {"share": undefined(9)})["share"])


class OthersTest(unittest.TestCase):
    def test_leaving_out_one_after_the_other_is_the_variance_of_a_mean(self) -> None:
        values = np.random.default_rng(1).random(30)
        expected = values.var(ddof=1) / 30
        self.assertAlmostEqual(jackknife(np.arange(30), mean_of(values)) or 0, expected)

    def test_of_many_patients_are_those_of_each_left_out(self) -> None:
        values = np.random.default_rng(2).random(3000)
        found = jackknife(np.arange(3000), mean_of(values)) or 0
        self.assertAlmostEqual(math.sqrt(found / (values.var(ddof=1) / 3000)), 1, delta=0.1)

    def test_without_bounds_are_those_of_student(self) -> None:
        values = np.array([30.0, 31.0, 32.0, 33.0])
        low, high = intervals(np.arange(4), {"psnr": mean_of(values, "free")})["psnr"] or (0, 0)
        half = 3.1824 * values.std(ddof=1) / 2
        self.assertAlmostEqual(low, 31.5 - half)
        self.assertAlmostEqual(high, 31.5 + half)
        self.assertIsNone(intervals(np.arange(4), {"psnr": mean_of(np.ones(4), "free")})["psnr"])

    def test_stay_between_the_bounds_and_lean_to_the_longer_side(self) -> None:
        values = np.array([0.99, 0.98, 0.97, 0.6, 0.98])
        low, high = intervals(np.arange(5), {"dice": mean_of(values)})["dice"] or (0, 0)
        self.assertTrue(0 <= low < values.mean() < high <= 1)
        self.assertGreater(values.mean() - low, high - values.mean())
        gaps = mean_of(np.array([1.0, 2.0, 9.0]), "distance")
        low, high = intervals(np.arange(3), {"hd95": gaps})["hd95"] or (0, 0)
        self.assertTrue(0 < low < 4 < high)

    def test_of_an_area_end_where_chance_just_reaches(self) -> None:
        rng = np.random.default_rng(3)
        ill = right(6, 15)
        area = weighted_roc_auc(ill, rng.random(15) + 0.5 * ill)
        value = float(area(np.ones((1, 15)))[0])
        for end in intervals(np.arange(15), {"area": area})["area"] or ():
            self.assertAlmostEqual(abs(value - end), NORMAL * math.sqrt(area_variance(end, 6, 9)))
        perfect = intervals(np.arange(15), {"area": weighted_roc_auc(ill, ill.astype(float))})["area"] or (
            1,
            0,
        )
        self.assertTrue(0.6 < perfect[0] < 0.9)
        self.assertAlmostEqual(perfect[1], 1)

    def test_of_an_area_widen_when_pictures_are_of_few_patients(self) -> None:
        rng = np.random.default_rng(4)
        ill, score = np.repeat(right(5, 10), 4), np.repeat(rng.random(10) + 0.4 * right(5, 10), 4)
        area = weighted_roc_auc(ill, score)
        alone = intervals(np.arange(40), {"area": area})["area"] or (0, 0)
        grouped = intervals(np.repeat(np.arange(10), 4), {"area": area})["area"] or (0, 0)
        self.assertGreater(grouped[1] - grouped[0], 1.3 * (alone[1] - alone[0]))

    def test_of_one_patient_are_none(self) -> None:
        rng = np.random.default_rng(5)
        truth, named = rng.random(20) < 0.5, rng.random(20) < 0.5
        f1 = overlap(truth, named)
        measures = {
            "dice": mean_of(rng.random(20)),
            "f1": f1,
            "macro": over_classes([f1, overlap(~truth, ~named)]),
            "area": weighted_roc_auc(truth, rng.random(20)),
        }
        self.assertEqual(intervals(np.zeros(20, int), measures), dict.fromkeys(measures))

    def test_quantiles_are_those_of_the_table(self) -> None:
        for freedom, expected in [
            (1, 12.706),
            (4, 2.776),
            (5, 2.571),
            (10, 2.228),
            (30, 2.042),
            (100, 1.984),
        ]:
            self.assertAlmostEqual(student(freedom), expected, delta=6e-4)


if __name__ == "__main__":
    unittest.main()
