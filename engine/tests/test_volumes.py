"""Volumes of every type, order and orientation are read, refused with a reason, learnt from."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from neuroloom_engine import safetensors
from neuroloom_engine.check import volume_facts
from neuroloom_engine.data.crops import choose_start, cut, marks_of, sampling_grid
from neuroloom_engine.data.grids import Grid, common_grid, place_on
from neuroloom_engine.data.images import BadFile
from neuroloom_engine.data.overlay import CLASS_COLOURS, TRUTH, palette_of
from neuroloom_engine.data.slices import draw_slice, fullest, grey
from neuroloom_engine.data.volumes import (
    affine_of,
    read_header,
    read_volume,
    read_volume_labels,
    read_volume_mask,
    voxel_facts,
    write_volume,
)
from neuroloom_engine.tasks.surfaces import distances, one_by_one, outline, squares_within

from .make import Json, edit_spec, make_plan, of_type, run_here
from .make_volumes import draw_ball, make_volume_run, nifti, volume_nodes

FORMATS = (
    Path(os.environ.get("SHARED_DATA", Path(__file__).resolve().parents[3] / "shared" / "data")) / "formats"
)


class ReaderTest(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "v"

    def reason_of(self, content: bytes, read: Any = read_volume) -> str:
        self.path.write_bytes(content)
        with self.assertRaises(BadFile) as caught:
            read(self.path, 1000)
        return caught.exception.reason

    def test_every_type_order_and_version_gives_the_same_numbers(self) -> None:
        numbers = np.arange(24).reshape(2, 3, 4)
        for kind in ("u1", "i1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"):
            for order in "<>":
                for version in (1, 2):
                    self.path.write_bytes(nifti(numbers.astype(kind), order, version, (1, 2, 3), "LPS"))
                    volume = read_volume(self.path)
                    self.assertTrue(np.array_equal(volume.voxels, numbers), (kind, order, version))
                    self.assertEqual(volume.header.spacing, (3, 2, 1))
                    self.assertEqual(volume.header.orientation, "SPL")

    def test_scaling_is_applied(self) -> None:
        self.path.write_bytes(nifti(np.arange(8, dtype=np.int16).reshape(2, 2, 2), slope=(0.5, -1)))
        self.assertEqual(read_volume(self.path).voxels.reshape(-1)[:3].tolist(), [-1, -0.5, 0])

    def test_labels_that_rounding_moved_are_whole_and_others_are_named(self) -> None:
        numbers = np.array([0, 1.009, 2, 2.995, 0, 1, 5, 0], np.float32).reshape(2, 2, 2)
        self.path.write_bytes(nifti(numbers))
        self.assertEqual(read_volume_mask(self.path).voxels.reshape(-1).tolist(), [0, 1, 2, 3, 0, 1, 5, 0])
        self.path.write_bytes(nifti(np.array([0, 1.25, 2.02, 0], np.float32).reshape(1, 2, 2)))
        with self.assertRaisesRegex(BadFile, "mask_values"):
            read_volume_mask(self.path)
        told = voxel_facts(read_volume_labels(self.path).voxels)
        self.assertEqual(told, {"values": {"0": 2, "1.25": 1, "2.02": 1}})

    def test_what_cannot_be_a_volume_is_refused_with_a_reason(self) -> None:
        good = nifti(np.zeros((2, 2, 2), np.int16))
        broken = np.full((2, 2, 2), np.nan, np.float32)
        cases = {
            b"": "empty",
            b"no volume at all" * 40: "not_a_volume",
            good[:-1]: "truncated",
            gzip.compress(good)[:-20]: "truncated",
            nifti(broken): "not_finite",
            nifti(np.zeros((20, 20, 20), np.uint8)): "too_large",
            nifti(np.zeros((2, 2, 4), np.uint8), size=(4, 2, 2, 2, 2, 1, 1, 1)): "several_volumes",
            nifti(np.zeros((2, 2, 2), np.uint8), size=(3, 2, 0, 2, 1, 1, 1, 1)): "not_a_volume",
        }
        for content, reason in cases.items():
            self.assertEqual(self.reason_of(content), reason)
        self.path.write_bytes(nifti(np.zeros((2, 2, 2), np.uint8), size=(4, 2, 2, 2, 1, 1, 1, 1)))
        self.assertEqual(read_volume(self.path).voxels.shape, (2, 2, 2))

    def test_lying_sizes_and_bombs_cost_no_memory(self) -> None:
        header = nifti(np.zeros((1, 1, 1), np.float64), size=(3, 400, 400, 400, 1, 1, 1, 1))
        self.path.write_bytes(gzip.compress(header))
        with self.assertRaises(BadFile) as caught:
            read_volume(self.path, 100_000_000)
        self.assertEqual(caught.exception.reason, "truncated")
        self.path.write_bytes(gzip.compress(nifti(np.zeros((2, 2, 2), np.uint8)) + bytes(50_000_000)))
        self.assertEqual(read_volume(self.path).voxels.size, 8)

    def test_masks_hold_few_whole_numbers(self) -> None:
        self.assertEqual(
            self.reason_of(nifti(np.full((2, 2, 2), 0.5, np.float32)), read_volume_mask), "mask_values"
        )
        self.path.write_bytes(nifti(np.full((2, 2, 2), 3, np.float32)))
        self.assertEqual(read_volume_mask(self.path).voxels.dtype, np.int32)

    def test_a_written_mask_lies_where_its_volume_lies(self) -> None:
        self.path.write_bytes(nifti(np.zeros((2, 3, 4), np.int16), ">", 2, (1, 2, 3), "PIR"))
        header = read_header(self.path)
        values = np.arange(24).reshape(2, 3, 4) * 20
        self.path.write_bytes(write_volume(values, header))
        again = read_volume_mask(self.path)
        self.assertTrue(np.array_equal(again.voxels, values))
        self.assertEqual(
            (again.header.spacing, again.header.orientation, again.header.place),
            (header.spacing, header.orientation, header.place),
        )

    @unittest.skipUnless(FORMATS.exists(), "no shared data")
    def test_reads_what_reference_readers_read(self) -> None:
        expected = json.loads((FORMATS / "expected.json").read_text())
        for name in ("nifti/3d_anatomical.nii", "nifti/label_hippo.nii.gz", "same-volume/hippo.nii.gz"):
            want, volume = expected[name], read_volume(FORMATS / name)
            self.assertEqual(list(volume.voxels.shape[::-1]), want["shape"])
            self.assertEqual((volume.header.orientation or "")[::-1], want["orientation"])
            self.assertAlmostEqual(float(volume.voxels.mean(dtype=np.float64)), want["mean"], places=5)
        for path in (FORMATS / "broken").glob("*.nii*"):
            with self.assertRaises(BadFile):
                read_volume(path)

    def test_reads_arrays_of_numpy_without_a_place_in_the_body(self) -> None:
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "v.npy"
        voxels = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
        big = voxels.astype(">f4")
        for stored in (voxels, np.asfortranarray(voxels), voxels[None], big, voxels.astype(np.uint64)):
            np.save(path, stored)
            volume = read_volume(path)
            self.assertEqual(volume.voxels.tolist(), voxels.tolist())
            self.assertEqual((volume.header.orientation, volume.header.format), (None, "numpy"))
            self.assertIsNone(affine_of(volume.header))
        facts = volume_facts(read_volume(path), is_mask=False)
        self.assertEqual((facts["format"], facts["spacing"], facts["depth"]), ("numpy", None, 2))
        np.save(path, voxels > 20)
        self.assertEqual(volume_facts(read_volume_labels(path), is_mask=True)["values"], {"0": 21, "1": 3})
        np.save(path, voxels.astype(np.float32) + 0.3)
        self.assertIn("0.3", volume_facts(read_volume_labels(path), is_mask=True)["values"])

    def test_refuses_arrays_that_are_no_volume_of_numbers(self) -> None:
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "v.npy"
        whole = np.zeros((5, 6, 7))
        refused: list[tuple[str, Any]] = [
            ("several_volumes", np.zeros((2, 3, 4, 5))),
            ("not_a_volume", np.zeros((30, 40))),
            ("not_a_volume", np.zeros((4, 0, 4))),
            ("unsupported_mode", whole.astype(np.complex64)),
            ("unsupported_mode", np.array([[[{}]]], object)),
            ("not_finite", np.full((2, 2, 2), np.nan)),
        ]
        for reason, stored in refused:
            np.save(path, stored, allow_pickle=True)
            with self.subTest(reason), self.assertRaisesRegex(BadFile, reason):
                read_volume(path)
        np.save(path, whole)
        path.write_bytes(path.read_bytes()[:-9])
        with self.assertRaisesRegex(BadFile, "truncated"):
            read_volume(path)
        with self.assertRaisesRegex(BadFile, "too_large"):
            read_volume(path, max_voxels=100)
        path.write_bytes(b"\x93NUMPY\x01\x00v\x00{'descr': __import__('os')")
        with self.assertRaises(BadFile):
            read_volume(path)


class GridTest(unittest.TestCase):
    def test_turning_and_turning_back_is_the_identity(self) -> None:
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "v"
        voxels = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
        path.write_bytes(nifti(voxels, spacing=(1, 2, 3), axes="PSL"))
        header = read_header(path)
        place = place_on(header, Grid("SAR", (2.0, 1.0, 3.0)))
        self.assertEqual((place.size, place.is_resampled), ((3, 4, 2), False))
        self.assertTrue(np.array_equal(place.turn_back(place.turn(voxels)), voxels))
        # Along the turned width the body's right comes last; stored, the last axis slice points left.
        self.assertEqual(place.turn(voxels)[0, -1, -1], voxels[0, 0, 0])
        self.assertEqual(common_grid([header, header]), Grid("LSP", (3.0, 2.0, 1.0)))

    def test_crops_hold_the_class_and_fill_up_by_reflection(self) -> None:
        mask = np.zeros((6, 7, 9), np.uint8)
        mask[5, 6, 8] = 1
        rng = np.random.default_rng(0)
        starts = [choose_start(mask.shape, marks_of(mask, 2), (4, 4, 4), rng) for _ in range(40)]
        self.assertGreater(sum(start == (2, 3, 5) for start in starts), 10)
        self.assertEqual(
            cut(np.arange(3).reshape(3, 1, 1), (-1, 0, 0), (5, 1, 1)).ravel().tolist(), [0, 0, 1, 2, 2]
        )

    def test_an_unturned_grid_takes_each_voxel_itself(self) -> None:
        grid = sampling_grid(np.eye(3), np.array([6, 8, 10]), np.array([3.0, 4.0, 4.0]), (2, 4, 6))
        x, y, z = (grid[0, ..., axis].numpy() for axis in range(3))
        self.assertTrue(np.allclose(((x + 1) * 10 - 1) / 2, np.arange(1, 7)[None, None], atol=1e-5))
        self.assertTrue(np.allclose(((y + 1) * 8 - 1) / 2, np.arange(2, 6)[None, :, None], atol=1e-5))
        self.assertTrue(np.allclose(((z + 1) * 6 - 1) / 2, np.arange(2, 4)[:, None, None], atol=1e-5))

    def test_distances_in_mm_are_those_of_brute_force(self) -> None:
        rng = np.random.default_rng(4)
        spacing = [3.0, 0.7, 1.1]
        sides = np.array(spacing, np.float64)
        first, second = (outline(rng.random((9, 20, 17)) < share) for share in (0.02, 0.01))
        brute = one_by_one(*(np.argwhere(mask).astype(np.float64) * sides for mask in (first, second)))
        self.assertTrue(np.allclose(distances(first, second, spacing), brute))
        squares = squares_within(second, sides, 100.0)[first]
        self.assertTrue(np.allclose(np.sqrt(squares), brute, rtol=1e-5))
        near = squares_within(second, sides, 4.0)[first]
        self.assertTrue(np.allclose(near[brute <= 4], brute[brute <= 4] ** 2, rtol=1e-5))
        self.assertTrue((near[brute > 4] > 16).all())


class SliceTest(unittest.TestCase):
    def test_the_plain_picture_is_the_slice_under_the_outlines_and_has_its_number(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        rng = np.random.default_rng(8)
        # Sides of 300: a picture is then drawn pixel by pixel.
        voxels = rng.integers(0, 900, (7, 300, 300)).astype(np.int16)
        truth, predicted = np.zeros(voxels.shape, np.uint8), np.zeros(voxels.shape, np.uint8)
        truth[4, 50:90, 60:100], predicted[5, 10:120, 20:110] = 1, 1
        for axes, flips, number in (("RAS", (-1, -1), 6), ("LPI", (1, 1), 2), ("RPS", (1, -1), 6)):
            with self.subTest(axes):
                path = folder / f"{axes}.nii"
                path.write_bytes(nifti(voxels, axes=axes))
                overlay = folder / f"{axes}.png"
                drawn = draw_slice(overlay, voxels, (truth, predicted), read_header(path))
                raw = np.repeat(grey(voxels[5])[:: flips[0], :: flips[1], None], 3, axis=2)
                plain, marked = (np.asarray(Image.open(file)) for file in (drawn.plain, overlay))
                self.assertTrue(np.array_equal(plain, raw))
                changed = (plain != marked).any(2)
                self.assertTrue(predicted[5][:: flips[0], :: flips[1]][changed].all() and changed.any())
                place = {"number": number, "count": 7}
                self.assertEqual(drawn.fields(folder), {"plain": f"{axes}-plain.png", "slice": place})

    def test_each_class_has_a_colour_of_its_own_and_the_truth_is_green(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        voxels = np.zeros((3, 300, 300), np.int16)
        truth, predicted = np.zeros(voxels.shape, np.uint8), np.zeros(voxels.shape, np.uint8)
        truth[1, 10:40, 10:40] = 2
        for index in range(1, 10):
            predicted[1, 60 + 20 * index : 70 + 20 * index, 50:90] = index
        path = folder / "v.nii"
        path.write_bytes(nifti(voxels, axes="LPI"))
        draw_slice(folder / "v.png", voxels, (truth, predicted), read_header(path))
        picture = np.asarray(Image.open(folder / "v.png"))
        colours = [tuple(picture[60 + 20 * index, 70].tolist()) for index in range(1, 10)]
        self.assertEqual(colours, [*CLASS_COLOURS, CLASS_COLOURS[0]])
        self.assertEqual(tuple(picture[10, 20].tolist()), TRUTH)
        self.assertEqual([palette_of(["rest", *names]) for names in ("a", "ab")], [None, "classes"])


class RunTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.plan = make_volume_plan()

    def lay_out(self, count: int = 6, **changes: Any) -> Path:
        shapes = [(12, 10, 9), (6, 11, 14), (10, 10, 10)]
        hows: list[Json] = [{}, {"axes": "LPS"}, {"spacing": (1, 1, 2)}]
        items = [draw_ball(self.folder, str(n), shapes[n % 3], **hows[n % 3]) for n in range(count)]
        return make_volume_run(self.folder, items, self.plan, **changes)

    def fails_with(self, code: str, folder: Path) -> None:
        _, events = run_here(folder)
        self.assertEqual([event["code"] for event in of_type(events, "error")], [code])

    def test_learns_of_mixed_volumes_and_gives_masks_on_their_own_grids(self) -> None:
        code, events = run_here(self.lay_out())
        self.assertEqual(code, 0, of_type(events, "error"))
        self.assertEqual(
            {event["kind"] for event in of_type(events, "artifact")}, {"weights", "onnx", "torchscript"}
        )
        edit_spec(self.folder, kind="test", weights="out/weights.safetensors", part="all")
        code, events = run_here(self.folder)
        self.assertEqual(code, 0, of_type(events, "error"))
        with zipfile.ZipFile(self.folder / "out" / "masks.zip") as archive:
            self.assertEqual(archive.namelist(), [f"{n}.nii.gz" for n in range(6)])
            archive.extractall(self.folder / "masks")
        items = json.loads((self.folder / "out" / "items.json").read_text())
        for n in range(6):
            mask = read_volume_mask(self.folder / "masks" / f"{n}.nii.gz")
            [item] = [item for item in items if item["id"] == f"v{n}"]
            truth = read_volume_mask(self.folder / "data" / f"mask{n}")
            sides = (truth.voxels.astype(np.uint8), mask.voxels.astype(np.uint8))
            place = {"number": fullest(*sides) + 1, "count": len(mask.voxels)}
            self.assertEqual(item["slice"], place)
            self.assertTrue((self.folder / item["plain"]).exists())
            stored = read_volume(self.folder / "data" / f"image{n}").header
            self.assertEqual(mask.voxels.shape, stored.size)
            self.assertEqual((mask.header.orientation, mask.header.place), (stored.orientation, stored.place))
            self.assertLessEqual(set(np.unique(mask.voxels)), {0, 7})
            self.assertTrue((self.folder / "out" / "overlays" / f"v{n}.png").exists())

    def test_goes_on_to_the_same_weights_to_the_bit(self) -> None:
        run_here(self.lay_out())
        whole = safetensors.file_sha256(self.folder / "out" / "weights.safetensors")
        edit_spec(self.folder, resume=None)
        run_here(self.folder, stop_at=9)
        newest = sorted((self.folder / "out" / "checkpoints").iterdir())[-1]
        edit_spec(self.folder, resume=f"out/checkpoints/{newest.name}", attempt=2)
        code, events = run_here(self.folder)
        self.assertEqual((code, of_type(events, "error")), (0, []))
        self.assertIsNotNone(of_type(events, "started")[0]["resumedFrom"])
        self.assertEqual(safetensors.file_sha256(self.folder / "out" / "weights.safetensors"), whole)

    def test_three_volumes_are_enough_and_two_are_too_few(self) -> None:
        code, _ = run_here(self.lay_out(3, epochs=1))
        self.assertEqual(code, 0)
        self.fails_with("data_too_few", self.lay_out(2))

    def test_wrong_pairs_are_told(self) -> None:
        self.lay_out()
        (self.folder / "data" / "mask0").write_bytes(nifti(np.zeros((3, 3, 3), np.uint8)))
        (self.folder / "data" / "mask1").write_bytes(nifti(np.zeros((6, 11, 14), np.uint8), axes="SAR"))
        (self.folder / "data" / "mask2").write_bytes(nifti(np.zeros((10, 10, 11), np.uint8)))
        self.fails_with("data_pair_mismatch", self.folder)

    def test_numbers_that_are_none_are_told(self) -> None:
        self.lay_out()
        for n in range(6):
            shape = read_header(self.folder / "data" / f"image{n}").size
            (self.folder / "data" / f"image{n}").write_bytes(nifti(np.full(shape, np.nan, np.float32)))
        self.fails_with("data_unreadable", self.folder)

    def test_masks_that_mark_nothing_train_and_it_is_said(self) -> None:
        self.lay_out()
        for n in range(6):
            header = read_header(self.folder / "data" / f"mask{n}")
            (self.folder / "data" / f"mask{n}").write_bytes(write_volume(np.zeros(header.size, int), header))
        hyper = json.loads((self.folder / "run.json").read_text())["hyper"]
        edit_spec(self.folder, hyper=hyper | {"epochs": 1})
        code, events = run_here(self.folder)
        self.assertEqual(code, 0)
        self.assertIn("single_class", [event["code"] for event in of_type(events, "warning")])


def make_volume_plan() -> Json:
    return make_plan("segmentation", volume_nodes(2), size=8, axes=3)


if __name__ == "__main__":
    unittest.main()
