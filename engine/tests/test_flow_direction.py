"""The direction check on flow in a real aorta (CFD), and where it must not be sure: acceptance 23.

The measured carotid of that number is not at hand; a thin vessel made here stands for it.
"""

from __future__ import annotations

import itertools
import os
import unittest
from importlib import import_module
from pathlib import Path

import numpy as np

from neuroloom_engine.flow.direction import check_direction, to_grid, turned
from neuroloom_engine.flow.phantom import Scan, measured
from neuroloom_engine.flow.study import Refusal, Values
from neuroloom_engine.flow.tubes import Parabola, Tube

DATA = Path(os.environ.get("SHARED_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
AORTA = DATA / "flow4d-aorta-cfd" / "original" / "example_data_HR.h5"


def aorta() -> tuple[Values, Values]:
    """Velocity (3, z, y, x) in m/s along the grid, and the lumen; the file's axes are x, y, z."""
    # h5py has no stubs.
    with import_module("h5py").File(AORTA) as file:
        velocity = np.stack([file[name][0].T for name in "uvw"])
        return velocity, file["mask"][0].T > 0.5


class DirectionTest(unittest.TestCase):
    @unittest.skipUnless(AORTA.exists(), f"no aorta in {DATA}")
    def test_23_order_and_signs_are_found_under_noise(self) -> None:
        velocity, lumen = aorta()
        side = 0.59375e-3
        spacing = (side, side, side)
        peak = float(np.abs(velocity).max())
        orders = list(itertools.permutations(range(3)))
        for noise, seed in itertools.product((0.05, 0.10, 0.20), range(5)):
            random = np.random.default_rng(seed)
            true = velocity + random.normal(0, noise * peak, velocity.shape).astype(np.float32)
            order, signs = orders[seed], random.choice([-1, 1], 3)
            # As a file would have it: components in another order and with other signs.
            stored = true[list(order)] * signs.reshape(3, 1, 1, 1)
            found = check_direction(stored, spacing, lumen)
            self.assertTrue(found.is_sure, (noise, seed, found.ratio))
            directions = turned(np.eye(3), found.best.order, found.best.signs)
            back = np.tensordot(to_grid(directions).astype(np.float32), stored, 1)
            # All three signs together show nowhere.
            sign = np.sign((back * true).sum())
            np.testing.assert_array_equal(back * sign, true)

    def test_23_a_thin_vessel_is_not_sure(self) -> None:
        for seed, direction in enumerate(
            ((0.2, 0.1, 1.0), (1.0, 0.3, 0.2), (0.5, 1.0, 0.4), (1.0, 1.0, 1.0))
        ):
            scan = Scan((24, 24, 24), (1e-3, 1e-3, 1e-3), 4, snr=15.0, samples=3, seed=seed)
            vessel = measured(Tube(Parabola(0.8), 1.6e-3, scan.centre, direction), scan)
            found = check_direction(vessel.study.velocity, scan.spacing, vessel.lumen > 0.5)
            self.assertFalse(found.is_sure, (seed, found.ratio))

    def test_the_choice_is_ranked_and_the_recorded_one_is_known(self) -> None:
        z, y, x = np.indices((16, 16, 16)) / 16 * 2 * np.pi
        velocity = np.stack(
            [
                2 * np.sin(x) * np.cos(y) * np.cos(z),
                -np.cos(x) * np.sin(y) * np.cos(z),
                -np.cos(x) * np.cos(y) * np.sin(z),
            ]
        )
        found = check_direction(velocity[:, None], (1e-3, 1e-3, 1e-3), np.ones(x.shape, bool))
        self.assertEqual(len(found.ranked), 24)
        self.assertTrue(found.best.is_as_recorded)
        self.assertEqual(found.ratio, found.ranked[1].score / found.best.score)
        with self.assertRaises(Refusal) as caught:
            check_direction(velocity, (1.0, 1.0, 1.0), z < -1)
        self.assertEqual(caught.exception.reason, "mask_too_thin")


if __name__ == "__main__":
    unittest.main()
