"""Flow runs on phantoms whose truth is known: corrections, turns, masks and numbers, as files tell them."""

from __future__ import annotations

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.flow.direction import to_grid
from neuroloom_engine.flow.gallery import lungs, made
from neuroloom_engine.flow.phantom import Phantom, Scan, measured
from neuroloom_engine.flow.stored import read_arrays
from neuroloom_engine.flow.study import Values
from neuroloom_engine.flow.tubes import DENSITY, Parabola, Tube

from . import make_flow
from . import make_study as m
from .make import Json, of_type

H = 2e-3
UNWRAPPED: Json = {"offset": None, "unwrap": True, "turn": None}
TURNS = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])


def pulsing(**changes: Any) -> Phantom:
    """An oblique tube, 10 voxels across, whose peak is 1.6 VENC."""
    return made("pulsatile", **{"shape": (20, 24, 24), "snr": 20.0, "samples": 3, **changes})


def wrong(phantom: Phantom, velocity: Values) -> int:
    """Voxels of the lumen that are whole wraps from the truth, of all components."""
    gap = np.abs(velocity - phantom.velocity)[:, :, phantom.lumen > 0.5]
    return int((gap > min(phantom.scan.venc)).sum())


def rate_of(phantom: Phantom) -> Values:
    """(t,), m³/s of a tube."""
    assert phantom.flow_rate is not None
    return phantom.flow_rate


class ComputeTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def computed(self, phantom: Phantom, **asked: Any) -> tuple[Json, Values]:
        """Numbers, and the corrected velocity in m/s."""
        if not (self.folder / "study.safetensors").exists():
            m.write_phantom(self.folder / "study.safetensors", phantom)
        code, events = m.compute(self.folder, **asked)
        self.assertEqual((code, events[-1]["state"]), (0, "done"), of_type(events, "error"))
        head, velocity, _ = make_flow.study(self.folder / "out" / "study.safetensors")
        self.assertEqual(head["directions"], np.eye(3).tolist())
        return m.numbers(self.folder), velocity

    def refused(self, **asked: Any) -> Json:
        code, events = m.compute(self.folder, **asked)
        (error,) = of_type(events, "error")
        self.assertEqual((code, error["code"]), (65, "flow_not_computed"), error)
        self.assertEqual(of_type(events, "artifact"), [])
        return error["data"]

    def test_a_wrapped_tube_is_unwrapped_and_carries_the_volume_that_is_true(self) -> None:
        phantom = pulsing()
        self.assertGreater(wrong(phantom, phantom.study.velocity), 500)
        told, velocity = self.computed(phantom, corrections=UNWRAPPED)
        self.assertEqual(wrong(phantom, velocity), 0)
        offset, unwrapping, filtering = told["steps"]
        self.assertEqual((offset["isDone"], unwrapping["isDone"], filtering["isDone"]), (False, True, False))
        self.assertGreater(unwrapping["before"], unwrapping["after"])
        true = float(rate_of(phantom).mean()) * phantom.scan.period
        flow = phantom.flow
        assert isinstance(flow, Tube)
        axis = np.array(flow.direction) / np.linalg.norm(flow.direction)
        planes = [
            {
                **{"name": "plane", "centre": (np.array(flow.centre) + by * H * axis).tolist()},
                **{"normal": list(flow.direction), "radius": flow.radius, "rule": rule, "region": region},
            }
            for by, region, rule in (
                *((-3.4, "circle", "exact"), (3.1, "circle", "exact")),
                *((0.0, "vessel", "exact"), (0.0, "vessel", "voxels"), (2.6, "vessel", "exact")),
            )
        ]
        said = m.sections(self.folder, planes)
        net = [one["numbers"]["net"] for one in said["sections"]]
        # The circle is exact; the level that is found leaves out the slow rim.
        for value, most in zip(net, (0.024, 0.024, 0.09, 0.09, 0.09), strict=True):
            self.assertLess(abs(value / true - 1), most)
        self.assertLess(abs(net[0] / net[1] - 1), 0.03)
        self.assertLess(abs(net[2] / net[4] - 1), 0.03)
        self.assertEqual(said["massBalance"]["colour"], "green")
        self.assertAlmostEqual(said["sections"][0]["numbers"]["voxelsAcross"]["value"], 10, delta=0.1)
        self.computed(phantom, corrections=UNWRAPPED, mask={"level": 0.08})
        for one in m.sections(self.folder, planes[2:])["sections"]:
            self.assertLess(abs(one["numbers"]["net"] / true - 1), 0.04)

    def test_curves_are_those_of_the_truth_within_the_mask(self) -> None:
        phantom = pulsing(snr=float("inf"))
        told, _ = self.computed(phantom, corrections=UNWRAPPED)
        mask = np.array(read_arrays(self.folder / "out" / "mask.safetensors")[0]["mask"]) != 0
        self.assertEqual((told["mask"]["voxels"], told["mask"]["pieces"]), (int(mask.sum()), 1))
        speed = np.sqrt(np.square(phantom.velocity).sum(axis=0))
        np.testing.assert_allclose(told["speed"]["mean"], speed[:, mask].mean(axis=1), rtol=1e-3)
        np.testing.assert_allclose(told["speed"]["max"], speed[:, mask].max(axis=1), rtol=1e-3)
        energy = DENSITY / 2 * H**3 * np.square(speed[:, mask], dtype=np.float64).sum(axis=1)
        np.testing.assert_allclose(told["energy"], energy, rtol=1e-3)
        self.assertEqual(told["lines"]["frame"], int(np.argmax(told["speed"]["mean"])))
        # |ω| of a parabola is 2 V r/R²; its mean over the inner two thirds is within what the fit smooths.
        turn = 2 * 1.6 * 1.5 / (5 * H)
        self.assertAlmostEqual(max(told["vorticity"]["p99"]) / turn, 0.75, delta=0.25)
        derived, words = read_arrays(self.folder / "out" / "derived.safetensors")
        self.assertIn('"q"', words["scale"])
        self.assertTrue((np.array(derived["q"])[:, ~mask] == -32_768).all())
        self.assertGreater(int((np.array(derived["lambda2"])[:, mask] != -32_768).sum()), mask.sum())
        loss = sum(told["loss"])
        self.assertGreater(loss, 0)

    def test_the_background_is_removed_and_told_before_and_after(self) -> None:
        phantom = made("thorax", shape=(16, 28, 32), snr=60.0)
        told, velocity = self.computed(phantom, corrections={"offset": 2, "unwrap": True})
        gap = (velocity - phantom.velocity).mean(axis=1)[:, phantom.lumen > 0.9] * 100
        self.assertLess(np.abs(gap.mean(axis=1)).max(), 0.1)
        self.assertGreater(np.abs(phantom.offset[:, phantom.lumen > 0.9]).max() * 100, 0.5)
        offset = told["steps"][0]
        self.assertEqual((offset["isDone"], offset["numbers"]["order"]), (True, 2))
        self.assertGreater(offset["before"], 0.01)
        self.assertLess(offset["after"], 0.002)
        light = next(one for one in told["lights"] if one["name"] == "offset")
        self.assertEqual((light["colour"], light["unit"]), ("green", "cm/s"))
        self.assertAlmostEqual(light["value"], 100 * offset["after"])
        self.assertEqual(told["still"]["share"], told["steps"][0]["numbers"]["share"])

    def test_an_order_without_enough_still_tissue_is_refused_with_the_numbers(self) -> None:
        scan = Scan((10, 12, 12), (H, H, H), 12, venc=(1.0, 1.0, 1.0), snr=20.0, samples=2)
        vessel = measured(Tube(Parabola(0.8, 0.1), 4 * H, scan.centre, (0.25, -0.3, 1.0)), scan)
        m.write_phantom(self.folder / "study.safetensors", vessel)
        data = self.refused(corrections={"offset": 3})
        self.assertEqual((data["refusal"], data["order"]), ("static_tissue_little", 3))
        self.assertEqual(data["needed"], 0.75)
        self.assertLess(data["share"], 0.75)

    def test_an_order_recorded_wrongly_is_offered_right_and_taken_when_asked(self) -> None:
        phantom = pulsing(snr=40.0)
        order, signs = [2, 0, 1], np.array([-1, 1, -1])
        # Component c holds what goes along signs[c] · axis order[c].
        recorded = replace(
            phantom.study, velocity=phantom.study.velocity[order] * signs.reshape(3, 1, 1, 1, 1)
        )
        m.write_phantom(self.folder / "study.safetensors", phantom, recorded)
        told, _ = self.computed(phantom, corrections=UNWRAPPED)
        check = told["directions"]
        self.assertTrue(check["isSure"])
        self.assertEqual((check["best"]["order"], check["best"]["signs"]), (order, (signs * -1).tolist()))
        self.assertEqual(check["taken"]["order"], [0, 1, 2])
        self.assertGreater(check["taken"]["score"], check["best"]["score"])
        turn = {"order": check["best"]["order"], "signs": check["best"]["signs"]}
        told, velocity = self.computed(phantom, corrections={**UNWRAPPED, "turn": turn})
        # The sign of all three together shows nowhere.
        self.assertEqual(wrong(phantom, -velocity), 0)
        self.assertEqual(told["directions"]["taken"], told["directions"]["best"])
        self.assertEqual(told["asked"]["corrections"]["turn"], turn)

    def test_oblique_directions_with_vencs_of_their_own_come_back_to_the_grid(self) -> None:
        phantom = pulsing(snr=40.0)
        skewed = TURNS.copy()
        # As an angle a little off would have it.
        skewed[1] += 0.03 * skewed[0]
        skewed[1] /= np.linalg.norm(skewed[1])
        study = m.along(replace(phantom.study, velocity=phantom.velocity), skewed)
        study = m.along(replace(study, velocity=phantom.velocity, venc=(1.5, 2.0, 1.2)), skewed)
        m.write_phantom(self.folder / "study.safetensors", phantom, study, directions=skewed.tolist())
        told, velocity = self.computed(phantom, corrections=UNWRAPPED)
        self.assertEqual(wrong(phantom, velocity), 0)
        np.testing.assert_allclose(velocity[:, :, 5], phantom.velocity[:, :, 5], atol=2e-3)
        self.assertEqual(told["directions"]["best"]["order"], [0, 1, 2])
        np.testing.assert_allclose(to_grid(skewed) @ skewed, np.eye(3), atol=1e-12)

    def test_one_frame_is_unwrapped_in_space_and_says_what_it_cannot_tell(self) -> None:
        scan = Scan((20, 24, 24), (H, H, H), 1, venc=(1.5, 1.5, 1.5), snr=20.0, samples=3)
        phantom = measured(Tube(Parabola(1.6 * 1.5), 5 * H, scan.centre, (0.3, 0.2, 0.93)), scan)
        self.assertGreater(wrong(phantom, phantom.study.velocity), 50)
        for period in (None, 1.0):
            m.write_phantom(self.folder / "study.safetensors", phantom, period=period)
            told, velocity = self.computed(phantom, corrections=UNWRAPPED)
            self.assertEqual(wrong(phantom, velocity), 0)
            why = {one["name"]: (one["why"], one["colour"]) for one in told["lights"]}
            self.assertEqual(why["frameGap"], ("one_frame", "grey"))
            self.assertEqual(why["noise"], ("one_frame", "grey"))
            self.assertIsNone(told["vorticity"]["sigma"])
            plane = {
                **{"name": "a", "centre": list(scan.centre), "normal": [0.3, 0.2, 0.93]},
                **{"region": "circle", "radius": 5 * H, "rule": "exact"},
            }
            numbers = m.sections(self.folder, [plane])["sections"][0]["numbers"]
            self.assertEqual([numbers[name] for name in ("forward", "net", "pulsatility")], [None] * 3)
            self.assertAlmostEqual(numbers["rate"][0] / rate_of(phantom)[0], 1, delta=0.03)
        self.assertEqual(self.refused(corrections={"offset": 0}), {"refusal": "one_frame"})

    def test_without_magnitude_speed_alone_tells_where_blood_flows(self) -> None:
        scan = Scan((14, 24, 26), (H, H, H), 16, snr=30.0, samples=3, offset_order=1, offset_peak=0.05)
        phantom = measured(Tube(Parabola(2.2, 0.1), 4 * H, scan.centre, (0.1, 0.05, 1.0)), scan, lungs(scan))
        silent = replace(phantom.study, magnitude=np.zeros_like(phantom.study.magnitude))
        m.write_phantom(self.folder / "study.safetensors", phantom, silent)
        grow = [[13, 12, 7]]
        told, velocity = self.computed(
            phantom, corrections={"offset": 1, "unwrap": True}, mask={"grow": grow}
        )
        self.assertEqual(wrong(phantom, velocity), 0)
        self.assertLess(told["steps"][0]["after"], 0.005)
        gap = (velocity - phantom.velocity).mean(axis=1)[:, phantom.lumen > 0.9]
        self.assertLess(np.abs(gap.mean(axis=1)).max(), 0.004)
        self.assertGreater(told["mask"]["voxels"], 0.5 * (phantom.lumen > 0.5).sum())

    def test_voxels_without_a_value_stay_without_one_and_disturb_no_other(self) -> None:
        phantom = pulsing()
        gaps = np.zeros(phantom.study.velocity.shape[1:], bool)
        # Slices that were never measured, and a hole in the vessel at one time.
        gaps[:, :2] = True
        gaps[3, 9:11, 11:13, 11:13] = True
        holed = replace(phantom.study, velocity=np.where(gaps, np.nan, phantom.study.velocity))
        m.write_phantom(self.folder / "study.safetensors", phantom, holed)
        told, velocity = self.computed(phantom, corrections={"offset": 1, "unwrap": True})
        np.testing.assert_array_equal(np.isnan(velocity), np.broadcast_to(gaps, velocity.shape))
        self.assertEqual(wrong(phantom, np.where(gaps, phantom.velocity, velocity)), 0)
        for curve in (*told["speed"].values(), told["energy"], told["loss"], told["vorticity"]["mean"]):
            self.assertEqual((len(curve), None in curve), (phantom.scan.frames, False))
        lights = {one["name"]: one["colour"] for one in told["lights"]}
        self.assertNotIn("grey", lights.values(), lights)
        nowhere = replace(phantom.study, velocity=np.full_like(phantom.study.velocity, np.nan))
        m.write_phantom(self.folder / "study.safetensors", phantom, nowhere)
        self.assertEqual(self.refused(corrections=UNWRAPPED), {"refusal": "mask_empty"})

    def test_nothing_that_moves_has_no_mask(self) -> None:
        phantom = pulsing(snr=float("inf"))
        still = replace(phantom.study, velocity=np.zeros_like(phantom.study.velocity))
        m.write_phantom(self.folder / "study.safetensors", phantom, still)
        self.assertEqual(self.refused(), {"refusal": "mask_empty"})
        m.write_phantom(self.folder / "study.safetensors", phantom)
        data = self.refused(mask={"level": 0.2, "grow": [[1, 2, 3]]})
        self.assertEqual(data, {"refusal": "seed_outside_mask", "x": 2, "y": 3, "z": 4})

    def test_windows_and_turns_that_the_contract_does_not_allow_are_no_plan(self) -> None:
        m.write_phantom(self.folder / "study.safetensors", pulsing(frames=2))
        broken: list[Json] = [
            {"settings": {**m.SETTINGS, "vorticityCalculationWindow": 4}},
            {"settings": {**m.SETTINGS, "vorticityCalculationWindow": 3}, "fitOrder": 3},
            {"kinds": []},
            {"corrections": {"offset": 4}},
            {"corrections": {"turn": {"order": [0, 0, 1], "signs": [1, 1, 1]}}},
            {"mask": {"level": 2}},
        ]
        for asked in broken:
            code, events = m.compute(self.folder, **asked)
            self.assertEqual((code, of_type(events, "error")[0]["code"]), (64, "plan_invalid"), asked)
        code, events = m.compute(
            self.folder,
            kinds=["fluidLine"],
            settings={**m.SETTINGS, "vorticityCalculationWindow": 4},
        )
        self.assertEqual(code, 0, of_type(events, "error"))
        told = m.numbers(self.folder)
        self.assertIsNone(told["vorticity"])
        self.assertGreater(told["lines"]["count"], 10)
        code, _ = m.compute(self.folder, kinds=["vortex"])
        self.assertEqual((code, m.numbers(self.folder)["lines"]), (0, None))


if __name__ == "__main__":
    unittest.main()
