"""Flow through planes against tubes where it is known: acceptance 15, 22 and planes along one vessel."""

from __future__ import annotations

import unittest
from dataclasses import replace

import numpy as np

from neuroloom_engine.flow.phantom import Phantom, Scan, measured
from neuroloom_engine.flow.planes import (
    Plane,
    Region,
    circle,
    covered,
    flow_through,
    mask_region,
    mask_regions,
    polygon_region,
)
from neuroloom_engine.flow.quality import flow_bias
from neuroloom_engine.flow.study import Refusal, Study, Vector
from neuroloom_engine.flow.tubes import Parabola, Profile, Tube, Womersley

H = 2e-3
ALONG: Vector = (0.0, 0.0, 1.0)
OBLIQUE: Vector = (0.3, 0.2, 0.93)


def tube(
    profile: Profile,
    across: int,
    direction: Vector,
    shift: Vector = (0, 0, 0),
    frames: int = 1,
    slices: int = 9,
) -> Phantom:
    """Voxel means (4 x 4 x 4) of a tube so many voxels across, `shift` voxels off the middle."""
    side = across + 8
    scan = Scan((slices, side, side), (H, H, H), frames=frames, samples=4)
    x, y, z = (middle + H * by for middle, by in zip(scan.centre, shift, strict=True))
    return measured(Tube(profile, across * H / 2, (x, y, z), direction), scan)


def plane_of(phantom: Phantom, along: float = 0.0) -> Plane:
    """Across the tube, `along` metres from its centre."""
    flow = phantom.flow
    assert isinstance(flow, Tube)
    axis = np.array(flow.direction) / np.linalg.norm(flow.direction)
    x, y, z = np.array(flow.centre) + along * axis
    return Plane((float(x), float(y), float(z)), flow.direction, 1.6 * flow.radius)


def shifts(count: int) -> list[Vector]:
    rows = np.random.default_rng(0).uniform(-0.5, 0.5, (count, 3))
    return [(float(x), float(y), float(z)) for x, y, z in rows]


