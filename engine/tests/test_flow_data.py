"""Against data made elsewhere: the interpolation baseline (acceptance 24, 25) and two phantoms' truth."""

from __future__ import annotations

import csv
import gzip
import json
import os
import unittest
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.flow.derived import jacobian, kinetic_energy, vorticity
from neuroloom_engine.flow.flows import HillVortex
from neuroloom_engine.flow.phantom import Scan
from neuroloom_engine.flow.planes import Plane, circle, flow_through, polygon_region
from neuroloom_engine.flow.sample import refined
from neuroloom_engine.flow.study import Study, Values
from neuroloom_engine.flow.tubes import Tube, Womersley

DATA = Path(os.environ.get("SHARED_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
AORTA = DATA / "flow4d-aorta-cfd" / "original"
TUBE, RING = DATA / "flow4d-phantom-womersley", DATA / "flow4d-phantom-vortexring"


def field(path: Path) -> Values:
    """(t, z, y, x) or (z, y, x) of a NIfTI file, with its slope."""
    raw = gzip.decompress(path.read_bytes())
    dims = np.frombuffer(raw, "<i2", 8, 40)
    kind = {4: "<i2", 16: "<f4", 2: "u1"}[int(np.frombuffer(raw, "<i2", 1, 70)[0])]
    start, slope, shift = np.frombuffer(raw, "<f4", 3, 108)
    values = np.frombuffer(raw, kind, offset=int(start)).astype(np.float32) * slope + shift
    return values.reshape(dims[dims[0] : 0 : -1])


def vectors(folder: Path, name: str = "v") -> Values:
    return np.stack([field(folder / f"{name}{axis}.nii.gz") for axis in "xyz"])


def phantom(folder: Path) -> tuple[dict[str, Any], Scan, list[dict[str, str]]]:
    told = json.loads((folder / "parameters.json").read_text())
    x, y, z = told["shape_xyz"]
    dx, dy, dz = (side / 1000 for side in told["spacing_mm"])
    scan = Scan((z, y, x), (dx, dy, dz), told["phases"], told["period_s"])
    with (folder / "truth" / "per_phase.csv").open() as file:
        return told, scan, list(csv.DictReader(file))


@unittest.skipUnless(AORTA.is_dir(), f"no aorta in {DATA}")
class BaselineTest(unittest.TestCase):
    def aorta(self) -> tuple[Values, Values, Values, Values]:
        """Coarse and fine velocity (3, ...), coarse mask and fine lumen, axes as in the files."""
        # h5py has no stubs.
        read = import_module("h5py").File
        with read(AORTA / "example_data.h5") as coarse, read(AORTA / "example_data_HR.h5") as fine:
            low, high = (np.stack([file[name][0] for name in "uvw"]) for file in (coarse, fine))
            return low, high, coarse["mask"][0], fine["mask"][0] > 0.5

    def test_24_interpolation_reaches_what_a_learned_method_has_to_beat(self) -> None:
        low, high, mask, lumen = self.aorta()
        self.assertEqual(int(lumen.sum()), 56_226)
        for order, held, rmse, share in ((1, low, 0.0222, 0.080), (3, low * (mask > 0.1), 0.0207, 0.074)):
            gap = (refined(held, 2, order) - high)[:, lumen]
            found = float(np.sqrt(np.square(gap).mean()))
            self.assertAlmostEqual(found / rmse, 1, delta=0.02)
            self.assertAlmostEqual(
                found / float(np.sqrt(np.square(high[:, lumen]).mean())), share, delta=0.001
            )

    def test_25_the_other_alignment_is_seen_to_be_wrong(self) -> None:
        low, high, mask, lumen = self.aorta()
        for order, held in ((1, low), (3, low * (mask > 0.1))):
            gap = (refined(held, 2, order, shift=-0.25) - high)[:, lumen]
            self.assertGreater(np.sqrt(np.square(gap).sum() / np.square(high[:, lumen]).sum()), 0.12)


@unittest.skipUnless(TUBE.is_dir() and RING.is_dir(), f"no phantoms in {DATA}")
class TruthTest(unittest.TestCase):
    def test_womersley_flow_is_that_of_the_phantom_made_elsewhere(self) -> None:
        told, scan, phases = phantom(TUBE)
        p = told["parameters"]
        density, radius = told["blood_density_kg_m3"], p["R"] / 1000
        # Their pressure gradients are in Pa/m.
        turn = 2j * np.pi / p["T"] * density
        amplitudes = tuple(complex(*p["G"][k]) / (turn * int(k)) for k in ("1", "2", "3"))
        nu = told["viscosity_pa_s"] / density
        profile = Womersley(p["v0"] / 100, amplitudes, p["T"], radius * np.sqrt(2 * np.pi / p["T"] / nu))
        tube = Tube(profile, radius, scan.centre, tuple(p["n"]))
        at, inside = scan.positions(), field(TUBE / "truth" / "mask.nii.gz") > 0.5
        true, turning = vectors(TUBE / "truth") / 100, vectors(TUBE / "truth", "vorticity_")
        for frame, time in enumerate(scan.times):
            np.testing.assert_allclose(tube.velocity(at, time), true[:, frame], atol=2e-5)
            np.testing.assert_allclose(
                tube.vorticity(at, time)[:, inside], turning[:, frame][:, inside], atol=0.3
            )
            self.assertAlmostEqual(tube.flow(time) * 1e6, float(phases[frame]["flow_ml_s"]), delta=0.02)
        energy = kinetic_energy(true, scan.spacing) * 1000
        np.testing.assert_allclose(energy, [float(row["kinetic_energy_mJ"]) for row in phases], rtol=2e-3)

        # What was measured, with its noise, through the middle of the tube.
        measured = vectors(TUBE / "nifti") / 100
        study = Study(
            measured, measured[0], scan.spacing, scan.times, scan.period, (1.5, 1.5, 1.5), np.eye(4)
        )
        plane = Plane(scan.centre, tube.direction, 2 * radius)
        found = flow_through(study, plane, polygon_region(plane, scan.spacing, circle(radius)))
        curve = np.array([float(row["flow_ml_s"]) for row in phases])
        self.assertLessEqual(np.abs(found.rate * 1e6 - curve).max() / curve.max(), 0.05)

    def test_the_vortex_ring_is_that_of_the_phantom_made_elsewhere(self) -> None:
        told, scan, phases = phantom(RING)
        p = told["parameters"]
        x, y, z = scan.centre
        ring = HillVortex(p["a"] / 1000, p["U"] / 100, (x, y, z + p["z0"] / 1000))
        at = scan.positions()
        true, turning = vectors(RING / "truth") / 100, vectors(RING / "truth", "vorticity_")
        for frame, time in enumerate(scan.times):
            np.testing.assert_allclose(ring.velocity(at, time), true[:, frame], atol=2e-5)
            np.testing.assert_allclose(ring.vorticity(at, time), turning[:, frame], atol=0.02)
            top = np.sqrt(np.square(ring.vorticity(at, time)).sum(axis=0)).max()
            self.assertAlmostEqual(top, float(phases[frame]["max_vorticity_1_s"]), places=3)
        # Well inside the sphere, from what was measured: 25 of signal to noise, 7 voxels of radius.
        inside = (
            np.square(at - np.array(ring.centre).reshape(3, 1, 1, 1)).sum(axis=0) < (0.7 * ring.radius) ** 2
        )
        curl = vorticity(jacobian(vectors(RING / "nifti")[:, 0] / 100, scan.spacing, 5))
        gap = (curl - turning[:, 0])[:, inside]
        self.assertLess(np.sqrt(np.square(gap).sum() / np.square(turning[:, 0][:, inside]).sum()), 0.15)


if __name__ == "__main__":
    unittest.main()
