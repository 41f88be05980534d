"""Corrections against phantoms whose truth is known: acceptance 19, 20 and 21, and their order."""

from __future__ import annotations

import itertools
import unittest
from dataclasses import replace

import numpy as np

from neuroloom_engine.flow.correct import correct
from neuroloom_engine.flow.gallery import lungs, made
from neuroloom_engine.flow.offset import fit_offset, still_tissue, wrapped
from neuroloom_engine.flow.phantom import Phantom, Scan, measured
from neuroloom_engine.flow.quality import offset_left, torn_share
from neuroloom_engine.flow.study import Refusal
from neuroloom_engine.flow.tubes import Parabola, Tube
from neuroloom_engine.flow.unwrap import flipped, torn, unwrap

H = 2e-3


def pulsing(across: int, ratio: float, snr: float, seed: int, **changes: object) -> Phantom:
    """An oblique tube in still tissue whose peak is `ratio` times VENC."""
    scan = Scan(
        (10, across + 10, across + 10), (H, H, H), 20, venc=(1.0, 1.0, 1.0), snr=snr, samples=3, seed=seed
    )
    scan = replace(scan, **changes)
    x, y, z = scan.centre
    tube = Tube(Parabola(ratio, 0.1), across * H / 2, (x + 0.3 * H, y - 0.2 * H, z), (0.25, -0.3, 1.0))
    return measured(tube, scan)


def thorax(order: int, seed: int) -> Phantom:
    return made("thorax", offset_order=order, seed=seed)


def wrong(phantom: Phantom, velocity: np.ndarray) -> int:
    """Voxels of the lumen that are whole wraps from the truth, of all components."""
    venc = np.array(phantom.scan.venc).reshape(3, 1, 1)
    inside = phantom.lumen > 0.5
    return int((np.abs(velocity - phantom.velocity)[:, :, inside] > venc).sum())


class UnwrapTest(unittest.TestCase):
    def test_19_pulsatile_flow_up_to_1_9_venc_is_unwrapped_without_a_voxel_left(self) -> None:
        cases = [*itertools.product((8,), (1.2, 1.5, 1.9), (5.0, 10.0, 20.0)), (10, 1.5, 5.0), (12, 1.9, 5.0)]
        for across, ratio, snr in cases:
            phantom = pulsing(across, ratio, snr, seed=across)
            self.assertGreater(wrong(phantom, phantom.study.velocity), 100)
            result = correct(phantom.study, None, True)
            self.assertEqual(wrong(phantom, result.study.velocity), 0, (across, ratio, snr))
            self.assertEqual(torn_share(result.steps[1].after, 0.0).colour, "green")

    def test_19_what_was_not_wrapped_comes_back_to_the_last_bit(self) -> None:
        for snr in (5.0, 20.0):
            phantom = pulsing(8, 0.7, snr, seed=3)
            found = correct(phantom.study, None, True).study.velocity
            np.testing.assert_array_equal(found, phantom.study.velocity)

    def test_time_without_a_period_and_single_frames_are_unwrapped_too(self) -> None:
        for changes in ({"is_periodic": False}, {"frames": 1, "is_periodic": False}):
            phantom = pulsing(10, 1.7, 10.0, 4, **changes)
            if phantom.study.frames == 1:
                # The first frame of the beat is slow: one of systole.
                phantom = measured(Tube(Parabola(1.7), 5 * H, phantom.scan.centre), phantom.scan)
            self.assertGreater(wrong(phantom, phantom.study.velocity), 50)
            self.assertEqual(wrong(phantom, correct(phantom.study, None, True).study.velocity), 0)

    def test_nothing_changes_outside_the_mask(self) -> None:
        phantom = pulsing(8, 1.5, 10.0, 5)
        mask = phantom.lumen > 0.3
        component, venc = phantom.study.velocity[2], 1.0
        found = unwrap(component, venc, True, mask)
        np.testing.assert_array_equal(found.velocity[:, ~mask], component[:, ~mask])
        self.assertGreater(found.changed, 0.03)
        with self.assertRaises(Refusal) as caught:
            unwrap(component, venc, True, np.zeros_like(mask))
        self.assertEqual(caught.exception.reason, "mask_empty")

    def test_the_noise_filter_is_used_where_it_leaves_fewer_torn_voxels_and_nowhere_else(self) -> None:
        noisy = pulsing(6, 2.5, 2.0, seed=3)
        plain, filtered = noisy.study, correct(noisy.study, None, True)
        without = np.stack([unwrap(v, 1.0, True, None, noisy.static).velocity for v in plain.velocity])
        self.assertTrue(filtered.steps[2].is_done)
        self.assertLess(wrong(noisy, filtered.study.velocity), 0.75 * wrong(noisy, without))
        clear = correct(pulsing(8, 1.5, 10.0, 3).study, None, True)
        self.assertFalse(clear.steps[2].is_done)

    def test_a_voxel_can_be_turned_by_hand(self) -> None:
        phantom = pulsing(8, 0.7, 20.0, 6)
        component = phantom.study.velocity[2]
        off = flipped(component, 1.0, (3, 4, 5, 6), 1)
        self.assertAlmostEqual(float(off[3, 4, 5, 6] - component[3, 4, 5, 6]), 2.0, places=5)
        self.assertEqual(int((off != component).sum()), 1)
        everywhere = np.ones(component.shape, bool)
        self.assertAlmostEqual(torn(off / 2, everywhere, True), 1 / component.size)


