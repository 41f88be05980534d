"""The `flow` run: files by paths in, one event out, and a study below `out`."""

from __future__ import annotations

import hashlib
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from . import make_flow as f
from .make import Json, of_type, process, run_here

SPEC = {"v": 1, "kind": "flow", "run": "flow", "attempt": 1, "outputs": "out"}
BOUNDS = {"maxBytes": 2 << 30, "memoryBytes": 8 << 30}
LOOK_FIELDS = {
    *("source", "vendor", "series", "spacing", "times", "period", "gating", "leftOut", "problems"),
}
HEAD_FIELDS = {
    *("v", "source", "vendor", "size", "frames", "spacing", "affine", "isPlaced", "directions", "venc"),
    *("velocityScale", "times", "period", "gating", "sources"),
}


class FlowRunTest(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory()))
        folder = f.Folder(self.path)
        f.nifti_study(folder, f.flow())
        self.files = [{"path": file.path.name, "name": file.name} for file in folder.files]

    def run_work(self, work: Json, **changes: Any) -> tuple[int, list[Json]]:
        (self.path / "run.json").write_text(json.dumps({**SPEC, **BOUNDS, "work": work, **changes}))
        return run_here(self.path)

    def test_looks_and_makes(self) -> None:
        code, events = self.run_work({"do": "look", "files": self.files})
        (looked,) = of_type(events, "flow_look")
        self.assertEqual((code, set(looked["look"])), (0, LOOK_FIELDS))
        self.assertEqual([one["role"] for one in looked["look"]["series"]], ["magnitude", *["velocity"] * 3])
        work = {"do": "make", "files": self.files, "look": looked["look"], "answer": {"series": []}}
        code, events = self.run_work(work)
        (made,) = of_type(events, "flow_made")
        self.assertEqual((code, events[-1]["state"], set(made["head"])), (0, "done", HEAD_FIELDS))
        raw = (self.path / made["path"]).read_bytes()
        self.assertEqual((made["path"], made["bytes"]), ("out/study.safetensors", len(raw)))
        self.assertEqual(made["sha256"], hashlib.sha256(raw).hexdigest())
        self.assertEqual(f.study(self.path / made["path"])[0], made["head"])
        # The same files give the same bytes.
        self.assertEqual(of_type(self.run_work(work)[1], "flow_made")[0]["sha256"], made["sha256"])
        names = sorted(self.files, key=lambda file: file["name"])[1:]
        digests = [hashlib.sha256((self.path / one["path"]).read_bytes()).digest() for one in names]
        self.assertEqual(made["head"]["sources"], hashlib.sha256(b"".join(digests)).hexdigest())

    def test_what_stands_in_the_way_is_the_error(self) -> None:
        (looked,) = of_type(self.run_work({"do": "look", "files": self.files[1:]})[1], "flow_look")
        work = {"do": "make", "files": self.files[1:], "look": looked["look"], "answer": {"series": []}}
        code, events = self.run_work(work)
        (error,) = of_type(events, "error")
        self.assertEqual((code, error["code"]), (65, "flow_refused"))
        self.assertEqual(error["data"], {"problem": "direction_missing", "found": 2})
        self.assertFalse((self.path / "out" / "study.safetensors").exists())
        gone = [{"path": "nothing", "name": "vx.nii"}]
        code, events = self.run_work({"do": "look", "files": gone})
        self.assertEqual(of_type(events, "error")[0]["data"], {"files": ["vx.nii"]})

    def test_bad_specs(self) -> None:
        for work, changes in (
            ({"do": "dance", "files": []}, {}),
            ({"do": "look"}, {}),
            ({"do": "look", "files": [{"path": 1}]}, {}),
            ({"do": "look", "files": []}, {"maxBytes": 0}),
        ):
            code, events = self.run_work(work, **changes)
            self.assertEqual((code, of_type(events, "error")[0]["code"]), (64, "plan_invalid"))

    def test_a_process_without_torch_keeps_to_its_memory(self) -> None:
        """A header that claims what it has not is read in the memory that the run was given."""
        claim = f.nifti(f.flow().velocity[0].astype("<f4"), f.Nifti(dims=[700, 700, 500, 4], text="cm/s"))
        (self.path / "claim").write_bytes(claim)
        work = {"do": "look", "files": [*self.files, {"path": "claim", "name": "v_claim.nii"}]}
        spec = {**SPEC, "maxBytes": 2 << 30, "memoryBytes": 1 << 30, "work": work}
        (self.path / "run.json").write_text(json.dumps(spec))
        with process("serve", "--light") as engine:
            events = engine.events()
            self.assertEqual(next(events)["type"], "ready")
            engine.send({"command": "run", "folder": str(self.path)})
            seen = list(events)
            self.assertEqual(engine.popen.wait(), 0)
        (looked,) = of_type(seen, "flow_look")
        self.assertIn("too_large", {one["reason"] for one in looked["look"]["problems"]})


if __name__ == "__main__":
    unittest.main()
