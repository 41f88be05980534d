"""Masks of flow runs: levels, pieces, and files on grids that lie otherwise."""

from __future__ import annotations

import gzip
import itertools
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np

from neuroloom_engine.flow.chosen import above_level, of_file
from neuroloom_engine.flow.direction import check_direction
from neuroloom_engine.flow.exports import write_nifti
from neuroloom_engine.flow.gallery import made
from neuroloom_engine.flow.masks import first_level, otsu_share, top_of
from neuroloom_engine.flow.stored import Stored, read_study
from neuroloom_engine.flow.study import Refusal, Values

from . import make_study as m
from .make import of_type

SIZE = (9, 7, 5)
AFFINE = np.array([[0.0, -2.0, 0.0, 10.0], [0.0, 0.0, 2.5, -7.0], [-1.5, 0.0, 0.0, 30.0]])


def stored(is_placed: bool = True) -> Stored:
    x, y, z = SIZE
    shape = (2, z, y, x)
    head = {"size": list(SIZE), "spacing": [1.5, 2.0, 2.5], "affine": AFFINE.tolist(), "isPlaced": is_placed}
    return Stored(head, np.zeros((3, *shape), "<i2"), np.zeros(shape, "<i2"))


def drawn() -> Values:
    """Something that looks like itself from one side alone."""
    mask = np.zeros(SIZE[::-1], np.uint8)
    mask[1:4, 2:5, 3:7] = 1
    mask[0, 0, 0] = mask[4, 1, 8] = mask[2, 6, 1] = 3
    return mask


class FileTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def written(self, values: Values, affine: Values, is_placed: bool = True) -> Path:
        """As another program would have it."""
        path = self.folder / "mask.nii.gz"
        spacing = np.linalg.norm(affine[:, :3], axis=0).tolist()
        head = {"spacing": spacing, "affine": affine.tolist(), "isPlaced": is_placed}
        write_nifti(path, values, Stored(head, values, values))
        return path

    def refusal(self, path: Path, study: Stored) -> Refusal:
        with self.assertRaises(Refusal) as caught:
            of_file(path, study)
        return caught.exception

    def test_axes_in_any_order_and_backwards_are_brought_to_the_study(self) -> None:
        mask = drawn()
        for order in itertools.permutations(range(3)):
            for flips in itertools.product((1, -1), repeat=3):
                # Of the file's axis a: along the study's axis order[a], backwards where its flip says so.
                values = mask.transpose(*reversed([2 - axis for axis in order]))
                steps = tuple(slice(None, None, flip) for flip in reversed(flips))
                affine = AFFINE.copy()
                for a, (axis, flip) in enumerate(zip(order, flips, strict=True)):
                    affine[:, a] = flip * AFFINE[:, axis]
                    if flip < 0:
                        affine[:, 3] += AFFINE[:, axis] * (SIZE[axis] - 1)
                path = self.written(np.ascontiguousarray(values[steps]), affine)
                np.testing.assert_array_equal(of_file(path, stored()).inside, mask > 0, f"{order} {flips}")

    def test_other_grids_are_refused_with_both_sizes(self) -> None:
        mask = drawn()
        shifted = AFFINE.copy()
        shifted[0, 3] += 1.0
        leaning = AFFINE.copy()
        leaning[:, :3] = AFFINE[:, :3] @ np.array([[0.98, 0.2, 0], [-0.2, 0.98, 0], [0, 0, 1.0]])
        for values, affine, size in (
            (mask, shifted, "9 × 7 × 5"),
            (mask, leaning, "9 × 7 × 5"),
            (mask[:4], AFFINE, "9 × 7 × 4"),
            (np.zeros((50, 70, 90), np.uint8), AFFINE, "90 × 70 × 50"),
        ):
            refusal = self.refusal(self.written(values, affine), stored())
            self.assertEqual(refusal.reason, "mask_other_grid")
            self.assertEqual(refusal.params, {"mask": size, "study": "9 × 7 × 5"})

    def test_where_nothing_tells_of_the_patient_equal_sizes_are_the_same_grid(self) -> None:
        mask = drawn()
        path = self.written(mask, AFFINE, is_placed=False)
        np.testing.assert_array_equal(of_file(path, stored()).inside, mask > 0)
        # Programs make up a place where there was none.
        made_up = AFFINE.copy()
        made_up[:, 3] = -99
        np.testing.assert_array_equal(of_file(self.written(mask, made_up), stored(False)).inside, mask > 0)
        turned = np.ascontiguousarray(mask.transpose(2, 1, 0))
        self.assertEqual(self.refusal(self.written(turned, made_up), stored(False)).reason, "mask_other_grid")

    def test_files_that_are_no_masks(self) -> None:
        path = self.written(drawn() * 0, AFFINE)
        self.assertEqual(self.refusal(path, stored()).reason, "mask_empty")
        whole = self.written(drawn(), AFFINE).read_bytes()
        raw = gzip.decompress(whole)
        hostile = bytearray(raw)
        # A claim of 32,767 voxels to each side.
        hostile[42:48] = b"\xff\x7f" * 3
        for content in (b"", b"no volume", whole[:60], raw[:400], bytes(hostile), b"NRRD0004\ntype: uint8\n"):
            path.write_bytes(content)
            self.assertEqual(self.refusal(path, stored()).reason, "mask_unreadable", content[:20])

    def test_nrrd_and_scaled_numbers_are_read(self) -> None:
        mask = drawn()
        path = self.folder / "mask.nrrd"
        columns = " ".join("(" + ",".join(str(one) for one in AFFINE[:, axis]) + ")" for axis in range(3))
        head = (
            "NRRD0004\ntype: uint8\ndimension: 3\nspace: right-anterior-superior\nsizes: 9 7 5\n"
            f"space directions: {columns}\nencoding: raw\nspace origin: (10,-7,30)\n\n"
        )
        path.write_bytes(head.encode() + mask.tobytes())
        np.testing.assert_array_equal(of_file(path, stored()).inside, mask > 0)
        # A scaling that lifts all values: none of them is 0.
        raw = bytearray(gzip.decompress(self.written(mask, AFFINE).read_bytes()))
        raw[112:120] = np.array([2, 5], "<f4").tobytes()
        (self.folder / "lifted").write_bytes(raw)
        self.assertTrue(of_file(self.folder / "lifted", stored()).inside.all())


