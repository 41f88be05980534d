"""Streamlines and pathlines against flows whose lines are known: acceptance 9, 10, 11 and 14."""

from __future__ import annotations

import unittest

import numpy as np

from neuroloom_engine.flow.flows import ABC, TaylorGreen, solid_rotation
from neuroloom_engine.flow.lines import pathlines, streamlines
from neuroloom_engine.flow.phantom import Scan
from neuroloom_engine.flow.planes import Plane, circle, polygon_region
from neuroloom_engine.flow.sample import trilinear
from neuroloom_engine.flow.seeds import mask_seeds, plane_seeds
from neuroloom_engine.flow.study import Refusal, Values


def followed(flow: ABC, seeds: Values, seconds: float, steps: int) -> Values:
    """End points (k, 3) by RK4 of the flow itself, with steps so small that nothing is lost."""
    at, step = seeds.T, seconds / steps
    for _ in range(steps):
        first = flow.velocity(at, 0.0)
        second = flow.velocity(at + step / 2 * first, 0.0)
        third = flow.velocity(at + step / 2 * second, 0.0)
        at = at + step / 6 * (first + 2 * second + 2 * third + flow.velocity(at + step * third, 0.0))
    return at.T


class StreamlinesTest(unittest.TestCase):
    def test_9_a_loop_of_solid_rotation_closes_and_the_error_is_of_fourth_order(self) -> None:
        scan = Scan((3, 49, 49), (1.0, 1.0, 1.0))
        velocity = solid_rotation(1.0, scan.centre).velocity(scan.positions(), 0.0)
        seed = np.array([[scan.centre[0] + 20.0, scan.centre[1], 1.0]])
        around = 2 * np.pi * 20
        gaps = []
        for halvings in range(3):
            # Of about 1, 1/2 and 1/4 voxel, so that the last one ends where the first began.
            step = around / (126 * 2**halvings)
            lines = streamlines(velocity, scan.spacing, seed, step=step, longest=around, is_closing=False)
            forwards = lines.points[0, len(lines.points[0]) // 2 :]
            gaps.append(float(np.linalg.norm(forwards[-1] - forwards[0])))
        self.assertLessEqual(gaps[1], 1e-6)
        for coarse, fine in zip(gaps, gaps[1:], strict=False):
            self.assertAlmostEqual(coarse / fine, 16, delta=2)

    def test_10_the_stream_function_drifts_little_along_a_line_of_taylor_green(self) -> None:
        for side, most in ((16, 0.005), (32, 0.0005)):
            # Two voxels more than the box, so that no line leaves the grid by rounding.
            scan = Scan((3, side + 4, side + 4), (1.0, 1.0, 1.0))
            flow = TaylorGreen(1.0, float(side), scan.centre)
            velocity = flow.velocity(scan.positions(), 0.0)
            x, y, z = scan.centre
            seeds = np.array([[x + share * side, y, z] for share in (0.05, 0.1, 0.15)])
            lines = streamlines(velocity, scan.spacing, seeds, longest=4.0 * side, is_closing=False)
            self.assertEqual(lines.points.shape[1], 2 * 8 * side + 1)
            stream = flow.stream(lines.points.transpose(2, 0, 1))
            drift = np.abs(stream - flow.stream(seeds.T)[:, None]).max() / np.abs(stream).max()
            self.assertLessEqual(drift, most)

    def test_11_end_points_in_an_abc_flow_converge_with_the_square_of_the_voxel(self) -> None:
        random = np.random.default_rng(11)
        # So that the root of the mean square of speeds is 1.
        flow = ABC((3**-0.5, 3**-0.5, 3**-0.5), 2 * np.pi)
        seeds = random.uniform(2.2, 4.1, (40, 3))
        true = followed(flow, seeds, 1.0, 2000)
        errors = []
        for side in (16, 32, 64, 128):
            h = 2 * np.pi / side
            velocity = flow.velocity(Scan((side, side, side), (h, h, h)).positions(), 0.0)
            times = np.array([0.0])
            lines = pathlines(velocity[:, None], times, 1.0, (h, h, h), seeds, 0.0, 1.0)
            self.assertTrue((lines.ends == "time").all())
            gap = np.linalg.norm(lines.points[:, -1] - true, axis=1)
            errors.append(float(gap.max()))
            self.assertLessEqual(errors[-1] / h, 0.06)
        for coarse, fine in zip(errors, errors[1:], strict=False):
            self.assertGreaterEqual(coarse / fine, 3.4)
            self.assertLessEqual(coarse / fine, 4.8)

    def test_lines_end_for_the_reason_that_is_told(self) -> None:
        scan = Scan((5, 21, 21), (0.002, 0.002, 0.002))
        velocity = solid_rotation(10.0, scan.centre).velocity(scan.positions(), 0.0).astype(np.float32)
        x, y, z = scan.centre
        seeds = np.array([[x + 0.012, y, z], [x, y, z], [x + 0.1, y, z], [x + 0.003, y, z]])
        lines = streamlines(velocity, scan.spacing, seeds, longest=1.0)
        self.assertEqual(list(lines.ends), ["closed", "still", "mask", "closed"])
        self.assertEqual(len(lines.line(2)), 0)
        around = lines.line(0)
        np.testing.assert_allclose(np.linalg.norm(around[:, :2] - [x, y], axis=1), 0.012, rtol=1e-5)
        self.assertAlmostEqual(len(around), 2 * np.pi * 6 / 0.5, delta=2)
        np.testing.assert_allclose(lines.speeds[0, np.isfinite(lines.speeds[0])], 0.12, rtol=1e-5)
        mask = np.zeros(scan.shape, bool)
        mask[:, 10:] = True
        half = streamlines(velocity, scan.spacing, seeds[:1], mask, longest=1.0)
        self.assertEqual(
            (half.ends[0], half.starts[0] if half.starts is not None else None), ("mask", "mask")
        )
        self.assertGreaterEqual(half.line(0)[:, 1].min(), y - 0.001 - 1e-9)
        short = streamlines(velocity, scan.spacing, seeds[:1], longest=0.01)
        self.assertEqual(short.ends[0], "length")


class PathlinesTest(unittest.TestCase):
    def test_14_a_half_cycle_of_uniform_flow_is_short_by_what_linear_time_costs(self) -> None:
        frames, peak, spacing = 20, 0.5, (0.01, 0.01, 0.01)
        times = np.arange(frames) / frames
        velocity = np.zeros((3, frames, 3, 3, 40))
        velocity[0] = peak * np.sin(2 * np.pi * times)[:, None, None, None]
        lines = pathlines(velocity, times, 1.0, spacing, np.array([[0.05, 0.01, 0.01]]), 0.0, 0.5)
        moved = lines.points[0, -1, 0] - lines.points[0, 0, 0]
        error = 100 * (moved / (peak / np.pi) - 1)
        self.assertAlmostEqual(error, -0.82, delta=0.05)
        self.assertAlmostEqual(error, -100 * (2 * np.pi / frames) ** 2 / 12, delta=0.01)
        # Over the whole beat, across the seam, all comes back.
        whole = pathlines(velocity, times, 1.0, spacing, np.array([[0.25, 0.01, 0.01]]), 0.7, 1.0)
        np.testing.assert_allclose(whole.points[0, -1], whole.points[0, 0], atol=1e-12)

    def test_without_a_period_particles_end_with_the_last_frame(self) -> None:
        velocity = np.zeros((3, 5, 3, 3, 40))
        velocity[0] = 0.1
        times = np.arange(5) / 10
        seeds = np.array([[0.05, 0.01, 0.01], [0.38, 0.01, 0.01]])
        lines = pathlines(velocity, times, None, (0.01, 0.01, 0.01), seeds, 0.1, 5.0)
        self.assertEqual(list(lines.ends), ["time", "mask"])
        self.assertAlmostEqual(lines.points[0, -1, 0], 0.05 + 0.1 * 0.3)
        with self.assertRaises(Refusal):
            pathlines(velocity, times, None, (0.01, 0.01, 0.01), seeds, 0.4, 5.0)


class SeedsTest(unittest.TestCase):
    def test_seeds_are_spread_over_the_mask_and_come_again(self) -> None:
        mask = np.zeros((12, 20, 24), bool)
        mask[2:10, 3:17, 4:20] = True
        spacing = (0.002, 0.002, 0.003)
        seeds = mask_seeds(mask, spacing, 0.006, 3)
        gaps = np.linalg.norm(seeds[:, None] - seeds[None], axis=2)
        np.fill_diagonal(gaps, 1)
        self.assertGreater(gaps.min(), 0.006)
        # Every voxel of the mask has one within the distance, its own half diagonal aside.
        middles = np.argwhere(mask)[:, ::-1] * np.array(spacing)
        self.assertLess(np.linalg.norm(middles[:, None] - seeds[None], axis=2).min(axis=1).max(), 0.0085)
        at = np.rint(seeds / spacing).astype(int)
        self.assertTrue(mask[at[:, 2], at[:, 1], at[:, 0]].all())
        np.testing.assert_array_equal(seeds, mask_seeds(mask, spacing, 0.006, 3))
        self.assertFalse(np.array_equal(seeds, mask_seeds(mask, spacing, 0.006, 4)))
        plane = Plane((0.024, 0.02, 0.018), (0.0, 0.2, 1.0), 0.01)
        emitted = plane_seeds(polygon_region(plane, spacing, circle(0.008)), 0.002)
        np.testing.assert_allclose((emitted - plane.centre) @ plane.axes()[2], 0, atol=1e-12)
        self.assertGreater(len(emitted), 20)
        with self.assertRaises(Refusal):
            mask_seeds(mask & False, spacing, 0.006)


class SampleTest(unittest.TestCase):
    def test_between_voxels_a_trilinear_field_is_itself_and_outside_there_is_none(self) -> None:
        random = np.random.default_rng(4)
        z, y, x = np.indices((4, 5, 6))
        field = (1 + 2 * x - y + 3 * z + x * y * z)[None].astype(float)
        at = random.uniform(0, 1, (3, 50)) * np.array([[5], [4], [3]])
        places = at * np.array([[0.1], [0.2], [0.3]])
        expected = 1 + 2 * at[0] - at[1] + 3 * at[2] + at.prod(axis=0)
        np.testing.assert_allclose(trilinear(field, (0.1, 0.2, 0.3), places)[0], expected)
        self.assertTrue(np.isnan(trilinear(field, (0.1, 0.2, 0.3), np.array([[0.51], [0.0], [0.0]]))).all())


if __name__ == "__main__":
    unittest.main()
