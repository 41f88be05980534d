"""Runs a trained network on pictures or volumes: python predict.py FILE [FILE …] [--out FOLDER]

Needs numpy, Pillow and onnxruntime (pip install -r requirements.txt). The network and its facts are read
from the folder above. Of each file the answer is told by task:

- which class, which labels: a line of predictions.csv with all probabilities
- where it is, in outlines: NAME-mask.png with the values of the masks that were trained on
- where it is, in a volume: NAME-mask.nii.gz on the volume's own grid
- where it is, in boxes: NAME-boxes.json with class, score and corners in pixels
- finer or without noise: NAME-restored.png

DICOM files of one picture that are not compressed are read as the product reads them; for others, and for
series of DICOM, a sentence says what to convert.

Where the training's files were prepared by a recipe, each file is prepared by it first (neuroloom_engine).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import pictures
import volumes

HERE = Path(__file__).resolve().parent
# How an answer is found and saved, by task.
TASKS: dict[str, tuple[Any, Any]] = {
    "classification": (pictures.name_classes, pictures.save_classes),
    "multilabel": (pictures.name_classes, pictures.save_classes),
    "segmentation": (pictures.outline_areas, pictures.save_mask),
    "volume_segmentation": (volumes.mark_volume, volumes.save_volume),
    "detection": (pictures.find_boxes, pictures.save_boxes),
    "super_resolution": (pictures.restore_picture, pictures.save_picture),
    "denoising": (pictures.restore_picture, pictures.save_picture),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs a trained network on pictures or volumes.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("."), help="where the answers go (default: here)")
    parser.add_argument("--sure", type=float, help="boxes from this score on (default: as trained)")
    options = parser.parse_args()

    facts = json.loads((HERE.parent / "model.json").read_text())
    if options.sure is not None:
        facts["validation"]["threshold"] = options.sure
    network = Network(HERE.parent / "model.onnx", facts)
    find, save = TASKS[facts["task"]]
    options.out.mkdir(parents=True, exist_ok=True)

    def answer(path: Path) -> str:
        return save(find(network.run, facts, path), facts, path, options.out)

    for path in options.files:
        try:
            said = pictures.as_trained(answer, facts, path)
        except (OSError, ValueError, EOFError) as error:
            print(f"{path}: cannot be read ({error})")
            continue
        print(f"{path}: {said}")


class Network:
    """The exported network."""

    def __init__(self, path: Path, facts: dict[str, Any]) -> None:
        import onnxruntime

        self.is_volume = facts["task"] == "volume_segmentation"
        self.takes_moments = "moments" in facts
        self.session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])

    def run(self, image: Any) -> list[Any]:
        """`image` (c, …) as prepared; what has its mean and deviation already is told to need no others."""
        feeds = {"image": image[None].astype(np.float32)}
        if self.takes_moments:
            feeds["moments"] = np.array([0, 1], np.float32)
        answers = [np.asarray(one)[0] for one in self.session.run(None, feeds)]
        # Blocks of volumes are weighed by logarithms.
        return [np.log(answers[0].clip(1e-12))] if self.is_volume else answers


if __name__ == "__main__":
    main()
