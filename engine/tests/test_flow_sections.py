"""Planes of a run, as the engine measures them: numbers, refusals and the balance between planes."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import numpy as np

from neuroloom_engine.flow.files.reading import header_bytes
from neuroloom_engine.flow.known import whole
from neuroloom_engine.flow.stored import write_arrays

from . import make_study as m
from .make import Json, of_type, run_here

SIZE, FRAMES, H = (16, 14, 10), 8, 2e-3
NUMBERS = {
    *("rate", "area", "mean", "peak", "p99", "forward", "backward", "net", "regurgitantFraction"),
    *("pulsatility", "voxelsAcross"),
}


def plane(**changes: object) -> Json:
    return {
        **{"name": "a", "centre": [7 * H, 6 * H, 4 * H], "normal": [0, 0, 1], "region": "circle"},
        **{"radius": 3 * H, "rule": "exact"},
        **changes,
    }


class SectionsTest(unittest.TestCase):
    def setUp(self) -> None:
        """Uniform flow along z through a square duct of 8 x 8 voxels: 0.3 + 0.5 cos m/s."""
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "out").mkdir()
        x, y, z = SIZE
        curve = 0.3 + 0.5 * np.cos(2 * np.pi * np.arange(FRAMES) / FRAMES)
        self.mask = np.zeros((z, y, x), bool)
        self.mask[:, 2:10, 3:11] = True
        self.velocity = np.zeros((3, FRAMES, z, y, x))
        self.velocity[2] = curve[:, None, None, None] * self.mask
        self.curve = curve
        self.write()

    def write(self, **changes: object) -> None:
        x, y, z = SIZE
        head = {
            **{"v": 1, "source": "phantom", "vendor": None, "size": [x, y, z], "frames": FRAMES},
            **{"spacing": [2.0] * 3, "affine": [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]]},
            **{"isPlaced": False, "directions": np.eye(3).tolist(), "venc": [1.0] * 3},
            **{"velocityScale": 1 / 8191, "times": [t / FRAMES for t in range(FRAMES)], "period": 1.0},
            **{"gating": "retrospective", "sources": "0" * 64, **changes},
        }
        with (self.folder / "out" / "study.safetensors").open("wb") as file:
            file.write(header_bytes(head))
            file.write(whole(self.velocity * 8191).tobytes())
            file.write(whole(np.ones(self.velocity.shape[1:])).tobytes())
        write_arrays(self.folder / "out" / "mask.safetensors", {"mask": self.mask.astype(np.int8)}, {})

    def test_a_duct_s_curve_area_and_volumes(self) -> None:
        told = m.sections(self.folder, [plane(radius=2 * H), plane(region="vessel"), plane(rule="voxels")])
        circle, vessel, voxels = (one["numbers"] for one in told["sections"])
        self.assertEqual(set(circle), NUMBERS)
        np.testing.assert_allclose(circle["rate"], self.curve * np.pi * (2 * H) ** 2, rtol=2e-3)
        np.testing.assert_allclose(circle["peak"], np.abs(self.curve), atol=1e-3)
        # 8 x 8 voxels; interpolated, its corners are rounder.
        self.assertAlmostEqual(vessel["area"][0] / H**2, 64, delta=1.5)
        self.assertAlmostEqual(vessel["voxelsAcross"]["value"], 2 * np.sqrt(64 / np.pi), delta=0.1)
        self.assertEqual(vessel["voxelsAcross"]["colour"], "green")
        self.assertAlmostEqual(circle["net"] / (np.pi * (2 * H) ** 2), 0.3, delta=1e-3)
        backward = -np.minimum(self.curve, 0).mean()
        self.assertAlmostEqual(circle["backward"] / (np.pi * (2 * H) ** 2), backward, delta=1e-3)
        self.assertAlmostEqual(circle["regurgitantFraction"], backward / (0.3 + backward), delta=1e-3)
        self.assertAlmostEqual(circle["pulsatility"], 1 / 0.3, delta=0.02)
        self.assertAlmostEqual(voxels["area"][0] / H**2, 25)
        against = m.sections(self.folder, [plane(normal=[0, 0, -3], radius=2 * H)])["sections"][0]["numbers"]
        np.testing.assert_allclose(against["rate"], -np.array(circle["rate"]))

    def test_planes_that_cannot_be_measured_say_why(self) -> None:
        far, outside = [0.0, 0.0, 4 * H], [40 * H, 6 * H, 4 * H]
        told = m.sections(
            self.folder,
            [
                plane(region="vessel", centre=far),
                plane(region="vessel", centre=outside),
                plane(centre=outside),
                plane(centre=far),
                plane(radius=0.0005, rule="voxels", centre=[7.5 * H, 6.5 * H, 4 * H]),
                plane(),
            ],
        )
        self.assertEqual(
            [one["refusal"] for one in told["sections"]],
            [
                *("centre_outside_mask", "centre_outside_mask", "region_without_values"),
                *("region_without_values", "region_empty", None),
            ],
        )
        self.assertTrue(all(one["numbers"] is None for one in told["sections"][:-1]))
        self.write(spacing=[0.5] * 3)
        wide = m.sections(self.folder, [plane(radius=0.2)])["sections"][0]
        self.assertEqual((wide["numbers"], wide["refusal"]), (None, "too_large"))
        # One plane alone has nothing to agree with.
        self.assertIsNone(told["massBalance"])

    def test_volumes_need_frames_that_make_a_beat(self) -> None:
        self.write(period=None, gating="prospective")
        numbers = m.sections(self.folder, [plane()])["sections"][0]["numbers"]
        volumes = [numbers[name] for name in ("forward", "backward", "net", "regurgitantFraction")]
        self.assertEqual(volumes, [None] * 4)
        self.assertEqual(len(numbers["rate"]), FRAMES)

    def test_the_first_plane_is_held_against_the_one_that_differs_most(self) -> None:
        self.velocity[2, :, 7] *= 0.7
        self.velocity[2, :, 2] *= 0.95
        self.write()
        first, near, leaking = (plane(centre=[7 * H, 6 * H, at * H]) for at in (4, 2, 7))
        unmeasured = plane(region="vessel", centre=[0.0, 0.0, 4 * H])
        balance = m.sections(self.folder, [unmeasured, first, near, leaking])["massBalance"]
        self.assertEqual((balance["name"], balance["unit"], balance["colour"]), ("massBalance", "%", "red"))
        self.assertAlmostEqual(balance["value"], 100 * 0.3 / 0.85, delta=0.2)
        self.assertEqual(balance["numbers"], {"first": 1, "other": 3})
        self.assertEqual(m.sections(self.folder, [first, near])["massBalance"]["colour"], "green")
        self.velocity *= 0
        self.write()
        still = m.sections(self.folder, [first, near])["massBalance"]
        self.assertEqual((still["value"], still["colour"]), (None, "grey"))

    def test_studies_that_are_not_corrected_and_other_masks_are_no_plan(self) -> None:
        work = {"do": "sections", "study": "out/study.safetensors", "mask": "out/mask.safetensors"}
        for broken in ({"centre": [0, 0]}, {"rule": "fair"}, {"normal": [0, 0, 0]}, {"radius": "wide"}):
            code, events = run_here(m.lay_out(self.folder, {**work, "sections": [plane(**broken)]}))
            self.assertEqual((code, of_type(events, "error")[0]["code"]), (64, "plan_invalid"))
        self.write(directions=[[0, 1, 0], [1, 0, 0], [0, 0, 1]])
        code, _ = run_here(m.lay_out(self.folder, {**work, "sections": [plane()]}))
        self.assertEqual(code, 64)
        self.mask = self.mask[:-1]
        self.write()
        code, _ = run_here(m.lay_out(self.folder, {**work, "sections": [plane()]}))
        self.assertEqual(code, 64)


if __name__ == "__main__":
    unittest.main()
