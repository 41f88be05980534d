"""Flow runs on data made elsewhere: a Womersley phantom whose flow is known, and the aorta of 4DFlowNet."""

from __future__ import annotations

import csv
import gzip
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.flow.files.found import File
from neuroloom_engine.flow.files.reading import look, make
from neuroloom_engine.flow.masks import eroded
from neuroloom_engine.flow.stored import read_arrays, read_study

from . import make_flow as f
from . import make_study as m
from .make import ENGINE, Json, of_type

DATA = Path(os.environ.get("SHARED_DATA", ENGINE.parents[1] / "shared" / "data"))
AORTA, TUBE, RING = (
    DATA / f"flow4d-{name}" for name in ("aorta-cfd", "phantom-womersley", "phantom-vortexring")
)
ABSENT = "the shared data sets are not there: set SHARED_DATA"


def field(path: Path, kind: str, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers behind 352 bytes, read without the engine's reader of headers."""
    return np.frombuffer(gzip.decompress(path.read_bytes()), kind, offset=352).reshape(shape)


@unittest.skipUnless(AORTA.is_dir() and TUBE.is_dir() and RING.is_dir(), ABSENT)
class SharedTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def study(self, paths: list[Path], venc: float | None = None) -> None:
        files = [File(path, path.name) for path in paths]
        looked = look(files, f.LIMITS)
        rows = [one["id"] for one in looked["series"] if one["role"] == "velocity"]
        answer = {"series": [{"id": one, "venc": venc} for one in rows] if venc else []}
        make(files, looked, answer, self.folder / "study.safetensors", f.LIMITS)

    def computed(self, file: Path | None = None, **asked: Any) -> Json:
        if file is not None:
            asked["mask"] = {"kind": "file", "fileId": "drawn"}
            (self.folder / "mask").write_bytes(file.read_bytes())
        code, events = m.compute(self.folder, None if file is None else "mask", **asked)
        self.assertEqual(code, 0, of_type(events, "error"))
        return m.numbers(self.folder)

    def test_the_womersley_phantom_carries_what_its_table_says(self) -> None:
        self.study([*sorted((TUBE / "nifti").glob("*.nii.gz")), TUBE / "parameters.json"])
        told = self.computed(TUBE / "truth" / "mask.nii.gz", corrections={"offset": 0, "unwrap": True})
        parameters = json.loads((TUBE / "parameters.json").read_text())
        with (TUBE / "truth" / "per_phase.csv").open() as file:
            phases = list(csv.DictReader(file))
        energy = np.array([float(row["kinetic_energy_mJ"]) for row in phases]) / 1000
        np.testing.assert_allclose(told["energy"], energy, atol=0.01 * energy.max())
        # Nothing wraps in it.
        self.assertLess(told["steps"][1]["numbers"]["changed"], 1e-4)
        head = read_study(self.folder / "out" / "study.safetensors").head
        centre = [
            (side - 1) / 2 * step / 1000 for side, step in zip(head["size"], head["spacing"], strict=True)
        ]
        plane = {"name": "a", "centre": centre, "normal": parameters["parameters"]["n"], "rule": "exact"}
        radius = parameters["parameters"]["R"] / 1000
        planes = [
            {**plane, "region": "circle", "radius": radius},
            {**plane, "region": "vessel", "radius": radius},
        ]
        true = np.array([float(row["flow_ml_s"]) for row in phases])
        for one in m.sections(self.folder, planes)["sections"]:
            rate = np.array(one["numbers"]["rate"]) * 1e6
            self.assertLessEqual(np.abs(rate - true).max() / np.abs(true).max(), 0.05)
            self.assertAlmostEqual(one["numbers"]["net"] * 1e6 / (true.mean() * 1.0), 1, delta=0.035)

    def test_the_vortex_ring_turns_as_it_should(self) -> None:
        self.study([*sorted((RING / "nifti").glob("*.nii.gz")), RING / "parameters.json"])
        mask = RING / "truth" / "mask.nii.gz"
        shape = (6, 36, 32, 32)
        turning = np.stack(
            [field(RING / "truth" / f"vorticity_{axis}.nii.gz", "<f4", shape) for axis in "xyz"]
        )
        inner = eroded(field(RING / "truth" / "mask.nii.gz", "u1", shape[1:]) > 0)
        size = np.sqrt(np.square(turning, dtype=np.float64).sum(axis=0))
        true = np.percentile(size[:, inner], 99, axis=1)
        plane, cubic = (
            np.array(self.computed(mask, kinds=["vortex"], fitOrder=order)["vorticity"]["p99"]) / true
            for order in (1, 3)
        )
        # It jumps at the sphere, 7 voxels from the middle: a plane's window levels that out, a cubic's less.
        self.assertTrue((plane > 0.65).all() and (plane < 0.8).all(), plane)
        self.assertTrue((cubic > 0.85).all() and (cubic < 1.1).all(), cubic)

    def test_the_aorta_s_directions_are_right_and_sure_in_its_own_mask(self) -> None:
        self.study(
            sorted((AORTA / "lowres").glob("v*.nii.gz")) + [AORTA / "lowres" / "magnitude.nii.gz"], 1.5
        )
        told = self.computed(AORTA / "lowres" / "mask.nii.gz")
        check = told["directions"]
        self.assertEqual((check["isSure"], check["best"]), (True, check["taken"]))
        self.assertGreater(told["lines"]["meanLength"], 0.005)
        self.assertLess(max(told["speed"]["p99"]), 1.2)
        (self.folder / "mask").write_bytes((AORTA / "highres" / "mask.nii.gz").read_bytes())
        code, events = m.compute(self.folder, "mask", mask={"kind": "file", "fileId": "drawn"})
        data = of_type(events, "error")[0]["data"]
        self.assertEqual(data["refusal"], "mask_other_grid")
        self.assertEqual((data["mask"], data["study"]), ("84 × 76 × 72", "42 × 38 × 36"))

    def test_an_aorta_without_tissue_around_it_is_found_whole(self) -> None:
        low = AORTA / "lowres"
        self.study([*sorted(low.glob("v*.nii.gz")), low / "magnitude.nii.gz"], 1.5)
        told = self.computed()["mask"]
        mask = np.array(read_arrays(self.folder / "out" / "mask.safetensors")[0]["mask"]) > 0
        true = field(low / "mask.nii.gz", "u1", mask.shape) > 0
        # 0.83 with the whole of Otsu's level, which takes slow blood for what stands still.
        self.assertGreater(2 * int((mask & true).sum()) / int(mask.sum() + true.sum()), 0.94)
        script = ENGINE.parent / "web/test/flow-view/level-answers.ts"
        command = ["node", "--import", "tsx", "--conditions=neuroloom-source", str(script)]
        command.append(str(self.folder / "out" / "study.safetensors"))
        done = subprocess.run(command, cwd=ENGINE.parent, check=True, capture_output=True, text=True)
        self.assertAlmostEqual(told["level"], json.loads(done.stdout)["level"], places=9)


if __name__ == "__main__":
    unittest.main()