class LevelTest(unittest.TestCase):
    def bright(self) -> Values:
        bright = np.full((8, 10, 12), 0.1, np.float32)
        bright[2:6, 2:8, 1:4] = 5
        bright[2:6, 2:8, 8:11] = 4
        bright[7, 9, 11] = np.nan
        return bright

    def test_pieces_that_hold_a_voxel_are_kept_else_the_largest(self) -> None:
        bright = self.bright()
        whole = above_level(bright, 0.5, [])
        self.assertEqual(int(whole.inside.sum()), 72)
        self.assertTrue(whole.inside[3, 3, 1])
        other = above_level(bright, 0.5, [(9, 3, 3)])
        self.assertTrue(other.inside[3, 3, 9] and not other.inside[3, 3, 1])
        self.assertEqual(int(above_level(bright, 0.5, [(9, 3, 3), (1, 2, 2), (2, 2, 2)]).inside.sum()), 144)
        self.assertEqual(int(above_level(bright, 0.9, []).inside.sum()), 72)
        for seed in ((6, 3, 3), (40, 3, 3)):
            with self.assertRaises(Refusal) as caught:
                above_level(bright, 0.5, [seed])
            self.assertEqual(caught.exception.params, {"x": seed[0] + 1, "y": 4, "z": 4})

    def test_the_level_parts_dim_from_bright(self) -> None:
        bright = self.bright()
        top = top_of(bright)
        self.assertAlmostEqual(top, 5.0, places=5)
        # All dim ones are alike; Otsu's level, the first bin above them, is less than 3 %.
        self.assertAlmostEqual(first_level(bright, top), 6 / 256)
        noise = np.random.default_rng(1).normal(0.5, 0.05, bright.shape).astype(np.float32)
        self.assertAlmostEqual(first_level(np.where(bright < 1, noise, bright), top), 0.65 / 5, places=2)
        with self.assertRaises(Refusal):
            above_level(bright * 0, None, [])
        self.assertEqual(first_level(bright * 0 + 1, 1.0), 0.0)

    def test_slow_blood_is_not_taken_for_what_stands_still(self) -> None:
        random = np.random.default_rng(2)
        speeds = np.broadcast_to(np.linspace(0, 1, 40, dtype=np.float32), (10, 12, 40))
        noise = 0.01 * random.standard_normal(speeds.shape).astype(np.float32)
        whole = otsu_share(speeds.ravel(), 1.0)
        for blood in (speeds, speeds + noise):
            self.assertAlmostEqual(first_level(blood, 1.0), whole / 2, delta=0.01)
        # The same speeds in any order are noise, in which no vessel is to be told from tissue.
        mixed = random.permutation(speeds.ravel()).reshape(speeds.shape)
        self.assertAlmostEqual(first_level(mixed, 1.0), whole, delta=0.01)


class ChosenRunTest(unittest.TestCase):
    def test_a_file_s_mask_is_what_a_run_measures_in(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        phantom = made("poiseuille", shape=(12, 16, 20), snr=20.0, samples=2)
        affine = np.array([[0, -2.0, 0, 3], [0, 0, 2.0, 4], [-2.0, 0, 0, 5]])
        m.write_phantom(folder / "study.safetensors", phantom, isPlaced=True, affine=affine.tolist())
        lumen = (phantom.lumen > 0.5).astype(np.uint8)
        # Its x runs backwards.
        other = affine.copy()
        other[:, 3] += 19 * affine[:, 0]
        other[:, 0] *= -1
        study = read_study(folder / "study.safetensors")
        there = replace(study, head={**study.head, "affine": other.tolist()})
        write_nifti(folder / "drawn", lumen[:, :, ::-1], there)
        chosen = {"kind": "file", "fileId": "x"}
        code, events = m.compute(folder, "drawn", kinds=["vortex"], mask=chosen)
        self.assertEqual(code, 0, of_type(events, "error"))
        told = m.numbers(folder)
        self.assertEqual((told["mask"]["kind"], told["mask"]["level"]), ("file", None))
        self.assertEqual(told["mask"]["voxels"], int(lumen.sum()))
        self.assertAlmostEqual(told["mask"]["volume"], lumen.sum() * 8e-9)
        back = of_file(folder / "out" / "mask.nii.gz", study)
        np.testing.assert_array_equal(back.inside, lumen > 0)
        write_nifti(folder / "drawn", lumen[:, :, :10], there)
        code, events = m.compute(folder, "drawn", mask=chosen)
        self.assertEqual(of_type(events, "error")[0]["data"]["refusal"], "mask_other_grid")
        thin = lumen * 0
        thin[6, 8, 10] = 1
        write_nifti(folder / "drawn", thin, study)
        code, events = m.compute(folder, "drawn", mask=chosen)
        self.assertEqual(code, 0, of_type(events, "error"))
        told = m.numbers(folder)
        self.assertIsNone(told["directions"])
        light = next(one for one in told["lights"] if one["name"] == "divergence")
        self.assertEqual((light["colour"], light["why"]), ("grey", "mask_too_thin"))
        with self.assertRaises(Refusal):
            check_direction(phantom.study.velocity, phantom.scan.spacing, thin > 0)


if __name__ == "__main__":
    unittest.main()
