"""How tests ask why files of flow are refused: each look is followed by an attempt to make a study."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.failures import RunFailure
from neuroloom_engine.flow.files.found import Limits
from neuroloom_engine.flow.files.reading import look, make

from . import make_flow as f

MADE = f.flow()
PLACE = np.column_stack([np.diag(f.SPACING), np.zeros(3)])
HEAD = f.Nifti(PLACE, text="cm/s venc 150")
CALM = MADE.velocity * 100


class Refusing(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder = f.Folder(self.path)

    def looked(self, limits: Limits = f.LIMITS) -> dict[str, dict[str, Any]]:
        """Problems by their reasons; one that blocks keeps a study from being made."""
        told = look(self.folder.files, limits)
        problems = {one["reason"]: one for one in reversed(told["problems"])}
        stands = [one["reason"] for one in told["problems"] if one["isBlocking"]]
        path = self.path / "study"
        path.unlink(missing_ok=True)
        if stands:
            with self.assertRaises(RunFailure) as caught:
                make(self.folder.files, told, {}, path, limits)
            self.assertEqual(
                (caught.exception.code, caught.exception.data["problem"]), ("flow_refused", stands[0])
            )
            self.assertFalse(path.exists())
        else:
            make(self.folder.files, told, {}, path, limits)
        return problems

    def blocked(self, reason: str, limits: Limits = f.LIMITS, **params: Any) -> None:
        problem = self.looked(limits).get(reason)
        self.assertIsNotNone(problem, reason)
        assert problem is not None
        self.assertTrue(problem["isBlocking"])
        for name, value in params.items():
            self.assertEqual(problem["params"][name], value)

    def fault(self, why: str, limits: Limits = f.LIMITS) -> None:
        self.blocked("unreadable", limits, why=why)

    def components(self, head: f.Nifti = HEAD, *, skip: str = "", **others: np.ndarray) -> None:
        for name, values in zip(("vx", "vy", "vz"), CALM, strict=True):
            if name != skip:
                self.folder.put(
                    f"{name}.nii", f.nifti(np.asarray(others.get(name, values), np.float32), head)
                )

    def alone(self, name: str, content: bytes) -> None:
        self.folder = f.Folder(self.path)
        self.folder.put(name, content)
