"""A corrected study made finer: form, place, what is true, no seams, no value, refusals, memory."""

from __future__ import annotations

import json
import tempfile
import tracemalloc
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import torch

from neuroloom_engine import export
from neuroloom_engine.failures import DATA, DONE, STOPPED
from neuroloom_engine.flow.files.reading import NO_VALUE, header_bytes
from neuroloom_engine.flow.sharpen import in_patches
from neuroloom_engine.flow.stored import digest_of, read_study, write_arrays
from neuroloom_engine.network import Network, build_network
from neuroloom_engine.predict import Predictor
from neuroloom_engine.spec import parse_plan

from .make import Json, of_type, run_here
from .make_velocity import velocity_plan

SIZE = (14, 16, 18)
UNIT, VENC = 1e-4, 1.0
GAIN = {"against": "linear", "mean": 0.2, "low": 0.1, "high": 0.3}


def network(scale: float = 0.0) -> Network:
    """`scale` 0 says nothing: what comes out is interpolation."""
    made = build_network(parse_plan(velocity_plan()), "flow", 4)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.mul_(scale)
    return made.eval()


def turning(frames: int) -> np.ndarray:
    """A solid rotation about z, faster from frame to frame: linear in space. (3, t, z, y, x)."""
    z, y, x = np.indices(SIZE, dtype=np.float64)
    one = np.stack([-(y - 7.5), x - 8.5, np.full(SIZE, 3.0)]) * 0.04
    return np.stack([one * (1 + frame) / frames for frame in range(frames)], axis=1)


def make_sharpening(folder: Path, frames: int = 2, scale: float = 0.0, **changes: Any) -> Path:
    folder.mkdir(parents=True)
    (folder / "out").mkdir()
    velocity = np.rint(turning(frames) / UNIT).astype("<i2")
    if changes.pop("has_hole", True):
        velocity[:, :, 5, 8, 9] = NO_VALUE
    magnitude = np.full((frames, *SIZE), 900, "<i2")
    mask = np.zeros(SIZE, np.int8)
    mask[4:9, 6:12, 7:13] = 1
    head = {
        **{"v": 1, "source": "dicom", "vendor": "siemens", "size": list(SIZE[::-1]), "frames": frames},
        **{"spacing": [2.0, 2.0, 3.0], "isPlaced": True, "directions": np.eye(3).tolist()},
        "affine": [[0.0, 0.0, 3.0, 10.0], [-2.0, 0.0, 0.0, 20.0], [0.0, 2.0, 0.0, 30.0]],
        **{"venc": [VENC] * 3, "velocityScale": UNIT, "times": [0.04 * n for n in range(frames)]},
        **{"period": 0.8, "gating": "retrospective", "sources": "0" * 64},
    }
    (folder / "study").write_bytes(header_bytes(head) + velocity.tobytes() + magnitude.tobytes())
    write_arrays(folder / "mask", {"mask": changes.pop("inside", mask)}, {})
    export.save_weights(folder / "weights", network(scale).state_dict(), {})
    sharpened = {
        **{"trainingId": "t", "runId": "r", "network": "flow4d_small", "factor": 2, "gain": GAIN},
        "weights": digest_of(folder / "weights"),
    }
    work = {
        **{"do": "sharpen", "study": "study", "mask": "mask", "weights": "weights", "plan": velocity_plan()},
        **{"margin": 2, "maxVoxels": 10_000_000, "sharpened": sharpened, "threads": 2, **changes},
    }
    spec = {"v": 1, "kind": "flow", "run": "s", "attempt": 1, "outputs": "out", "work": work}
    (folder / "run.json").write_text(json.dumps(spec | {"maxBytes": 2 << 30, "memoryBytes": 4 << 30}))
    return folder


class SharpenTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def made(self, name: str = "run", **changes: Any) -> tuple[Path, list[Json]]:
        folder = make_sharpening(self.folder / name, **changes)
        code, events = run_here(folder)
        self.assertEqual(code, DONE, events[-2:])
        return folder, events

    def refused(self, name: str, **changes: Any) -> Json:
        code, events = run_here(make_sharpening(self.folder / name, **changes))
        self.assertEqual(code, DATA, name)
        self.assertEqual(list((self.folder / name / "out").glob("*.safetensors")), [])
        return of_type(events, "error")[0]

    def test_both_studies_are_told_with_their_place(self) -> None:
        folder, events = self.made()
        told = of_type(events, "flow_made")
        self.assertEqual(
            [one["path"] for one in told], ["out/study.safetensors", "out/interpolated.safetensors"]
        )
        for one in told:
            self.assertEqual(one["sha256"], digest_of(folder / one["path"]))
            self.assertEqual(read_study(folder / one["path"]).head, one["head"])
        learned, plain = (one["head"] for one in told)
        self.assertEqual((learned["source"], plain["source"]), ("sharpened", "dicom"))
        self.assertEqual(learned["sharpened"]["gain"], GAIN)
        self.assertNotIn("sharpened", plain)
        # The mask's box, two voxels wider: x 5..15, y 4..14, z 2..11.
        self.assertEqual(learned["size"], [20, 20, 18])
        self.assertEqual(learned["spacing"], [1.0, 1.0, 1.5])
        self.assertEqual((learned["venc"], learned["velocityScale"]), ([VENC] * 3, UNIT))
        affine, before = np.array(learned["affine"]), np.array(read_study(folder / "study").head["affine"])
        for coarse in ([0, 0, 0], [3, 2, 5]):
            fine = np.array([*coarse, 1]) * [2, 2, 2, 1]
            np.testing.assert_allclose(
                affine @ fine, before @ [coarse[0] + 5, coarse[1] + 4, coarse[2] + 2, 1]
            )
        self.assertEqual(of_type(events, "progress")[-1]["steps"], 2)

    def test_a_network_that_says_nothing_leaves_what_is_true(self) -> None:
        """Interpolation of a linear field is the field: fine voxel 2j on coarse voxel j."""
        folder, _ = self.made(has_hole=False)
        z, y, x = np.indices((18, 20, 20)) / 2 + np.array([2, 4, 5]).reshape(3, 1, 1, 1)
        truth = np.stack([-(y - 7.5), x - 8.5, np.full(z.shape, 3.0)]) * 0.04
        for name in ("study", "interpolated"):
            found = read_study(folder / "out" / f"{name}.safetensors").components()
            for frame in range(2):
                gap = (found[:, frame] - truth * (1 + frame) / 2)[:, 4:-4, 4:-4, 4:-4]
                # Splines flatten at the edge, and ring a little beside it.
                self.assertLess(float(np.abs(gap).max()), 20 * UNIT, name)
                self.assertLess(float(np.abs(gap[:, 4:-4, 4:-4, 4:-4]).max()), 3 * UNIT, name)

    def test_what_has_no_value_has_none(self) -> None:
        folder, _ = self.made(scale=1.0)
        for name in ("study", "interpolated"):
            found = read_study(folder / "out" / f"{name}.safetensors").velocity
            gone = (found == NO_VALUE).all(axis=(0, 1))
            # Coarse voxel (9, 8, 5) is fine voxel (8, 8, 6), and what lies between it and its neighbours.
            wanted = np.zeros_like(gone)
            wanted[5:8, 7:10, 7:10] = True
            np.testing.assert_array_equal(gone, wanted)
            self.assertEqual(bool((found == NO_VALUE).any()), bool(gone.any()))

    def test_the_network_answers_around_the_mask_alone(self) -> None:
        folder, _ = self.made(scale=1.0, margin=6)
        learned, plain = (read_study(folder / "out" / f"{n}.safetensors") for n in ("study", "interpolated"))
        self.assertEqual(learned.head["size"], [34, 32, 28])
        differs = (learned.velocity != plain.velocity).any(axis=(0, 1))
        inside = np.zeros(differs.shape, np.bool_)
        inside[8:18, 12:24, 12:24] = True
        known = (plain.velocity != NO_VALUE).all(axis=(0, 1))
        self.assertGreater(float(differs[inside & known].mean()), 0.95)
        places = np.argwhere(differs)
        # Fine voxels of the mask are 8..16, 12..22, 12..24 less where the box begins; two coarse ones around.
        within = np.argwhere(inside)
        self.assertTrue((places.min(0) >= within.min(0) - 5).all())
        self.assertTrue((places.max(0) <= within.max(0) + 5).all())

    def test_patches_leave_no_seams(self) -> None:
        """Each fades into the next before it sees an edge that is none: as one answer for all."""
        made = network(1.5)
        torch.manual_seed(2)
        coarse = torch.rand(1, 6, 8, 9, 14) - 0.5
        given = torch.nn.functional.interpolate(coarse, scale_factor=4, mode="trilinear")
        near = np.ones(given.shape[2:], np.bool_)
        calls: list[int] = []
        with Predictor(made, torch.device("cpu")) as predictor, torch.no_grad():
            found = in_patches(predictor, given, near, 2, lambda: calls.append(1))
            whole = made(given)[0][0]
        self.assertEqual(len(calls), 2 * 2 * 3)
        self.assertLess(float((found - whole).abs().max()), 2e-3 * float(whole.abs().max()))
        one = np.zeros_like(near)
        one[3, 3, 3] = True
        calls.clear()
        with Predictor(made, torch.device("cpu")) as predictor:
            in_patches(predictor, given, one, 2, lambda: calls.append(1))
        self.assertEqual(len(calls), 1)

    def test_it_refuses_what_it_cannot_do(self) -> None:
        empty = self.refused("empty", inside=np.zeros(SIZE, np.int8))
        self.assertEqual((empty["code"], empty["data"]["refusal"]), ("flow_not_computed", "mask_empty"))
        large = self.refused("large", maxVoxels=18 * 20 * 20 * 2 - 1)
        self.assertEqual(large["data"]["refusal"], "out_of_memory")
        work = json.loads((self.folder / "large" / "run.json").read_text())["work"]
        other = self.refused("other", sharpened={**work["sharpened"], "weights": "f" * 64})
        self.assertEqual(other["code"], "weights_unfit")
        self.made("fits", maxVoxels=18 * 20 * 20 * 2)

    def test_it_can_be_stopped_between_patches(self) -> None:
        folder = make_sharpening(self.folder / "run", frames=3)
        self.assertEqual(run_here(folder, 3)[0], STOPPED)
        self.assertEqual(list((folder / "out").iterdir()), [])

    def test_a_long_study_takes_no_more_memory_than_a_short_one(self) -> None:
        peaks = [self.peak_of(frames) for frames in (2, 14)]
        # 12 frames more of 32,256 voxels: as single precision 4.6 MB of each study's velocity.
        self.assertLess(peaks[1] - peaks[0], 1e6)

    def peak_of(self, frames: int) -> int:
        """Bytes of NumPy's arrays held at once."""
        folder = make_sharpening(self.folder / f"{frames}", frames=frames, margin=8)
        tracemalloc.start()
        try:
            self.assertEqual(run_here(folder)[0], DONE)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
