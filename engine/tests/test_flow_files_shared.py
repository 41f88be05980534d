"""Real and published files: the aorta of 4DFlowNet in HDF5 against the same in NIfTI, and two phantoms."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.data.volumes import Source
from neuroloom_engine.flow.files.found import File
from neuroloom_engine.flow.files.reading import look, make

from . import make_flow as f
from .make import ENGINE
from .make_flow import HAS_PACKAGES, NO_PACKAGES

SHARED = Path(os.environ.get("SHARED_DATA", ENGINE.parents[1] / "shared" / "data"))
AORTA, WOMERSLEY, RING = (
    SHARED / f"flow4d-{name}" for name in ("aorta-cfd", "phantom-womersley", "phantom-vortexring")
)
ABSENT = "the shared data sets are not there: set SHARED_DATA"


def stored(path: Path, kind: str, shape: tuple[int, ...], scale: float) -> np.ndarray:
    """Numbers behind 352 bytes, read without the engine's reader of headers."""
    with Source(path) as source:
        raw = source.take(352 + int(np.prod(shape)) * np.dtype(kind).itemsize)
    return np.frombuffer(raw, kind, offset=352).reshape(shape) * scale


@unittest.skipUnless(AORTA.is_dir() and WOMERSLEY.is_dir() and RING.is_dir(), ABSENT)
class SharedTest(unittest.TestCase):
    def made(self, paths: list[Path], venc: float | None) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
        files = [File(path, path.name) for path in paths]
        looked = look(files, f.LIMITS)
        rows = [one for one in looked["series"] if one["role"] == "velocity"]
        answer = {"series": [{"id": one["id"], "venc": venc} for one in rows]} if venc else {}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "study")
            make(files, looked, answer, path, f.LIMITS)
            return f.study(path)

    @unittest.skipUnless(HAS_PACKAGES, NO_PACKAGES)
    def test_the_aorta_is_the_same_in_hdf5_and_in_nifti(self) -> None:
        for name, folder, venc, shape in (
            ("example_data", "lowres", None, (36, 38, 42)),
            ("example_data_HR", "highres", 1.5, (72, 76, 84)),
        ):
            paths = sorted((AORTA / folder).glob("*.nii.gz"))
            one, velocity, magnitude = self.made([AORTA / "original" / f"{name}.h5"], venc)
            other, beside, loudness = self.made(paths, 1.5)
            wanted = np.stack(
                [stored(AORTA / folder / f"v{axis}.nii.gz", "<f4", shape, 0.01) for axis in "xyz"]
            )
            for values in (velocity, beside):
                self.assertLessEqual(np.abs(values[:, 0] - wanted).max(), 1.5 / 2048)
            # The NIfTI's magnitude is the mean of the three, scaled anew.
            ratio = magnitude[magnitude > 3000] / np.maximum(loudness[magnitude > 3000], 1)
            self.assertEqual(ratio.size > 0, folder == "lowres")
            if ratio.size:
                self.assertLess(np.ptp(ratio) / ratio.mean(), 0.002)
            for head, is_placed in ((one, False), (other, True)):
                self.assertEqual((head["size"], head["isPlaced"]), ([*shape[::-1]], is_placed))
                self.assertEqual((head["venc"], head["times"]), ([1.5] * 3, [0.0]))
                self.assertLessEqual(
                    np.abs(np.array(head["spacing"]) - (1.1875 if folder == "lowres" else 0.59375)).max(),
                    1e-6,
                )
                self.assertEqual(head["directions"], np.eye(3).tolist())

    def test_phantoms_with_what_their_parameters_tell(self) -> None:
        for folder, shape, scale, venc, frames in (
            (WOMERSLEY, (24, 36, 40), 0.0732421875, 1.5, 12),
            (RING, (36, 32, 32), 0.029296875, 0.6, 6),
        ):
            names = [*sorted((folder / "nifti").glob("*.nii.gz")), folder / "parameters.json"]
            head, velocity, magnitude = self.made(names, None)
            self.assertEqual(
                (head["frames"], head["venc"], head["size"]), (frames, [venc] * 3, [*shape[::-1]])
            )
            for at, axis in enumerate("xyz"):
                wanted = stored(folder / "nifti" / f"v{axis}.nii.gz", "<i2", (frames, *shape), scale / 100)
                self.assertLessEqual(np.abs(velocity[at] - wanted).max(), venc / 2048)
            loud = stored(folder / "nifti" / "magnitude.nii.gz", "<i2", (frames, *shape), 1.0)
            self.assertLessEqual(np.abs(magnitude - loud * (32_767 / loud.max())).max(), 0.5001)
            self.assertAlmostEqual(head["period"], frames * head["times"][1], places=6)
        self.assertTrue(np.allclose(np.array(head["affine"])[:, 3], [-23.25, -23.25, -26.25]))


if __name__ == "__main__":
    unittest.main()