class PlaneFlowTest(unittest.TestCase):
    def test_15_flow_of_poiseuille_by_exact_area(self) -> None:
        for across, percent in ((6, 6.0), (8, 3.5), (10, 2.5), (16, 1.0)):
            for direction in (ALONG, OBLIQUE):
                for shift in shifts(4):
                    phantom = tube(Parabola(1.0), across, direction, shift)
                    plane, spacing = plane_of(phantom), phantom.scan.spacing
                    region = polygon_region(plane, spacing, circle(across * H / 2))
                    self.assertAlmostEqual(region.area / (np.pi * (across * H / 2) ** 2), 1, delta=2e-4)
                    rates = phantom.flow_rate
                    assert rates is not None
                    error = flow_through(phantom.study, plane, region).rate[0] / rates[0] - 1
                    self.assertLessEqual(abs(100 * error), percent, (across, direction, shift))
                    # What the light of voxels across tells about it.
                    self.assertAlmostEqual(error, flow_bias(across), delta=0.012)
                    if direction == ALONG:
                        whole = polygon_region(plane, spacing, circle(across * H / 2), "voxels")
                        other = flow_through(phantom.study, plane, whole)
                        self.assertEqual(other.rule, "voxels")
                        self.assertLess(abs(other.rate[0] / rates[0] - 1), abs(error))

    def test_22_womersley_flow_over_the_beat_and_its_profile(self) -> None:
        for across, *limits in ((8, 5.0, 3.3, 2.6), (10, 3.6, 2.4, 1.9), (16, 1.6, 1.2, 1.0)):
            for alpha, direction in ((10.0, ALONG), (15.0, OBLIQUE)):
                profile = Womersley(1.0, (0.5 + 0j,), 1.0, alpha)
                phantom = tube(profile, across, direction, shifts(1)[0], frames=20)
                plane, spacing = plane_of(phantom), phantom.scan.spacing
                region = polygon_region(plane, spacing, circle(across * H / 2))
                found, true = flow_through(phantom.study, plane, region), phantom.flow_rate
                assert true is not None
                error = np.abs(found.rate - true).max() / np.abs(true).max()
                net = found.net / (np.pi * (across * H / 2) ** 2 * profile.steady / 2) - 1
                at = phantom.scan.positions()
                core = phantom.flow.holds(at, -0.3 * across * H / 2)
                exact = np.stack([phantom.flow.velocity(at[:, core], t) for t in phantom.scan.times], axis=1)
                gap = np.square(phantom.study.velocity[:, :, core] - exact).sum(axis=0).mean()
                rms = np.sqrt(gap / np.square(exact).sum(axis=0).max())
                for value, percent in zip((error, abs(net), rms), limits, strict=True):
                    self.assertLessEqual(100 * value, percent, (across, alpha))

    def test_planes_along_one_vessel_agree_within_3_percent(self) -> None:
        profiles: tuple[Profile, ...] = (Parabola(1.0), Womersley(0.6, (0.4 - 0.2j, 0.1j), 1.0, 12.0))
        for profile in profiles:
            for across in (6, 10):
                phantom = tube(profile, across, OBLIQUE, shifts(1)[0], 8, 17)
                spacing, lumen = phantom.scan.spacing, phantom.lumen > 0.5
                net = []
                for along in (-2.3 * H, -H, 0.0, 0.8 * H, 2.1 * H):
                    plane = plane_of(phantom, along)
                    drawn = polygon_region(plane, spacing, circle(across * H / 2))
                    regions = (
                        drawn,
                        mask_region(plane, spacing, lumen),
                        mask_region(plane, spacing, lumen, "voxels"),
                    )
                    net.append([flow_through(phantom.study, plane, region).net for region in regions])
                spread = np.ptp(net, axis=0) / np.mean(net, axis=0)
                self.assertLessEqual(spread.max(), 0.03, (profile, across))

    def test_volumes_of_a_curve_that_is_known(self) -> None:
        """Uniform flow Q = 3 + 5 cos: backward volume where it is below 0, by the periodic trapezoid."""
        frames = 40
        times = np.arange(frames) / frames
        curve = 0.3 + 0.5 * np.cos(2 * np.pi * times)
        velocity = np.zeros((3, frames, 5, 9, 9), np.float32)
        velocity[2] = curve[:, None, None, None]
        study = Study(velocity, velocity[0], (H, H, H), times, 1.0, (1.0, 1.0, 1.0), np.eye(4))
        plane = Plane((4 * H, 4 * H, 2 * H), ALONG, 3 * H)
        region = polygon_region(plane, study.spacing, circle(2 * H))
        found = flow_through(study, plane, region)
        np.testing.assert_allclose(found.rate, curve * region.area, rtol=1e-6)
        np.testing.assert_allclose(found.mean, curve, rtol=1e-6)
        turn = np.arccos(-0.6)
        forward = (0.3 * turn + 0.5 * np.sin(turn)) / np.pi
        self.assertAlmostEqual(found.net / region.area, 0.3, places=6)
        self.assertAlmostEqual(found.forward / region.area, forward, delta=2e-3)
        self.assertAlmostEqual(found.regurgitant_fraction, 1 - 0.3 / forward, delta=3e-3)
        self.assertAlmostEqual(found.pulsatility, 1.0 / 0.3, places=5)
        self.assertAlmostEqual(found.peak[0], 0.8, places=6)
        against = flow_through(study, replace(plane, normal=(0.0, 0.0, -2.0)), region)
        np.testing.assert_allclose(against.rate, -found.rate)
        # Prospective: the last frame leads nowhere.
        once = flow_through(replace(study, period=None), plane, region)
        self.assertFalse(once.is_periodic)
        seconds = float(np.trapz(curve, times))
        self.assertAlmostEqual(once.net / region.area, seconds, places=6)
        single = replace(
            study, velocity=velocity[:, :1], magnitude=velocity[0, :1], times=times[:1], period=None
        )
        self.assertTrue(np.isnan(flow_through(single, plane, region).net))

    def test_a_mask_gives_the_piece_around_the_centre_frame_by_frame(self) -> None:
        mask = np.zeros((2, 5, 16, 16), bool)
        mask[:, :, 3:7, 3:7] = True
        mask[1, :, 3:7, 7] = True
        mask[:, :, 3:7, 10:14] = True
        plane = Plane((4.5 * H, 4.5 * H, 2 * H), ALONG, 9 * H)
        regions = mask_regions(plane, (H, H, H), mask, 2)
        assert not isinstance(regions, Region)
        areas = [region.area / H**2 for region in regions]
        # Four by four voxels; interpolated, the corners are rounder.
        self.assertAlmostEqual(areas[0], 16, delta=0.6)
        self.assertAlmostEqual(areas[1], 20, delta=0.6)
        whole = mask_region(plane, (H, H, H), mask[0], "voxels")
        self.assertAlmostEqual(whole.area / H**2, 16)
        with self.assertRaises(Refusal) as caught:
            mask_region(replace(plane, centre=(8.5 * H, 4.5 * H, 2 * H)), (H, H, H), mask[0])
        self.assertEqual(caught.exception.reason, "centre_outside_mask")

    def test_a_polygon_covers_its_area_and_what_leaves_the_grid_is_refused(self) -> None:
        places = np.arange(12.0)
        square = np.array([[2.25, 3.0], [7.5, 3.0], [7.5, 5.125], [2.25, 5.125]])
        share = covered(square, places, places)
        self.assertAlmostEqual(float(share.sum()), 5.25 * 2.125, delta=0.4)
        self.assertEqual(share[4, 4], 1.0)
        self.assertAlmostEqual(share[4, 2], 0.25)
        self.assertAlmostEqual(
            float(covered(circle(3.0, (5.5, 5.2)), places, places).sum()), 9 * np.pi, delta=0.02
        )
        phantom = tube(Parabola(1.0), 6, ALONG)
        plane = plane_of(phantom)
        region = polygon_region(plane, phantom.scan.spacing, circle(2 * H, (7 * H, 0.0)))
        with self.assertRaises(Refusal) as caught:
            flow_through(phantom.study, plane, region)
        self.assertEqual(caught.exception.reason, "region_without_values")
        with self.assertRaises(Refusal):
            polygon_region(plane, phantom.scan.spacing, np.zeros((3, 2)))
        with self.assertRaises(Refusal):
            flow_through(phantom.study, plane, [])


if __name__ == "__main__":
    unittest.main()
