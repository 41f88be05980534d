"""Vorticity by windows against closed forms: acceptance 1 to 7 of flow imaging.

8, the contour at ω₀/e, belongs to the kernel that draws contours.
"""

from __future__ import annotations

import unittest

import numpy as np

from neuroloom_engine.flow.derived import jacobian, vorticity
from neuroloom_engine.flow.flows import Flow, LambOseen, LinearField, TaylorGreen
from neuroloom_engine.flow.gradient import gradient
from neuroloom_engine.flow.phantom import Scan
from neuroloom_engine.flow.planes import circle
from neuroloom_engine.flow.study import Refusal, Values
from neuroloom_engine.flow.vorticity import (
    circulation_along,
    circulation_within,
    core_bias,
    plane_vorticity,
    slope_bias,
    vorticity_noise,
)

LINEAR = ((0.0, -9.0, 2.0), (5.0, 0.0, 3.0), (1.0, -4.0, 0.0))


def plane(flow: Flow, side: int, h: float) -> tuple[Values, Values]:
    """Velocity (3, y, x) and vorticity along z (y, x) of one slice, sampled in the middle of voxels."""
    at = Scan((1, side, side), (h, h, h)).positions()
    return flow.velocity(at, 0.0)[:, 0], flow.vorticity(at, 0.0)[2, 0]


def centre_error(core: float, window: int, order: int) -> float:
    """Relative error in the middle of a vortex whose core has so many pixels as radius."""
    side = 2 * window + 1
    flow = LambOseen(1.0, core, Scan((1, side, side), (1.0, 1.0, 1.0)).centre)
    (u, v, _), true = plane(flow, side, 1.0)
    found = plane_vorticity(u, v, (1.0, 1.0), window, order)
    return float(found[window, window] / true[window, window] - 1)


class VorticityTest(unittest.TestCase):
    def test_1_a_linear_field_is_exact_for_any_window_also_under_a_random_mask(self) -> None:
        scan = Scan((9, 17, 19), (0.0011, 0.0017, 0.0023))
        flow = LinearField(LINEAR, scan.centre)
        at = scan.positions()
        velocity, true = flow.velocity(at, 0.0), flow.vorticity(at, 0.0)
        half = np.random.default_rng(1).random(scan.shape) < 0.5
        for kind, limit in ((np.float64, 1e-10), (np.float32, 2e-5)):
            held = velocity.astype(kind)
            for mask in (None, half):
                for window, order in ((3, 1), (5, 1), (9, 1), (15, 1), (7, 3), (9, 3)):
                    found = plane_vorticity(held[0], held[1], scan.spacing[:2], window, order, mask)
                    with self.subTest(kind=kind.__name__, mask=mask is not None, window=window, order=order):
                        known = np.isfinite(found)
                        self.assertGreater(known.sum(), 0.1 * known.size)
                        self.assertLessEqual(np.abs(found / true[2] - 1)[known].max(), limit)
                for window, order in ((3, 1), (5, 1), (5, 3)):
                    curl = vorticity(jacobian(held, scan.spacing, window, order, mask))
                    known = np.isfinite(curl)
                    self.assertGreater(known.sum(), 0.2 * known.size)
                    error = np.abs(curl - true)[known].max() / np.abs(true).max()
                    self.assertLessEqual(error, limit, (kind, window, order))

    def test_2_the_plane_fit_is_off_by_the_known_part_in_the_middle_of_a_vortex(self) -> None:
        for window, percent in ((3, -2.28), (5, -7.09), (7, -13.63), (9, -21.26), (11, -29.35)):
            self.assertAlmostEqual(100 * centre_error(6.0, window, 1), percent, delta=0.3)

    def test_3_so_is_the_cubic_fit(self) -> None:
        for window, percent in ((5, -0.23), (7, -1.00), (9, -2.61)):
            self.assertAlmostEqual(100 * centre_error(6.0, window, 3), percent, delta=0.1)

    def test_4_the_closed_form_of_the_bias_holds_for_windows_up_to_85_percent_of_the_core(self) -> None:
        for window, core in ((3, 3.6), (3, 6.0), (5, 5.9), (5, 9.0), (7, 8.3), (9, 10.6), (11, 13.0)):
            found = centre_error(core, window, 1)
            self.assertLessEqual(abs(core_bias(window, 1.0, core) / found - 1), 0.10, (window, core))
        # A vortex near its middle: v = ω₀/2 (x - x (x² + y²) / (2 r_c²)), so v_xxx = -3/2 and v_xyy = -1/2.
        both = 2 * slope_bias(5, 0.5, -1.5 / 4, -0.5 / 4)
        self.assertAlmostEqual(core_bias(5, 0.5, 2.0), both, places=12)

    def test_5_noise_of_vorticity_is_what_the_formula_says(self) -> None:
        random = np.random.default_rng(5)
        u, v = random.normal(0, 0.03, (2, 600, 600))
        for window in (3, 5, 7, 9, 11):
            n = window * window
            told = vorticity_noise(0.03, (0.002, 0.002), window)
            self.assertAlmostEqual(told, 0.03 / 0.002 * np.sqrt(24 / (n * (n - 1))), places=9)
            found = plane_vorticity(u, v, (0.002, 0.002), window)
            inner = found[window:-window, window:-window]
            self.assertLessEqual(abs(float(inner.std()) / told - 1), 0.03, window)
        for window, per in ((5, 0.648), (7, 0.298), (9, 0.175), (11, 0.115)):
            self.assertAlmostEqual(vorticity_noise(1.0, (1.0, 1.0), window, 3), per, delta=0.002)
        found = plane_vorticity(u, v, (0.002, 0.003), 7, 3)[7:-7, 7:-7]
        self.assertLessEqual(abs(float(found.std()) / vorticity_noise(0.03, (0.002, 0.003), 7, 3) - 1), 0.03)

    def test_6_errors_fall_with_the_square_and_the_fourth_power_of_the_voxel(self) -> None:
        for order, power, within, most in ((1, 2.0, 0.1, 1.6e-2), (3, 4.0, 0.15, 7e-5)):
            errors = []
            for side in (32, 64, 128):
                h = 1.0 / side
                (u, v, _), true = plane(TaylorGreen(1.0, 1.0), side, h)
                found = plane_vorticity(u, v, (h, h), 5, order)
                inner = np.s_[2:-2, 2:-2]
                gap = np.square(found - true)[inner].sum()
                errors.append(float(np.sqrt(gap / np.square(true)[inner].sum())))
            self.assertLessEqual(errors[1], most)
            for coarse, fine in zip(errors, errors[1:], strict=False):
                self.assertAlmostEqual(float(np.log2(coarse / fine)), power, delta=within)

    def test_7_circulation_of_a_vortex_within_three_core_radii(self) -> None:
        for core in (4.0, 6.0):
            side = 2 * int(3 * core + 5) + 1
            scan = Scan((1, side, side), (1.0, 1.0, 1.0))
            (u, v, _), _ = plane(LambOseen(2.0, core, scan.centre), side, 1.0)
            found = plane_vorticity(u, v, (1.0, 1.0), 5)
            ring, true = circle(3 * core, scan.centre[:2]), 2 * (1 - np.exp(-9))
            self.assertLessEqual(abs(circulation_within(found, (1.0, 1.0), ring) / true - 1), 0.005)
            self.assertLessEqual(abs(circulation_along(u, v, (1.0, 1.0), ring) / true - 1), 0.01)
        with self.assertRaises(Refusal):
            circulation_along(u, v, (1.0, 1.0), ring + core)


