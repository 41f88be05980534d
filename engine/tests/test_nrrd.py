"""Volumes as NRRD: read to the voxel and the place, and refused where a claim cannot be true."""

from __future__ import annotations

import gzip
import os
import tempfile
import unittest
from pathlib import Path

import numpy as np

from neuroloom_engine.data.images import MAX_PIXELS, BadFile
from neuroloom_engine.data.nrrd import read_nrrd
from neuroloom_engine.recipe.files import affine_of, read_frame, write_frame

from .make import ENGINE

VOXELS = np.random.default_rng(3).integers(-5, 900, (3, 4, 5)).astype("<i2")
SHARED = Path(os.environ.get("SHARED_DATA", ENGINE.parents[1] / "shared" / "data"))
FIELDS = {
    "type": "short",
    "dimension": "3",
    "sizes": "5 4 3",
    "space": "left-posterior-superior",
    "space directions": "(0.5,0,0) (0,0.75,0) (0,0,2)",
    "space origin": "(10, -20, 30)",
    "endian": "little",
    "encoding": "raw",
}


def nrrd(content: bytes, **changes: str | None) -> bytes:
    fields = {**FIELDS, **{name.replace("_", " "): value for name, value in changes.items()}}
    lines = [
        "NRRD0004",
        "# made here",
        "note:=a: b",
        *(f"{k}: {v}" for k, v in fields.items() if v is not None),
    ]
    return "\n".join(lines).encode() + b"\n\n" + content


class NrrdTest(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.path = Path(holder.name, "volume.nrrd")

    def reason(self, content: bytes, max_voxels: int = MAX_PIXELS) -> str:
        self.path.write_bytes(content)
        with self.assertRaises(BadFile) as caught:
            read_nrrd(self.path, max_voxels)
        return caught.exception.reason

    def test_voxels_and_place_come_back_also_packed_and_from_the_other_end(self) -> None:
        raw = VOXELS.tobytes()
        for content in (
            nrrd(raw),
            nrrd(gzip.compress(raw), encoding="gzip"),
            nrrd(VOXELS.byteswap().tobytes(), endian="big"),
        ):
            self.path.write_bytes(content)
            frame = read_frame(self.path, True, MAX_PIXELS)
            self.assertTrue((frame.pixels == VOXELS).all())
            assert frame.header is not None
            self.assertEqual(frame.header.spacing, (2.0, 0.75, 0.5))
            affine = np.array([[-0.5, 0, 0, -10], [0, -0.75, 0, 20], [0, 0, 2, 30], [0, 0, 0, 1]])
            np.testing.assert_allclose(affine_of(frame.header)[0], affine)
            made = self.path.with_name("made")
            self.assertEqual(write_frame(frame, made), "nifti")
            again = read_frame(made, True, MAX_PIXELS)
            assert again.header is not None
            self.assertTrue((again.pixels == VOXELS).all())
            np.testing.assert_allclose(affine_of(again.header)[0], affine)

    def test_without_a_place_the_spacings_are_known(self) -> None:
        self.path.write_bytes(nrrd(VOXELS.tobytes(), space=None, space_directions=None, spacings="0.5 1 4"))
        header, _ = read_nrrd(self.path, MAX_PIXELS)
        self.assertEqual((header.spacing, header.orientation), ((4.0, 1.0, 0.5), None))

    def test_what_cannot_be_true_is_refused(self) -> None:
        raw = VOXELS.tobytes()
        self.assertEqual(self.reason(nrrd(raw[:-1])), "truncated")
        self.assertEqual(self.reason(nrrd(gzip.compress(raw)[:-9], encoding="gz")), "truncated")
        self.assertEqual(self.reason(nrrd(b"not packed", encoding="gzip")), "truncated")
        self.assertEqual(self.reason(b"NRRD0004\ntype: short"), "truncated")
        self.assertEqual(self.reason(nrrd(raw, sizes="50000 50000 50000")), "too_large")
        self.assertEqual(self.reason(nrrd(raw), 59), "too_large")
        for wrong in ("5 4", "5 4 0", "-5 4 3", "a b c", ""):
            self.assertEqual(self.reason(nrrd(raw, sizes=wrong)), "not_a_volume", wrong)
        self.assertEqual(self.reason(nrrd(raw, dimension="4", sizes="5 4 3 1")), "not_a_volume")
        for wrong in (
            "none (0,1,0) (0,0,1)",
            "(0,0,0) (0,1,0) (0,0,1)",
            "(nan,0,0) (0,1,0) (0,0,1)",
            "(1,0,0)",
        ):
            self.assertEqual(self.reason(nrrd(raw, space_directions=wrong)), "not_a_volume", wrong)
        for changes in (
            {"encoding": "bzip2"},
            {"encoding": "ascii"},
            {"type": "block"},
            {"data_file": "/etc/passwd"},
        ):
            self.assertEqual(self.reason(nrrd(raw, **changes)), "unsupported_mode", changes)

    @unittest.skipUnless((SHARED / "formats/same-volume").is_dir(), "needs the shared data")
    def test_a_real_volume_equals_its_nifti(self) -> None:
        # Both were written with the same numbers, which one counts to the left and the back.
        folder = SHARED / "formats/same-volume"
        one = read_frame(folder / "hippo.nrrd", False, MAX_PIXELS)
        other = read_frame(next(folder.glob("hippo.nii*")), False, MAX_PIXELS)
        assert one.header is not None and other.header is not None
        self.assertTrue((one.values() == other.values()).all())
        np.testing.assert_allclose(
            affine_of(one.header)[0], np.diag([-1, -1, 1, 1]) @ affine_of(other.header)[0]
        )
