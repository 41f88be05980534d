"""Flow runs as runs: what they tell and leave, the same bytes twice, an attempt after another."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

from neuroloom_engine.flow.files.found import File, Limits
from neuroloom_engine.flow.files.reading import header_bytes
from neuroloom_engine.flow.files.vtk_xml import inside, parse, stored_of, values_of
from neuroloom_engine.flow.gallery import made
from neuroloom_engine.flow.stored import read_arrays, read_study

from . import make_flow
from . import make_study as m
from .make import ENGINE, of_type, process, run_here

CORRECTED = {"offset": 1, "unwrap": True}
KINDS = {
    *("flow_study", "flow_mask_values", "flow_derived", "flow_lines", "flow_numbers"),
    *("flow_mask", "flow_angiogram"),
}
NODE = ["node", "--import", "tsx", "--conditions=neuroloom-source"]


def digests(folder: Path) -> dict[str, str]:
    out = folder / "out"
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in out.iterdir() if path.is_file()
    }


class TakenTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        phantom = made("pulsatile", shape=(16, 20, 22), snr=15.0, samples=2, frames=8)
        cls.root = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.whole = cls.root / "whole"
        cls.whole.mkdir()
        cls.affine = [[0.0, -2.0, 0.0, 10.0], [0.0, 0.0, 2.0, -7.0], [-2.0, 0.0, 0.0, 30.0]]
        m.write_phantom(cls.whole / "study.safetensors", phantom, isPlaced=True, affine=cls.affine)
        cls.code, cls.events = m.compute(cls.whole, corrections=CORRECTED)

    def laid_out(self, name: str) -> Path:
        folder = self.root / name
        folder.mkdir()
        (folder / "study.safetensors").hardlink_to(self.whole / "study.safetensors")
        return folder

    def test_phases_progress_and_all_files_are_told(self) -> None:
        self.assertEqual((self.code, self.events[-1]["state"]), (0, "done"), of_type(self.events, "error"))
        phases = [one["phase"] for one in of_type(self.events, "phase")]
        self.assertEqual(phases, ["correcting", "measuring", "exporting"])
        progress = of_type(self.events, "progress")
        steps = [one["step"] for one in progress]
        self.assertEqual((steps[:5], steps), ([1, 2, 3, 4, 5], sorted(set(steps))))
        self.assertEqual(steps[-1], progress[-1]["steps"])
        self.assertEqual(progress[-1]["etaSeconds"], 0)
        artifacts = of_type(self.events, "artifact")
        self.assertEqual({one["kind"] for one in artifacts}, KINDS)
        for one in artifacts:
            content = (self.whole / one["path"]).read_bytes()
            self.assertEqual(
                (one["bytes"], one["sha256"]), (len(content), hashlib.sha256(content).hexdigest())
            )
        self.assertEqual(
            sorted(path.name for path in (self.whole / "out").iterdir()), sorted(digests(self.whole))
        )
        before, _, bright = make_flow.study(self.whole / "study.safetensors")
        head, _, same = make_flow.study(self.whole / "out" / "study.safetensors")
        np.testing.assert_array_equal(same, bright)
        for name in (
            "size",
            "frames",
            "spacing",
            "affine",
            "isPlaced",
            "times",
            "period",
            "gating",
            "sources",
        ):
            self.assertEqual(head[name], before[name])

    def test_what_is_told_is_what_the_contract_says(self) -> None:
        study = self.laid_out("told")
        centre = [20e-3, 18e-3, 15e-3]
        plane = {"name": "a", "centre": centre, "normal": [0, 0, 1], "radius": 0.01, "rule": "exact"}
        planes = [{**plane, "region": "vessel"}, {**plane, "region": "circle"}]
        work = {"do": "sections", "study": "out/study.safetensors", "mask": "out/mask.safetensors"}
        _, sections = run_here(m.lay_out(self.whole, {**work, "sections": planes}))
        _, refused = m.compute(study, mask={"grow": [[0, 0, 0]]})
        _, still = m.compute(study, kinds=["vortex"], mask={"level": 0.95})
        told = {"events": [*self.events, *sections, *refused, *still]}
        told["results"] = [m.numbers(self.whole), m.numbers(study)]
        self.assertIn("grey", {light["colour"] for light in told["results"][1]["lights"]})
        file = self.root / "told.json"
        file.write_text(json.dumps(told))
        script = ENGINE.parent / "contract/test/flow/run-answers.ts"
        done = subprocess.run(
            [*NODE, str(script), str(file)], cwd=ENGINE.parent, capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_level_that_is_found_is_the_viewer_s(self) -> None:
        script = ENGINE.parent / "web/test/flow-view/level-answers.ts"
        study = str(self.whole / "out" / "study.safetensors")
        done = subprocess.run([*NODE, str(script), study], cwd=ENGINE.parent, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        viewer = json.loads(done.stdout)
        self.assertAlmostEqual(m.numbers(self.whole)["mask"]["level"], viewer["level"], places=9)
        mask = np.array(read_arrays(self.whole / "out" / "mask.safetensors")[0]["mask"])
        # The study's numbers are rounded: a voxel on the very level may fall to either side.
        self.assertLessEqual(int((mask.reshape(-1) != np.array(viewer["mask"])).sum()), 2)

    def test_lines_are_read_back_in_millimetres_of_the_patient(self) -> None:
        file = File(self.whole / "out" / "lines.vtp", "lines.vtp")
        document = parse(file, Limits(1 << 30, 1 << 30))
        stored, piece = stored_of(document), document.first("Piece") or {}
        lines, total = int(piece["NumberOfLines"]), int(piece["NumberOfPoints"])
        told = m.numbers(self.whole)["lines"]
        self.assertEqual(lines, told["count"])
        (places,), (speeds,) = inside(document, "Points"), inside(document, "PointData")
        links, ends = inside(document, "Lines")
        points = values_of(file, places, stored, 3 * total).reshape(-1, 3)
        offsets = values_of(file, ends, stored, lines)
        np.testing.assert_array_equal(values_of(file, links, stored, total), np.arange(total))
        self.assertTrue((np.diff(offsets) > 1).all() and offsets[-1] == total)
        self.assertTrue((values_of(file, speeds, stored, total) > 0).all())
        affine = np.array(self.affine)
        voxels = np.rint((points - affine[:, 3]) @ np.linalg.inv(affine[:, :3]).T).astype(int)
        mask = np.array(read_arrays(self.whole / "out" / "mask.safetensors")[0]["mask"])
        self.assertTrue(mask[voxels[:, 2], voxels[:, 1], voxels[:, 0]].all())
        lengths = [
            np.linalg.norm(np.diff(one, axis=0), axis=1).sum() for one in np.split(points, offsets[:-1])
        ]
        self.assertAlmostEqual(max(lengths) / 1000, told["longest"], places=5)

    def test_the_same_study_gives_the_same_bytes(self) -> None:
        folder = self.laid_out("again")
        m.compute(folder, corrections=CORRECTED)
        self.assertEqual(digests(folder), digests(self.whole))
        m.compute(folder, corrections=CORRECTED, seed=8)
        differing = {name for name, digest in digests(folder).items() if digests(self.whole)[name] != digest}
        self.assertEqual(differing, {"lines.vtp", "numbers.json"})

    def test_a_stop_anywhere_leaves_no_result_and_the_next_attempt_goes_on(self) -> None:
        never = 10 * of_type(self.events, "progress")[-1]["steps"]
        # Steps that are done by then: what is read, still tissue and background, components.
        for at, taken in ((2, 0), (4, 2), (6, 4), (never, 4)):
            folder = self.laid_out(f"stop-{at}")
            work = {"do": "compute", "study": "study.safetensors", "mask": None}
            m.lay_out(folder, {**work, "asked": m.asked(corrections=CORRECTED)})
            code, events = run_here(folder, stop_at=at)
            if at == never:
                self.assertEqual((code, digests(folder)), (0, digests(self.whole)))
                continue
            self.assertEqual((code, events[-1]["state"], of_type(events, "artifact")), (3, "stopped", []))
            code, events = m.compute(folder, attempt=2, corrections=CORRECTED)
            (started,) = of_type(events, "started")
            resumed = {"fold": 0, "epoch": 1, "step": taken} if taken else None
            self.assertEqual(started["resumedFrom"], resumed)
            self.assertEqual((code, digests(folder)), (0, digests(self.whole)))

    def test_a_killed_attempt_loses_little(self) -> None:
        folder = self.laid_out("killed")
        work = {"do": "compute", "study": "study.safetensors", "mask": None}
        m.lay_out(folder, {**work, "asked": m.asked(corrections=CORRECTED)})
        with process("serve", "--light") as engine:
            events = engine.events()
            next(events)
            engine.send({"command": "run", "folder": str(folder)})
            for event in events:
                if event["type"] == "progress" and event["step"] == 3:
                    break
            engine.popen.kill()
            engine.popen.wait()
        self.assertEqual(digests(folder), {})
        code, events = m.compute(folder, attempt=2, corrections=CORRECTED)
        self.assertGreaterEqual(of_type(events, "started")[0]["resumedFrom"]["step"], 3)
        self.assertEqual((code, digests(folder)), (0, digests(self.whole)))

    def test_what_was_corrected_otherwise_or_is_damaged_is_not_taken(self) -> None:
        def kept_by(name: str, **corrections: object) -> Path:
            folder = self.laid_out(name)
            work = {"do": "compute", "study": "study.safetensors", "mask": None}
            m.lay_out(folder, {**work, "asked": m.asked(corrections={**CORRECTED, **corrections})})
            self.assertEqual(run_here(folder, stop_at=6)[0], 3)
            return folder

        other = kept_by("other", offset=2)
        _, events = m.compute(other, attempt=2, corrections=CORRECTED)
        self.assertIsNone(of_type(events, "started")[0]["resumedFrom"])
        self.assertEqual(digests(other), digests(self.whole))
        damaged = kept_by("damaged")
        file = damaged / "out" / "stages" / "component-1.safetensors"
        content = bytearray(file.read_bytes())
        content[-9] ^= 1
        file.write_bytes(content)
        _, events = m.compute(damaged, attempt=2, corrections=CORRECTED)
        self.assertEqual(of_type(events, "started")[0]["resumedFrom"]["step"], 2)
        self.assertEqual(digests(damaged), digests(self.whole))
        # A turn changes no number that was corrected.
        turned = kept_by("turned")
        turn = {"order": [1, 0, 2], "signs": [1, -1, 1]}
        _, events = m.compute(turned, attempt=2, corrections={**CORRECTED, "turn": turn})
        self.assertEqual(of_type(events, "started")[0]["resumedFrom"]["step"], 4)
        _, straight, _ = make_flow.study(self.whole / "out" / "study.safetensors")
        _, across, _ = make_flow.study(turned / "out" / "study.safetensors")
        np.testing.assert_array_equal(across, np.stack([-straight[1], straight[0], straight[2]]))

    def test_too_little_memory_is_a_refusal(self) -> None:
        folder = self.root / "little"
        folder.mkdir()
        head = json.loads(read_arrays(self.whole / "study.safetensors")[1]["flow"])
        large = {**head, "size": [160, 160, 40], "frames": 20, "times": [0.02 * t for t in range(20)]}
        with (folder / "study.safetensors").open("wb") as file:
            # Nothing but a head and a hole.
            start = file.write(header_bytes(large))
            file.truncate(start + 8 * 160 * 160 * 40 * 20)
        work = {"do": "compute", "study": "study.safetensors", "mask": None, "asked": m.asked()}
        # Room for the interpreter and SciPy, not for the study.
        m.lay_out(folder, work, memoryBytes=240 << 20)
        with process("serve", "--light") as engine:
            events = engine.events()
            next(events)
            engine.send({"command": "run", "folder": str(folder)})
            seen = list(events)
        (error,) = of_type(seen, "error")
        self.assertEqual((error["code"], error["data"]), ("flow_not_computed", {"refusal": "out_of_memory"}))

    def test_a_study_that_is_none_is_no_plan(self) -> None:
        folder = self.root / "none"
        folder.mkdir()
        content = (self.whole / "study.safetensors").read_bytes()
        for broken in (b"", content[:500], content[:-2], b"\xff" * 64):
            (folder / "study.safetensors").write_bytes(broken)
            code, events = m.compute(folder)
            self.assertEqual((code, of_type(events, "error")[0]["code"]), (64, "plan_invalid"))
        study = read_study(self.whole / "study.safetensors")
        for impossible in ({"period": 0.1}, {"venc": [1.0, 0.0, 1.0]}, {"directions": [[1, 0, 0]] * 3}):
            with (folder / "study.safetensors").open("wb") as file:
                file.write(header_bytes({**study.head, **impossible}))
                file.write(study.velocity.tobytes() + study.magnitude.tobytes())
            code, events = m.compute(folder)
            self.assertEqual((code, of_type(events, "error")[0]["code"]), (64, "plan_invalid"), impossible)
        (folder / "study.safetensors").unlink()
        self.assertEqual(of_type(m.compute(folder)[1], "error")[0]["code"], "data_missing")


if __name__ == "__main__":
    unittest.main()
