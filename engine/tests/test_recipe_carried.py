"""A recipe that goes along with what people take away.

On raw files, their programs say what the product says.
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

from neuroloom_engine.data.volumes import read_volume_mask

from .make import ENGINE, PROGRAM, Json, edit_spec, of_type, run_here, write_json
from .test_example_runs import STAND_IN, name_in
from .test_inference import DONE, MAKERS, WEIGHTS, forget_labels, read_archive, read_items

SIZE = {"do": "size", "how": "stretch", "width": 40, "height": 24}
RECIPES: dict[str, Json] = {
    # Tiles are of training alone.
    "segmentation": {
        "v": 1,
        "name": "Bars",
        "version": "0a1b2c3d",
        "steps": [
            {"do": "rotate", "degrees": 90},
            {"do": "clahe", "tiles": 2, "clip": 2},
            SIZE,
            {"do": "tiles", "width": 8, "height": 8, "overlap": 0},
        ],
    },
    "classification": {"v": 1, "steps": [{"do": "denoise", "how": "median", "radius": 1}, SIZE]},
    "volume_segmentation": {"v": 1, "steps": [{"do": "flip", "axis": "horizontal"}]},
}


class CarriedTest(unittest.TestCase):
    folder: Path
    runs: dict[str, tuple[Path, list[Json]]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.runs = {task: cls.applied(task, recipe) for task, recipe in RECIPES.items()}
        cls.write_programs()

    @classmethod
    def applied(cls, task: str, recipe: Json) -> tuple[Path, list[Json]]:
        """Trained, and applied to files that nobody prepared."""
        run = MAKERS[task](cls.folder / "runs" / task)
        edit_spec(run, recipe=recipe)
        code, events = run_here(run)
        assert code == DONE, of_type(events, "error")
        items = forget_labels(run)
        edit_spec(run, recipe=recipe)
        code, events = run_here(run)
        assert code == DONE, of_type(events, "error")
        return run, items

    @classmethod
    def write_programs(cls) -> None:
        for task, (run, _) in cls.runs.items():
            home = cls.folder / "programs" / task
            home.mkdir(parents=True)
            write_json(home / "plan.json", json.loads((run / "run.json").read_text())["plan"])
            write_json(home / "recipe.json", RECIPES[task])
            shutil.copy(run / WEIGHTS, home / "weights.safetensors")
        script = ENGINE.parent / "contract/test/network/make-programs.ts"
        node = ["node", "--import", "tsx", "--conditions=neuroloom-source"]
        subprocess.run([*node, str(script), str(cls.folder / "programs")], cwd=ENGINE.parent, check=True)

    def test_the_weights_say_which_recipe_belongs_to_them(self) -> None:
        run, _ = self.runs["segmentation"]
        facts = json.loads((run / "out" / "model.json").read_text())
        self.assertEqual(facts["recipe"], RECIPES["segmentation"])

    def test_the_program_prepares_files_as_the_product_does(self) -> None:
        for task, (run, items) in self.runs.items():
            with self.subTest(task):
                home = self.folder / "programs" / task
                files = [str(run / "data" / item["image"]) for item in items]
                done = self.run_alone(home, "program.py", "weights.safetensors", *files)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.check(task, home)

    def test_the_example_prepares_files_as_the_product_does(self) -> None:
        carried = json.loads((self.folder / "carried.json").read_text())
        for task, (run, items) in self.runs.items():
            with self.subTest(task):
                home = self.folder / "examples" / task
                shutil.copytree(PROGRAM, home / "python", ignore=shutil.ignore_patterns("__pycache__"))
                for name in ("model.onnx", "model.json"):
                    shutil.copy(run / "out" / name, home / name)
                for name, text in carried.items():
                    (home / "python" / name).parent.mkdir(parents=True, exist_ok=True)
                    (home / "python" / name).write_text(text)
                files = [str(run / "data" / item["image"]) for item in items]
                command = [str(home / "python" / "predict.py"), *files, "--out", str(home / "answers")]
                known = self.runtime(home, run)
                done = subprocess.run(
                    [sys.executable, *command], env=known, capture_output=True, text=True, check=False
                )
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("cannot be read", done.stdout)
                self.check(task, home / "answers")

    def test_a_program_that_cannot_prepare_says_what_is_missing(self) -> None:
        home = self.folder / "programs" / "segmentation"
        text = (home / "program.py").read_text().replace("sys.path.insert(0, CARRIED_FOLDER.name)", "")
        (home / "bare.py").write_text(text)
        run, items = self.runs["segmentation"]
        done = self.run_alone(home, "bare.py", "weights.safetensors", str(run / "data" / items[0]["image"]))
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("the code that prepares them is missing", done.stdout)

    def run_alone(self, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        """With nothing of the product in reach."""
        known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=home, env=known, capture_output=True, text=True, check=False)

    def runtime(self, home: Path, run: Path) -> dict[str, str]:
        """ONNX Runtime, or what stands in for it (see `test_example_runs.py`)."""
        known = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        if importlib.util.find_spec("onnxruntime") is not None:
            return known
        (home / "stand-in").mkdir()
        (home / "stand-in" / "onnxruntime.py").write_text(STAND_IN)
        return known | {
            "PYTHONPATH": str(home / "stand-in"),
            "ENGINE_FOLDER": str(ENGINE),
            "RUN_FOLDER": str(run),
        }

    def check(self, task: str, out: Path) -> None:
        run, items = self.runs[task]
        if task == "classification":
            with (out / "predictions.csv").open(encoding="utf-8-sig", newline="") as file:
                rows = [[float(cell) for cell in row[1:]] for row in list(csv.reader(file))[1:]]
            told = {one["id"]: one["probabilities"] for one in read_items(run)}
            np.testing.assert_allclose(rows, [told[item["id"]] for item in items], rtol=0, atol=1e-6)
            return
        archive = read_archive(run, "masks.zip")
        for item in items:
            wanted = archive[name_in(archive, item)]
            if task == "volume_segmentation":
                (self.folder / "wanted.nii.gz").write_bytes(wanted)
                mine, theirs = (
                    read_volume_mask(path)
                    for path in (out / f"{item['image']}-mask.nii.gz", self.folder / "wanted.nii.gz")
                )
                self.assertEqual(mine.header.size, theirs.header.size)
                self.assertEqual(mine.header.place, theirs.header.place)
                np.testing.assert_array_equal(mine.voxels, theirs.voxels)
                continue
            own = np.asarray(Image.open(out / f"{Path(item['image']).stem}-mask.png"))
            self.assertEqual(own.shape, (24, 40))
            np.testing.assert_array_equal(own, np.asarray(Image.open(io.BytesIO(wanted))))
