"""The browser's kernel of flow says what the engine's says (acceptance 30)."""

from __future__ import annotations

import json
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.flow.lines import streamlines
from neuroloom_engine.flow.vorticity import plane_vorticity

from .make import ENGINE, Json

WINDOWS = [(3, 1), (5, 1), (11, 1), (5, 3), (9, 3)]
SPACING = (1.5e-3, 2e-3)
SIDES = (2e-3, 1.5e-3, 2.5e-3)
LONGEST = 0.05


class AgreesTest(unittest.TestCase):
    said: Json

    @classmethod
    def setUpClass(cls) -> None:
        rng = np.random.default_rng(30)
        y, x = np.mgrid[:40, :48] / 8
        cls.u = np.sin(x) * np.cos(0.7 * y) + 0.05 * rng.standard_normal(x.shape)
        cls.v = np.cos(0.6 * x + y) + 0.05 * rng.standard_normal(x.shape)
        # Half of it is not known: corners where few voxels are left are part of the question.
        cls.mask = (rng.random(x.shape) < 0.5) | (x > 3)
        k, j, i = np.mgrid[:20, :22, :24] / 6
        cls.field = np.stack([np.sin(k) + np.cos(j), np.sin(i) + np.cos(k), np.sin(j) + np.cos(i)])
        cls.body = (i - 2) ** 2 + (j - 1.8) ** 2 + (k - 1.6) ** 2 < 2.4
        inside = np.argwhere(cls.body)
        cls.seeds = inside[rng.choice(len(inside), 40, replace=False)][:, ::-1] + rng.uniform(
            -0.3, 0.3, (40, 3)
        )
        cls.reference = 1.5
        cls.said = cls.asked()

    @classmethod
    def asked(cls) -> Json:
        height, width = cls.u.shape
        z, y, x = cls.body.shape
        given = {
            "slice": {
                "width": width,
                "height": height,
                "spacing": SPACING,
                "u": flat(cls.u),
                "v": flat(cls.v),
            }
            | {"mask": flat(cls.mask.astype(int))},
            "windows": [{"window": window, "order": order} for window, order in WINDOWS],
            "volume": {"size": [x, y, z], "spacing": SIDES, "values": flat(cls.field)}
            | {"mask": flat(cls.body.astype(int))},
            "seeds": cls.seeds.tolist(),
            "reference": cls.reference,
            "longest": LONGEST,
        }
        script = ENGINE.parent / "contract/test/flow/kernel-answers.ts"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "given.json"
            file.write_text(json.dumps(given))
            command = ["node", "--import", "tsx", "--conditions=neuroloom-source", str(script), str(file)]
            done = subprocess.run(command, cwd=ENGINE.parent, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    def test_vorticity_agrees_also_where_much_is_not_known(self) -> None:
        for (window, order), told in zip(WINDOWS, self.said["omegas"], strict=True):
            with self.subTest(window=window, order=order):
                own = plane_vorticity(self.u, self.v, SPACING, window, order, self.mask)
                other = np.array(told, dtype=np.float64).reshape(own.shape)
                np.testing.assert_array_equal(np.isfinite(own), np.isfinite(other))
                scale = np.nanmax(np.abs(own))
                self.assertLess(float(np.nanmax(np.abs(own - other))) / float(scale), 1e-4)

    def test_streamlines_end_in_the_same_places(self) -> None:
        own = streamlines(
            self.field, SIDES, self.seeds * SIDES, self.body, reference=self.reference, longest=LONGEST
        )
        farthest = 0.0
        for index, told in enumerate(self.said["lines"]):
            points = own.points[index] / SIDES
            points = points[np.isfinite(points[:, 0])]
            if told is None:
                self.assertEqual(len(points), 0, index)
                continue
            others = np.array(told["points"]).reshape(-1, 3)
            for place in (0, -1):
                farthest = max(farthest, float(np.abs(points[place] - others[place]).max()))
        self.assertLess(farthest, 0.01)


def flat(values: Any) -> list[Any]:
    return np.asarray(values).ravel().tolist()