class OffsetTest(unittest.TestCase):
    def test_20_an_offset_is_removed_by_a_fit_of_its_order_or_more(self) -> None:
        for order in (1, 2, 3):
            phantom = thorax(order, seed=order)
            self.assertAlmostEqual(float(np.abs(phantom.offset).max()), 0.05, places=5)
            still = still_tissue(phantom.study)
            self.assertEqual(still.most_order, 3, still.share)
            self.assertGreater((still.mask & phantom.static).sum() / still.mask.sum(), 0.99)
            for fitted in range(order, 4):
                offset = fit_offset(phantom.study, fitted, still)
                gap = np.abs(offset.field - phantom.offset)[:, phantom.lumen > 0.5] * 100
                self.assertLessEqual(gap.mean(), 0.1, (order, fitted))
                self.assertLessEqual(gap.max(), 0.3, (order, fitted))
                self.assertEqual(offset_left(offset).colour, "green", offset.after)

    def test_21_a_fit_of_too_low_an_order_is_a_red_light(self) -> None:
        for seed in range(3):
            phantom = thorax(2, seed)
            light = offset_left(fit_offset(phantom.study, 1, still_tissue(phantom.study)))
            self.assertEqual(light.colour, "red", light)
            self.assertGreater(light.value, 0.6)

    def test_orders_without_enough_still_tissue_are_refused_with_the_numbers(self) -> None:
        phantom = thorax(2, 1)
        still = still_tissue(phantom.study)
        for share, allowed in ((0.7, 2), (0.5, 1), (0.2, 0)):
            with self.assertRaises(Refusal) as caught:
                fit_offset(phantom.study, 3, replace(still, share=share, most_order=allowed))
            self.assertEqual(caught.exception.reason, "static_tissue_little")
            self.assertEqual(caught.exception.params["allowed"], allowed)
        # A vessel that fills a small image leaves little that stands still.
        narrow = pulsing(8, 0.8, 20.0, 1, shape=(10, 12, 12))
        self.assertLess(still_tissue(narrow.study).share, 0.75)
        self.assertIn(still_tissue(narrow.study).most_order, (1, 2))
        with self.assertRaises(Refusal) as caught:
            fit_offset(phantom.study, 1, replace(still, mask=still.mask & False, share=0.0, most_order=None))
        self.assertEqual(caught.exception.reason, "no_static_tissue")
        with self.assertRaises(Refusal) as caught:
            fit_offset(phantom.study, 4, still)
        self.assertEqual(caught.exception.reason, "order_invalid")

    def test_what_leaves_the_range_is_wrapped_again_and_the_rest_keeps_its_bits(self) -> None:
        velocity = np.array([0.3, 1.0, -1.0, 1.2, -2.9, 0.999], np.float32)
        np.testing.assert_allclose(wrapped(velocity, 1.0), [0.3, 1.0, 1.0, -0.8, -0.9, 0.999], rtol=1e-5)
        self.assertEqual(wrapped(velocity, 1.0)[0], velocity[0])


class ChainTest(unittest.TestCase):
    def test_background_comes_first_then_unwrapping_and_both_tell_their_numbers(self) -> None:
        scan = Scan((20, 30, 32), (H, H, H), 20, snr=10.0, offset_order=1, offset_peak=0.05, samples=3)
        tube = Tube(Parabola(1.5 * 1.5, 0.1), 5 * H, scan.centre, (0.1, 0.05, 1.0))
        phantom = measured(tube, scan, lungs(scan))
        before = wrong(phantom, phantom.study.velocity)
        self.assertGreater(before, 500)
        result = correct(phantom.study, 1, True)
        self.assertEqual([step.name for step in result.steps], ["offset", "unwrap", "filter"])
        offset, unwrapping, _ = result.steps
        self.assertGreater(offset.before, 0.01)
        self.assertLess(offset.after, 0.003)
        self.assertLess(unwrapping.after, unwrapping.before)
        self.assertGreater(unwrapping.numbers["changed"], 0)
        self.assertEqual(wrong(phantom, result.study.velocity), 0)
        mean = (result.study.velocity - phantom.velocity)[:, :, phantom.lumen > 0.9].mean(axis=(1, 2))
        self.assertLess(np.abs(mean).max(), 0.005)
        same = correct(phantom.study, None, False)
        self.assertFalse(any(step.is_done for step in same.steps))
        self.assertGreater(same.steps[1].before, 0)
        np.testing.assert_array_equal(same.study.velocity, phantom.study.velocity)


if __name__ == "__main__":
    unittest.main()
