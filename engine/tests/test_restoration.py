"""Restoration measures what papers measure, learns, and is exported as what it is."""

from __future__ import annotations

import json
import os
import tempfile
import unittest
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from neuroloom_engine.control import Control
from neuroloom_engine.data.bicubic import enlarge
from neuroloom_engine.data.images import BadFile, read_picture
from neuroloom_engine.data.pairs import as_levels, as_tensor, crop, in_unit
from neuroloom_engine.data.strip import GAP, MOST, busiest, draw, heat
from neuroloom_engine.failures import DONE
from neuroloom_engine.network import build_network
from neuroloom_engine.predict import Predictor
from neuroloom_engine.spec import NetworkSpec, read_manifest, read_spec
from neuroloom_engine.tasks.evidence import restoration_evidence
from neuroloom_engine.tasks.fidelity import MOST_PSNR, compare, luminance, psnr, ssim
from neuroloom_engine.tasks.pixel_losses import NAMES, pixel_loss, structure
from neuroloom_engine.tasks.result import ItemResult
from neuroloom_engine.tasks.task import task_of

from .make import edit_spec, make_plan, of_type, run_here, save_png, write_json
from .make_pairs import make_pairs_run, restorer_nodes, save_float_tiff
from .test_evidence import items_of

DATA = Path(os.environ.get("SHARED_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
# Of Set5, on luminance with the border cut, as in every paper: PSNR and SSIM.
BICUBIC = {2: (33.67, 0.9303), 3: (30.41, 0.8689), 4: (28.43, 0.8111)}


class MeasuresTest(unittest.TestCase):
    def test_bicubic_on_set5_gives_the_known_figures(self) -> None:
        folder = DATA / "superresolution-set5"
        if not folder.is_dir():
            self.skipTest(f"no Set5 in {DATA}")
        for factor, (known_psnr, known_ssim) in BICUBIC.items():
            found = []
            for path in sorted((folder / f"x{factor}" / "images").iterdir()):
                given, truth = (
                    colours(read_picture(file).pixels)
                    for file in (path, path.parents[1] / "labels" / path.name)
                )
                large = as_levels(enlarge(as_tensor([given]), factor)[0], np.uint8)
                found.append(list(compare(in_unit(large), in_unit(truth), factor, 1.0).values()))
            means = np.mean(found, 0)
            self.assertAlmostEqual(means[0], known_psnr, delta=0.01)
            self.assertAlmostEqual(means[1], known_ssim, delta=0.0003)

    def test_enlargement_is_pillows_to_the_border(self) -> None:
        rng = np.random.default_rng(1)
        for size, factor in (((7, 9), 2), ((5, 4), 3), ((6, 1), 4)):
            image = rng.random(size).astype(np.float32)
            wanted = Image.fromarray(image).resize(
                (size[1] * factor, size[0] * factor), Image.Resampling.BICUBIC
            )
            found = enlarge(torch.from_numpy(image)[None, None], factor)[0, 0].numpy()
            np.testing.assert_allclose(found, np.asarray(wanted), atol=1e-5)

    def test_psnr_and_luminance_are_the_ones_worked_out_by_hand(self) -> None:
        truth = np.full((4, 4), 0.5)
        self.assertAlmostEqual(psnr(truth + 0.1, truth, 1.0), 20.0)
        self.assertAlmostEqual(psnr(truth + 0.1, truth, 0.5), 20 - 20 * np.log10(2))
        self.assertEqual(psnr(truth, truth, 1.0), MOST_PSNR)
        corners = np.array([[[0, 0, 0], [1, 1, 1]]], np.float32)
        np.testing.assert_allclose(luminance(corners), [[16 / 255, 235 / 255]])

    def test_ssim_is_its_formula_at_every_place(self) -> None:
        rng = np.random.default_rng(2)
        x, y = rng.random((13, 12)), rng.random((13, 12))
        window = np.array(
            [[np.exp(-((r - 5) ** 2 + (c - 5) ** 2) / 4.5) for c in range(11)] for r in range(11)]
        )
        window /= window.sum()
        values = []
        for top in range(3):
            for left in range(2):
                a, b = x[top : top + 11, left : left + 11], y[top : top + 11, left : left + 11]
                ma, mb = (window * a).sum(), (window * b).sum()
                va, vb = (window * (a - ma) ** 2).sum(), (window * (b - mb) ** 2).sum()
                cab = (window * (a - ma) * (b - mb)).sum()
                values.append(
                    (2 * ma * mb + 1e-4) * (2 * cab + 9e-4) / ((ma**2 + mb**2 + 1e-4) * (va + vb + 9e-4))
                )
        self.assertAlmostEqual(ssim(x, y, 1.0) or 0, float(np.mean(values)), places=10)
        tensors = [torch.from_numpy(part)[None, None] for part in (x, y)]
        self.assertAlmostEqual(float(structure(*tensors)), float(np.mean(values)), places=10)
        self.assertAlmostEqual(ssim(x, x, 1.0) or 0, 1.0)
        self.assertIsNone(ssim(x[:10], y[:10], 1.0))
        # Two even images differ in brightness alone: (2·0.2·0.6 + 1e-4) / (0.2² + 0.6² + 1e-4).
        even = [np.full((11, 11), value) for value in (0.2, 0.6)]
        self.assertAlmostEqual(ssim(even[0], even[1], 1.0) or 0, 0.2401 / 0.4001)

    def test_every_loss_falls_to_nothing_with_the_truth(self) -> None:
        truth = torch.rand(2, 1, 16, 16)
        for name in NAMES:
            loss = pixel_loss(name)
            self.assertLess(float(loss(truth, truth)), 2e-3)
            self.assertGreater(float(loss(truth + 0.3, truth)), 0.01)
            self.assertTrue(torch.isfinite(loss(truth[..., :4, :4], truth[..., :4, :4] + 0.1)))

    def test_gains_are_paired_and_worse_ones_counted(self) -> None:
        rng = np.random.default_rng(3)
        before = rng.normal(30, 5, 20)
        gain = np.where(np.arange(20) < 2, -0.1, 1.0)
        results = [
            ItemResult(
                f"i{k}",
                f"{k}",
                None,
                [],
                before[k] + gain[k],
                {"ssim": None, "bicubicPsnr": before[k], "bicubicSsim": None},
            )
            for k in range(20)
        ]
        found = restoration_evidence(items_of([f"g{k}" for k in range(20)]), results, "bicubic")
        (row,) = found["gains"]
        self.assertEqual((row["metric"], row["worse"]), ("psnr", 2))
        self.assertAlmostEqual(row["mean"] - row["baseline"], gain.mean())
        low, high = row["interval"]
        # Of the differences: much narrower than the spread between images.
        self.assertTrue(0.5 < low < gain.mean() < high < 1.2)


def colours(pixels: np.ndarray) -> np.ndarray:
    return pixels if pixels.ndim == 3 else np.repeat(pixels[..., None], 3, axis=2)


def network_spec(folder: Path) -> NetworkSpec:
    spec = read_spec(folder)
    assert isinstance(spec, NetworkSpec)
    return spec


class PairsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def load(self, folder: Path):
        spec = network_spec(folder)
        manifest = read_manifest(folder / "manifest.json")
        task = task_of(spec.task)
        data, bad = task.load(spec, manifest, manifest.items, Control())
        return spec, task, data, bad

    def test_crops_of_a_pair_show_the_same_place_in_the_same_pose(self) -> None:
        spec, task, data, _ = self.load(make_pairs_run(self.folder, "super_resolution"))
        rng = np.random.default_rng(5)
        for row in range(len(data.items)):
            pair = crop(data.store[row], 2, spec.hyper, rng)
            self.assertEqual((pair.given.shape, pair.truth.shape), ((8, 8, 1), (16, 16, 1)))
            shrunk = pair.truth.reshape(8, 2, 8, 2, 1).astype(float).mean((1, 3))
            self.assertLess(np.abs(shrunk - pair.given).mean(), 2.0)
        rule = task.normalisation(data, [0, 1, 2])
        images, targets = task.batch(data, [0, 1, 2], rule, spec.hyper, rng)
        self.assertEqual((images.shape, targets.shape), ((3, 1, 8, 8), (3, 2, 16, 16)))

    def test_pairs_that_do_not_fit_end_the_run_by_name(self) -> None:
        changes = {
            "of another size": lambda path: save_png(path, np.zeros((9, 9), np.uint8)),
            "of other bits": lambda path: save_png(path, np.zeros((28, 20), np.uint16)),
        }
        for name, spoil in changes.items():
            with self.subTest(name):
                folder = make_pairs_run(self.folder / name.replace(" ", "-"), "super_resolution")
                for path in (folder / "data" / "truth").iterdir():
                    spoil(path)
                error = self.failure(folder)
                self.assertEqual(error["code"], "data_pair_mismatch")
                self.assertEqual(len(error["data"]["files"]), error["data"]["count"])

    def failure(self, folder: Path):
        code, events = run_here(folder)
        self.assertNotEqual(code, DONE)
        return of_type(events, "error")[0]

    def test_other_failures_have_their_names_too(self) -> None:
        plan = make_plan("super-resolution", restorer_nodes(1, 3), 1, 8)
        folder = make_pairs_run(self.folder / "factor", "super_resolution", plan=plan)
        self.assertEqual(self.failure(folder)["code"], "plan_invalid")
        folder = make_pairs_run(self.folder / "few", "super_resolution", count=2)
        self.assertEqual(self.failure(folder)["code"], "data_too_few")
        folder = make_pairs_run(self.folder / "channels", "denoising", channels=3)
        manifest = json.loads((folder / "manifest.json").read_text())
        write_json(folder / "manifest.json", manifest | {"channels": 1})
        self.assertEqual(self.failure(folder)["code"], "plan_invalid")

    def test_numbers_that_are_none_are_refused(self) -> None:
        for value in (np.nan, np.inf):
            pixels = np.full((4, 4), 0.5)
            pixels[1, 2] = value
            save_float_tiff(self.folder / "x.tif", pixels)
            with self.assertRaises(BadFile) as caught:
                read_picture(self.folder / "x.tif")
            self.assertEqual(caught.exception.reason, "not_finite")

    def test_grey_and_colour_files_mix(self) -> None:
        folder = make_pairs_run(self.folder, "denoising", channels=3)
        grey = np.asarray(Image.open(folder / "data" / "given" / "0.png").convert("L"))
        save_png(folder / "data" / "given" / "0.png", grey)
        _, _, data, bad = self.load(folder)
        self.assertEqual((len(data.items), bad), (12, []))


class RestoringTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_both_tasks_learn_and_leave_images_of_their_bits(self) -> None:
        for task, before, bits, channels in (
            ("super_resolution", "bicubic", 8, 3),
            ("denoising", "input", 16, 1),
        ):
            with self.subTest(task):
                folder = make_pairs_run(self.folder / task, task, channels=channels, bits=bits, epochs=8)
                code, events = run_here(folder)
                self.assertEqual(code, DONE)
                self.assertIn("onnx", [event["kind"] for event in of_type(events, "artifact")])
                preview = of_type(events, "preview")[-1]["items"][0]
                self.assertTrue((folder / preview["overlay"]).is_file())
                weights = {"kind": "test", "weights": "out/weights.safetensors", "part": "all"}
                edit_spec(folder, **weights)
                code, events = run_here(folder)
                self.assertEqual(code, DONE)
                values = of_type(events, "metrics")[0]["values"]
                self.assertEqual(list(values), ["loss", "psnr", "ssim", f"{before}Psnr", f"{before}Ssim"])
                self.assertGreater(values["psnr"], values[f"{before}Psnr"] + 0.1)
                with zipfile.ZipFile(folder / "out" / "images.zip") as archive:
                    self.assertEqual(len(archive.namelist()), 12)
                    image = np.asarray(Image.open(BytesIO(archive.read("0.png"))))
                truth = np.asarray(Image.open(folder / "data" / "truth" / "0.png"))
                self.assertEqual(image.shape, truth.shape)
                self.assertLess(np.abs(image.astype(float) - truth).mean() / truth.max(), 0.1)
                evidence = json.loads((folder / "out" / "evidence.json").read_text())
                self.assertEqual(evidence["gains"][0]["metric"], "psnr")
                table = (folder / "out" / "predictions.csv").read_text("utf-8-sig").splitlines()
                self.assertEqual(table[0], f"name,psnr,ssim,{before}Psnr,{before}Ssim")
                self.assertEqual(len(table), 13)

    def test_the_exported_network_gives_the_stored_image(self) -> None:
        for task_name in ("super_resolution", "denoising"):
            folder = make_pairs_run(self.folder / task_name, task_name)
            spec = network_spec(folder)
            manifest = read_manifest(folder / "manifest.json")
            task = task_of(task_name)
            data, _ = task.load(spec, manifest, manifest.items, Control())
            network = build_network(spec.plan, task.NETWORK_TASK, 3)
            rule = task.normalisation(data, [0, 1])
            stored = {}
            with Predictor(network, torch.device("cpu")) as predictor:
                step = lambda done: None  # noqa: E731
                task.evaluate(predictor, data, [0, 1], rule, spec.hyper, step, stored.__setitem__)
            deployed = task.deploy(network, rule)
            deployed.module.eval()
            given = as_tensor([data.store[0].given])
            with torch.no_grad():
                found = as_levels(deployed.module(given)[0], np.uint8)
            self.assertLessEqual(np.abs(found.astype(int) - stored[0]).max(), 1)
            self.assertEqual(deployed.outputs["restored"]["factor"], data.factor)

    def test_a_strip_shows_the_part_with_the_most_detail(self) -> None:
        truth = np.zeros((400, 600, 1), np.uint8)
        truth[300:340:2, 400:440] = 255
        top, left, height, width = busiest(truth, 3)
        self.assertEqual((height, width, top % 3, left % 3), (MOST, MOST, 0, 0))
        self.assertTrue(top <= 300 and top + height >= 340 and left <= 400 and left + width >= 440)
        self.assertEqual(busiest(truth[:5, :7], 1)[:4], (0, 0, 5, 7))

    def test_what_is_shown_as_before_is_the_enlargement_that_is_measured(self) -> None:
        rng = np.random.default_rng(6)
        given = rng.integers(0, 256, (110, 120, 3)).astype(np.uint8)
        truth = rng.integers(0, 256, (220, 240, 3)).astype(np.uint8)
        answer = rng.integers(0, 256, truth.shape).astype(np.uint8)
        # In single precision: of bytes, Pillow cuts what overshoots between its two passes.
        channels = [Image.fromarray(given[..., at].astype(np.float32)) for at in range(3)]
        large = [np.asarray(one.resize((240, 220), Image.Resampling.BICUBIC)) for one in channels]
        measured = np.stack(large, 2).clip(0, 255).round()
        drawn = draw(self.folder / "a.png", given, answer, truth, is_whole=True)
        self.assertIsNotNone(drawn)
        assert drawn is not None
        self.assertEqual(drawn.fields(self.folder), {"whole": "a-whole.png"})
        whole = np.asarray(Image.open(drawn.path)).astype(int)
        self.assertEqual(whole.shape, (220, 4 * 240 + 3 * GAP, 3))
        before, result, true = (whole[:, at : at + 240] for at in range(0, 3 * (240 + GAP), 240 + GAP))
        self.assertLessEqual(np.abs(before - measured).max(), 1)
        self.assertTrue(np.array_equal(result, answer) and np.array_equal(true, truth))
        top, left, height, width = busiest(truth, 2)
        detail = np.asarray(Image.open(self.folder / "a.png"))[:, :width]
        self.assertTrue(np.array_equal(detail, before[top : top + height, left : left + width]))
        self.assertIsNone(draw(self.folder / "a.png", given[:40, :40], answer[:80, :80], None, is_whole=True))

    def test_the_colour_of_an_error_is_black_to_white(self) -> None:
        self.assertEqual(heat(np.array([[0.0, 1.0]], np.float32)).tolist(), [[[0, 0, 0], [255, 255, 255]]])
