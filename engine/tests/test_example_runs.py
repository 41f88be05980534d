"""What people take along, run as they run it on files: the example, and the program of a drawn network.

Networks of two tasks are trained (of every task in the long run); then
`predict.py` of the folder with examples, and the generated PyTorch
program with the weights, each in a process of its own, must say what the product says.

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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from neuroloom_engine import safetensors
from neuroloom_engine.data.volumes import read_volume, read_volume_mask

from .make import ENGINE, PROGRAM, Json, edit_spec, of_type, run_here, write_json
from .make_boxes import detector_plan, make_detection
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


class TakenAlongTest(unittest.TestCase):
    names: tuple[str, ...] = ("classification", "segmentation")
    folder: Path
    runs: dict[str, Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.runs = {name: cls.learned(name) for name in cls.names}
        cls.write_programs()

    @classmethod
    def learned(cls, name: str) -> Path:
        """A trained run that was tested on all that it has."""
        run = MADE[name](cls.folder / "runs" / name)
        for _ in range(2):
            code, events = run_here(run)
            assert code == DONE, of_type(events, "error")
            edit_spec(run, kind="test", weights=WEIGHTS, part="all")
        return run

    @classmethod
    def write_programs(cls) -> None:
        """As DRIPE and the downloads of a run write them."""
        for name, run in cls.runs.items():
            home = cls.folder / "programs" / name
            home.mkdir(parents=True)
            write_json(home / "plan.json", json.loads((run / "run.json").read_text())["plan"])
            shutil.copy(run / WEIGHTS, home / "weights.safetensors")
        script = ENGINE.parent / "contract/test/network/make-programs.ts"
        node = ["node", "--import", "tsx", "--conditions=neuroloom-source"]
        command = [*node, str(script), str(cls.folder / "programs")]
        subprocess.run(command, cwd=ENGINE.parent, check=True)

    def test_the_example_says_what_the_product_says(self) -> None:
        for name, run in self.runs.items():
            with self.subTest(name):
                out = self.run_example(run, items_of(run))
                self.check(name, out, Near(2e-3, 0.998, 1e-3, 2))

    def test_the_program_with_its_weights_says_what_the_product_says(self) -> None:
        for name, run in self.runs.items():
            with self.subTest(name):
                home = self.folder / "programs" / name
                files = [str(run / "data" / item["image"]) for item in items_of(run)]
                done = self.run_alone(home, "program.py", "weights.safetensors", *files)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.check(name, home, Near(1e-5, 1, 1e-5, 1))

    def test_the_program_tells_in_a_sentence_what_is_wrong(self) -> None:
        home = self.folder / "programs" / "classification"
        (home / "text.png").write_text("no picture")
        done = self.run_alone(home, "program.py", "weights.safetensors", "text.png")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("text.png: cannot be read", done.stdout)
        other = self.folder / "programs" / "segmentation" / "weights.safetensors"
        wrong = {"text.png": "no weights file", str(other): "weights of another network"}
        for weights, words in wrong.items():
            done = self.run_alone(home, "program.py", weights, "text.png")
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertIn(words, done.stdout)
        tensors, _ = safetensors.load(home / "weights.safetensors")
        safetensors.save(home / "silent.safetensors", tensors, {})
        done = self.run_alone(home, "program.py", "silent.safetensors", "text.png")
        self.assertIn("does not say how files are prepared", done.stdout)
        self.assertEqual(self.run_alone(home, "program.py").stdout, "main (1, 2)\n")

    def run_alone(self, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """As a user does: in the folder of the program, with nothing of the product in reach."""
        known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=home, env=known, capture_output=True, text=True, check=False)

    def check(self, name: str, out: Path, near: Near) -> None:
        run = self.runs[name]
        task = json.loads((run / "run.json").read_text())["task"]
        getattr(self, f"check_{KINDS[task]}")(run, items_of(run), out, near)

    def run_example(self, run: Path, items: list[Json]) -> Path:
        """On the run's own files; the folder of the answers."""
        home = self.folder / "example" / run.name
        shutil.copytree(PROGRAM, home / "python", ignore=shutil.ignore_patterns("__pycache__", "trained.py"))
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

    def check_names(self, run: Path, items: list[Json], out: Path, near: Near) -> None:
        with (out / "predictions.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))[1:]
        wanted = {item["id"]: item["probabilities"] for item in read_items(run)}
        for item, row in zip(items, rows, strict=True):
            self.assertEqual(row[0], Path(item["image"]).name)
            np.testing.assert_allclose([float(cell) for cell in row[1:]], wanted[item["id"]], atol=near.sure)

    def check_masks(self, run: Path, items: list[Json], out: Path, near: Near) -> None:
        archive = read_archive(run, "masks.zip")
        for item in items:
            own = np.asarray(Image.open(out / f"{Path(item['image']).stem}-mask.png"))
            wanted = np.asarray(Image.open(io.BytesIO(archive[name_in(archive, item)])))
            self.assertEqual(own.shape, wanted.shape)
            self.assertGreaterEqual((own == wanted).mean(), near.share)

    def check_volumes(self, run: Path, items: list[Json], out: Path, near: Near) -> None:
        """On the grid of the file, with its values, and with the same voxels marked."""
        archive = read_archive(run, "masks.zip")
        for item in items:
            own = read_volume_mask(out / f"{item['image']}-mask.nii.gz")
            (self.folder / "wanted.nii.gz").write_bytes(archive[name_in(archive, item)])
            wanted = read_volume_mask(self.folder / "wanted.nii.gz")
            stored = read_volume(run / "data" / item["image"]).header
            self.assertEqual((own.header.size, own.header.place), (stored.size, stored.place))
            self.assertEqual(own.header.spacing, wanted.header.spacing)
            self.assertGreaterEqual((own.voxels == wanted.voxels).mean(), near.share)

    def check_boxes(self, run: Path, items: list[Json], out: Path, near: Near) -> None:
        """Those that are believed from the score on that training chose; a test chooses its own."""
        least = json.loads((run / "out" / "model.json").read_text())["validation"]["threshold"] or 0.5
        wanted = {item["id"]: item["boxes"]["found"] for item in read_items(run)}
        for item in items:
            own = json.loads((out / f"{Path(item['image']).stem}-boxes.json").read_text())
            # One may lie just on the other side.
            sure = [box for box in wanted[item["id"]] if box["score"] > least + 1e-3]
            self.assertGreaterEqual(len(own), len(sure))
            for one, other in zip(own, sure, strict=False):
                self.assertAlmostEqual(one["score"], other["score"], delta=near.score)

    def check_pictures(self, run: Path, items: list[Json], out: Path, near: Near) -> None:
        archive = read_archive(run, "images.zip")
        for item in items:
            own = np.asarray(Image.open(out / f"{Path(item['image']).stem}-restored.png")).astype(float)
            wanted = np.asarray(Image.open(io.BytesIO(archive[name_in(archive, item)]))).astype(float)
            self.assertEqual(own.shape, wanted.shape)
            self.assertLess(abs(own - wanted).max(), near.level)


@dataclass(frozen=True)
class Near:
    """How near answers must be: probabilities, share of equal pixels, scores, levels that none is off by."""

    sure: float
    share: float
    score: float
    level: float


def items_of(run: Path) -> list[Json]:
    return json.loads((run / "manifest.json").read_text())["items"]


def detector(ports: tuple[str, ...], levels: int) -> Callable[[Path], Path]:
    return lambda folder: make_detection(folder, 12, plan=detector_plan(ports, levels), epochs=1)


# Every task, and every way of detection.
MADE: dict[str, Callable[[Path], Path]] = MAKERS | {
    "fcos": detector(("cls", "box", "ctr"), 2),
    "centernet": detector(("heat", "size", "offset"), 1),
}
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