class WindowTest(unittest.TestCase):
    def test_no_value_is_nan_and_never_nought(self) -> None:
        field = np.add.outer(np.arange(9.0), 2 * np.arange(9.0))
        mask = np.zeros((9, 9), bool)
        mask[4] = True
        self.assertTrue(np.isnan(gradient(field, (1.0, 1.0), 5, 1, mask)).all(), "a line settles no plane")
        mask[:] = False
        mask[3:5, 3:6] = True
        found = gradient(field, (1.0, 1.0), 5, 1, mask)
        np.testing.assert_allclose(found[:, 3:5, 3:6], np.array([2.0, 1.0])[:, None, None] * np.ones((2, 3)))
        self.assertEqual(int(np.isfinite(found[0]).sum()), 6)
        mask[4, 5] = False
        self.assertTrue(np.isnan(gradient(field, (1.0, 1.0), 5, 1, mask)).all(), "five are too few")

    def test_voxels_without_a_value_count_as_outside(self) -> None:
        field = np.add.outer(np.arange(9.0), 2 * np.arange(9.0))
        field[4, 4] = np.nan
        found = gradient(field, (1.0, 1.0), 5)
        self.assertTrue(np.isnan(found[:, 4, 4]).all())
        np.testing.assert_allclose(np.delete(found.reshape(2, -1), 40, 1), np.outer([2.0, 1.0], np.ones(80)))

    def test_masks_may_differ_between_frames(self) -> None:
        random = np.random.default_rng(2)
        field, mask = random.random((3, 6, 7, 8)), random.random((3, 6, 7, 8)) < 0.8
        found = gradient(field, (1.0, 2.0, 3.0), 3, 1, mask)
        for frame in range(3):
            alone = gradient(field[frame], (1.0, 2.0, 3.0), 3, 1, mask[frame])
            np.testing.assert_array_equal(found[:, frame], alone)

    def test_the_fit_is_least_squares_by_the_textbook(self) -> None:
        random = np.random.default_rng(3)
        field, mask = random.random((11, 12)), random.random((11, 12)) < 0.9
        mask[5, 6] = True
        found = gradient(field, (0.5, 0.25), 5, 3, mask)[:, 5, 6]
        y, x = np.nonzero(mask[3:8, 4:9])
        x, y = (x - 2) * 0.5, (y - 2) * 0.25
        columns = [x**i * y**j for i in range(4) for j in range(4 - i)]
        names = [(i, j) for i in range(4) for j in range(4 - i)]
        answer = np.linalg.lstsq(np.stack(columns, 1), field[3:8, 4:9][mask[3:8, 4:9]], rcond=None)[0]
        expected = [answer[names.index((1, 0))], answer[names.index((0, 1))]]
        np.testing.assert_allclose(found, expected, rtol=1e-9)

    def test_windows_that_do_not_fit_are_refused_and_not_rounded(self) -> None:
        field = np.zeros((9, 12))
        for window, order in ((4, 1), (1, 1), (11, 1), (17, 1), (3, 3)):
            with self.assertRaises(Refusal) as caught:
                gradient(field, (1.0, 1.0), window, order)
            self.assertEqual(caught.exception.reason, "window_invalid")
            self.assertEqual(caught.exception.params["window"], window)
        with self.assertRaises(Refusal):
            gradient(field, (1.0, 1.0), 5, 2)


if __name__ == "__main__":
    unittest.main()
