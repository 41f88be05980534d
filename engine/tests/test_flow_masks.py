"""Masks of flow, phantoms as measured, and lights of quality."""

from __future__ import annotations

import unittest
from dataclasses import replace

import numpy as np

from neuroloom_engine.flow import quality
from neuroloom_engine.flow.correct import correct
from neuroloom_engine.flow.derived import divergence_ratio, jacobian
from neuroloom_engine.flow.gallery import GALLERY, made
from neuroloom_engine.flow.masks import (
    above,
    angiogram,
    complex_difference,
    eroded,
    filled,
    largest_piece,
    noise_mask,
    otsu,
    piece_at,
)
from neuroloom_engine.flow.offset import still_tissue
from neuroloom_engine.flow.phantom import Phantom
from neuroloom_engine.flow.planes import Plane, circle, flow_through, polygon_region
from neuroloom_engine.flow.study import Refusal, frame_seconds
from neuroloom_engine.flow.tubes import Tube


def overlap(mask: np.ndarray, truth: np.ndarray) -> float:
    """Dice."""
    return 2 * float((mask & truth).sum()) / float(mask.sum() + truth.sum())


class MasksTest(unittest.TestCase):
    def test_a_vessel_in_a_thorax_is_found_from_its_flow(self) -> None:
        phantom = made("thorax", snr=15.0)
        study = correct(phantom.study, 2, False).study
        truth = phantom.lumen > 0.5
        for picture in (angiogram(study), complex_difference(study)):
            vessel = filled(largest_piece(above(picture, otsu(picture))))
            # Slow blood at the wall is darker than the threshold.
            self.assertGreater(overlap(vessel, truth), 0.7)
            z, y, x = (side // 2 for side in truth.shape)
            np.testing.assert_array_equal(piece_at(vessel, (z, y, x)), vessel)
        np.testing.assert_array_equal(noise_mask(study), phantom.static | (phantom.lumen > 0))

    def test_pieces_holes_and_edges(self) -> None:
        mask = np.zeros((5, 9, 9), bool)
        mask[1:4, 1:4, 1:4] = True
        mask[2, 2, 2] = False
        mask[1:4, 1:4, 5:8] = True
        mask[4, 4, 4] = True
        self.assertEqual(int(largest_piece(mask).sum()), 27)
        self.assertEqual(int(piece_at(mask, (1, 1, 1)).sum()), 26)
        # By a corner alone nothing hangs together.
        self.assertEqual(int(piece_at(mask, (4, 4, 4)).sum()), 1)
        self.assertEqual(int(filled(mask).sum()), int(mask.sum()) + 1)
        self.assertEqual(int(eroded(filled(mask)).sum()), 2)
        for seed in ((0, 0, 0), (9, 0, 0), (-1, 1, 1)):
            with self.assertRaises(Refusal) as caught:
                piece_at(mask, seed)
            self.assertEqual(caught.exception.reason, "seed_outside_mask")
        with self.assertRaises(Refusal) as caught:
            above(np.zeros((2, 2, 2)), 1.0)
        self.assertEqual(caught.exception.reason, "mask_empty")
        with self.assertRaises(Refusal):
            largest_piece(np.zeros((2, 2, 2), bool))

    def test_otsu_parts_two_heaps_in_the_middle(self) -> None:
        random = np.random.default_rng(1)
        values = np.concatenate([random.normal(1, 0.1, 4000), random.normal(3, 0.2, 1000), [np.nan]])
        self.assertTrue(1.5 < otsu(values) < 2.5, otsu(values))


class PhantomTest(unittest.TestCase):
    def test_every_flow_of_the_gallery_is_measured_within_its_noise(self) -> None:
        for name in GALLERY:
            phantom = made(name, shape=(12, 20, 24), frames=2, snr=20.0, offset_peak=0.0, samples=2, seed=4)
            venc = np.array(phantom.scan.venc).reshape(3, 1, 1, 1, 1)
            gap = phantom.study.velocity - phantom.velocity
            gap -= 2 * venc * np.rint(gap / (2 * venc))
            bright = np.broadcast_to(phantom.lumen > 0.99, gap.shape)
            self.assertAlmostEqual(
                float(gap[bright].std()) / (2**0.5 / np.pi * 1.5 / 20), 1, delta=0.06, msg=name
            )
            self.assertEqual(phantom.vorticity.shape, phantom.velocity.shape)
            self.assertLessEqual(np.abs(phantom.study.velocity / venc).max(), 1 + 1e-6)
        with self.assertRaises(Refusal) as caught:
            made("whirlpool")
        self.assertEqual(caught.exception.reason, "phantom_unknown")

    def test_the_same_seed_gives_the_same_study_and_another_another(self) -> None:
        one, same, other = (made("pulsatile", shape=(6, 14, 14), snr=9.0, seed=seed) for seed in (1, 1, 2))
        np.testing.assert_array_equal(one.study.velocity, same.study.velocity)
        self.assertGreater(np.abs(one.study.velocity - other.study.velocity).max(), 0.01)

    def test_true_vorticity_is_the_curl_of_true_velocity(self) -> None:
        for name in ("vortex", "taylorGreen", "abc", "linear", "rotation", "womersley", "ring"):
            phantom = made(name, shape=(24, 24, 24), frames=1, samples=1)
            flow, at = phantom.flow, phantom.scan.positions()[:, 8:16, 8:16, 8:16].reshape(3, -1)
            step = 1e-6
            j = np.empty((3, 3, at.shape[1]))
            for axis in range(3):
                aside = step * np.eye(3)[axis][:, None]
                j[:, axis] = (flow.velocity(at + aside, 0.0) - flow.velocity(at - aside, 0.0)) / (2 * step)
            curl = np.stack([j[2, 1] - j[1, 2], j[0, 2] - j[2, 0], j[1, 0] - j[0, 1]])
            true = flow.vorticity(at, 0.0)
            # Profiles from tables bend in steps, and walls are sharp.
            near = np.quantile(np.abs(curl - true), 0.95)
            self.assertLess(near, 0.01 * np.abs(true).max() + 1e-6, name)
            self.assertLess(np.quantile(np.abs(np.trace(j)), 0.95), 0.01 * np.abs(true).max() + 1e-6, name)

    def test_studies_that_do_not_fit_are_refused_by_name(self) -> None:
        study = made("rotation", shape=(3, 4, 5), frames=3).study
        for change, reason in (
            ({"magnitude": study.magnitude[:2]}, "unequal_grids"),
            ({"velocity": study.velocity[:2]}, "velocity_shape"),
            ({"venc": (1.0, 0.0, 1.0)}, "venc_unknown"),
            ({"spacing": (1.0, float("nan"), 1.0)}, "spacing_not_positive"),
            ({"times": study.times[::-1]}, "times_unfit"),
            ({"period": 0.1}, "period_too_short"),
        ):
            with self.assertRaises(Refusal) as caught:
                replace(study, **change)
            self.assertEqual(caught.exception.reason, reason)

    def test_frames_stand_for_the_whole_beat_or_for_what_lies_between_them(self) -> None:
        times = np.array([0.0, 0.1, 0.4])
        np.testing.assert_allclose(frame_seconds(times, 0.5), [0.1, 0.2, 0.2])
        np.testing.assert_allclose(frame_seconds(times, None), [0.05, 0.2, 0.15])


class QualityTest(unittest.TestCase):
    def beat(self, **changes: object) -> Phantom:
        return made("womersley", snr=20.0, **changes)

    def test_lights_of_a_good_study_are_green_and_tell_their_numbers(self) -> None:
        phantom = self.beat()
        study, lumen = phantom.study, phantom.lumen > 0.5
        tube = phantom.flow
        assert isinstance(tube, Tube)
        lights = [
            quality.voxels_across(max(study.spacing), np.pi * tube.radius**2),
            quality.spacing(study),
            quality.venc_fit(study, lumen),
            quality.noise(study, still_tissue(study), lumen),
            quality.divergence(divergence_ratio(jacobian(study.velocity[:, 5], study.spacing, 5, 1, lumen))),
        ]
        self.assertEqual([light.colour for light in lights], ["green"] * 5, lights)
        self.assertAlmostEqual(lights[0].value, 10, places=6)
        self.assertAlmostEqual(lights[0].numbers["flowBias"], -0.02, places=6)
        self.assertAlmostEqual(lights[3].numbers["sigma"], 100 * 2**0.5 / np.pi * 1.5 / 20, delta=0.2)
        self.assertEqual(quality.frame_gap(study).colour, "amber")
        self.assertAlmostEqual(quality.frame_gap(study).value, 50.0)

    def test_lights_of_a_poor_study_are_red(self) -> None:
        study = self.beat(shape=(8, 12, 12), spacing=(3.5e-3,) * 3, frames=8, venc=(0.4,) * 3).study
        mask = np.ones(study.magnitude.shape[1:], bool)
        self.assertEqual(quality.voxels_across(max(study.spacing), np.pi * (6e-3) ** 2).colour, "red")
        self.assertEqual(quality.spacing(study).colour, "red")
        self.assertEqual(quality.frame_gap(study).colour, "red")
        fast = replace(study, velocity=study.velocity * 3)
        self.assertEqual(quality.venc_fit(fast, mask).colour, "red")
        self.assertEqual(quality.torn_share(0.02, 0.1).colour, "red")
        noise = np.random.default_rng(1).normal(0, 1, (3, 8, 9, 10))
        self.assertEqual(
            quality.divergence(divergence_ratio(jacobian(noise, (1.0, 1.0, 1.0), 3))).colour, "red"
        )
        with self.assertRaises(Refusal) as caught:
            quality.noise(study, replace(still_tissue(study), mask=mask & False), mask)
        self.assertEqual(caught.exception.reason, "no_static_tissue")

    def test_two_planes_of_one_tube_balance_and_of_two_flows_do_not(self) -> None:
        study = self.beat().study
        x, y, z = (15.5 * 2e-3,) * 3
        planes = [Plane((x, y, z + by), (0.3, 0.2, 0.93), 0.02) for by in (-0.002, 0.002)]
        flows = []
        for plane, by in zip(planes, (-0.002, 0.002), strict=True):
            # The tube leans: its middle moves with the plane.
            middle = (x + by * 0.3 / 0.93, y + by * 0.2 / 0.93, z + by)
            there = replace(plane, centre=middle)
            flows.append(flow_through(study, there, polygon_region(there, study.spacing, circle(0.01))))
        self.assertEqual(quality.mass_balance(*flows).colour, "green")
        self.assertLess(quality.mass_balance(*flows).value, 3)
        self.assertEqual(
            quality.mass_balance(flows[0], replace(flows[1], net=0.86 * flows[1].net)).colour, "amber"
        )
        self.assertEqual(
            quality.mass_balance(flows[0], replace(flows[1], net=0.5 * flows[1].net)).colour, "red"
        )
        self.assertEqual(quality.Light("any", float("nan"), "", 1, 2).colour, "red")


if __name__ == "__main__":
    unittest.main()
