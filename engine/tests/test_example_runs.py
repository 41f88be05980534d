"""The example that people take along, run as they run it: networks of every task on files, by `predict.py`.

ONNX Runtime itself is called where this Python has it (`pip install --target FOLDER onnxruntime`, FOLDER in
PYTHONPATH). Elsewhere, as on Debian, which has no package of it, a module of the same name stands in: it has
the one class that the example uses and asks PyTorch for the very module that was exported. (That ONNX Runtime
says the same of the exported files, `web/test/try-network.test.ts` shows.)
"""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

from neuroloom_engine.data.volumes import read_volume, read_volume_mask

from .make import ENGINE, Json, edit_spec, run_here
from .test_inference import DONE, MAKERS, WEIGHTS, read_archive, read_items

# A session with ONNX Runtime's interface, on the run folder that the environment names.
STAND_IN = """
import os
import sys
from pathlib import Path

sys.path.insert(0, os.environ["ENGINE_FOLDER"])
import torch
from neuroloom_engine.data.normalise import Normalisation
from neuroloom_engine.spec import read_manifest, read_spec
from neuroloom_engine.tasks.task import task_of
from neuroloom_engine.test import load_network


class InferenceSession:
    def __init__(self, path, providers):
        spec = read_spec(Path(os.environ["RUN_FOLDER"]))
        network, about = load_network(spec, read_manifest(spec.manifest_path))
        rule = Normalisation.from_json(about["normalisation"])
        self.module = task_of(spec.task).deploy(network, rule).module.eval()

    def run(self, names, feeds):
        with torch.no_grad():
            given = [torch.from_numpy(feeds[name]) for name in ("image", "moments") if name in feeds]
            answer = self.module(*given)
        return [one.numpy() for one in (answer if isinstance(answer, (list, tuple)) else [answer])]
"""


class ExampleRunTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def learned(self, task: str) -> tuple[Path, list[Json]]:
        run = MAKERS[task](self.folder / task)
        self.assertEqual(run_here(run)[0], DONE)
        edit_spec(run, kind="test", weights=WEIGHTS, part="all")
        self.assertEqual(run_here(run)[0], DONE)
        return run, json.loads((run / "manifest.json").read_text())["items"]

    def run_example(self, run: Path, items: list[Json]) -> Path:
        """On the run's own files; the folder of the answers."""
        home = self.folder / "example" / run.name
        shutil.copytree(ENGINE / "example", home / "python", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("model.onnx", "model.json"):
            shutil.copy(run / "out" / name, home / name)
        places = [os.environ.get("PYTHONPATH", "")]
        if importlib.util.find_spec("onnxruntime") is None:
            (home / "stand-in").mkdir()
            (home / "stand-in" / "onnxruntime.py").write_text(STAND_IN)
            places.insert(0, str(home / "stand-in"))
        known = {"PYTHONPATH": os.pathsep.join(filter(None, places)), "PYTHONDONTWRITEBYTECODE": "1"}
        known |= {"ENGINE_FOLDER": str(ENGINE), "RUN_FOLDER": str(run)}
        files = [str(run / "data" / item["image"]) for item in items]
        out = home / "answers"
        command = [sys.executable, str(home / "python" / "predict.py"), *files, "--out", str(out)]
        done = subprocess.run(command, env=os.environ | known, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), len(items), done.stdout)
        self.assertNotIn("cannot be read", done.stdout)
        return out

    def test_every_task_gives_what_the_engine_gives(self) -> None:
        for task in MAKERS:
            with self.subTest(task):
                run, items = self.learned(task)
                out = self.run_example(run, items)
                getattr(self, f"check_{KINDS[task]}")(run, items, out)

    def check_names(self, run: Path, items: list[Json], out: Path) -> None:
        with (out / "predictions.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))[1:]
        wanted = {item["id"]: item["probabilities"] for item in read_items(run)}
        for item, row in zip(items, rows, strict=True):
            self.assertEqual(row[0], Path(item["image"]).name)
            np.testing.assert_allclose([float(cell) for cell in row[1:]], wanted[item["id"]], atol=2e-3)

    def check_masks(self, run: Path, items: list[Json], out: Path) -> None:
        archive = read_archive(run, "masks.zip")
        for item in items:
            own = np.asarray(Image.open(out / f"{Path(item['image']).stem}-mask.png"))
            wanted = np.asarray(Image.open(io.BytesIO(archive[name_in(archive, item)])))
            self.assertEqual(own.shape, wanted.shape)
            self.assertGreater((own == wanted).mean(), 0.998)

    def check_volumes(self, run: Path, items: list[Json], out: Path) -> None:
        """On the grid of the file, with its values, and with the same voxels marked."""
        archive = read_archive(run, "masks.zip")
        for item in items:
            own = read_volume_mask(out / f"{item['image']}-mask.nii.gz")
            (self.folder / "wanted.nii.gz").write_bytes(archive[name_in(archive, item)])
            wanted = read_volume_mask(self.folder / "wanted.nii.gz")
            stored = read_volume(run / "data" / item["image"]).header
            self.assertEqual((own.header.size, own.header.place), (stored.size, stored.place))
            self.assertEqual(own.header.spacing, wanted.header.spacing)
            self.assertGreater((own.voxels == wanted.voxels).mean(), 0.995)

    def check_boxes(self, run: Path, items: list[Json], out: Path) -> None:
        """Those that are believed from the score on that training chose; a test chooses its own."""
        least = json.loads((run / "out" / "model.json").read_text())["validation"]["threshold"] or 0.5
        wanted = {item["id"]: item["boxes"]["found"] for item in read_items(run)}
        for item in items:
            own = json.loads((out / f"{Path(item['image']).stem}-boxes.json").read_text())
            # One may lie just on the other side.
            sure = [box for box in wanted[item["id"]] if box["score"] > least + 1e-3]
            self.assertGreaterEqual(len(own), len(sure))
            for one, other in zip(own, sure, strict=False):
                self.assertAlmostEqual(one["score"], other["score"], delta=1e-3)

    def check_pictures(self, run: Path, items: list[Json], out: Path) -> None:
        archive = read_archive(run, "images.zip")
        for item in items:
            own = np.asarray(Image.open(out / f"{Path(item['image']).stem}-restored.png")).astype(float)
            wanted = np.asarray(Image.open(io.BytesIO(archive[name_in(archive, item)]))).astype(float)
            self.assertEqual(own.shape, wanted.shape)
            self.assertLess(abs(own - wanted).max(), 2)


KINDS = {
    "classification": "names",
    "multilabel": "names",
    "segmentation": "masks",
    "volume_segmentation": "volumes",
    "detection": "boxes",
    "super_resolution": "pictures",
    "denoising": "pictures",
}


def name_in(archive: dict[str, bytes], item: Json) -> str:
    """The engine's name of the answer to an item: the item's own, with the ending of the answer."""
    stem = item["name"].removesuffix(".gz").removesuffix(".nii").rsplit(".", 1)[0]
    return next(
        name for name in archive if name.removesuffix(".gz").removesuffix(".nii").rsplit(".", 1)[0] == stem
    )
