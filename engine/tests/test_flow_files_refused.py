"""Files that are no study of flow, or not yet: each lack has a reason of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from neuroloom_engine.failures import RunFailure
from neuroloom_engine.flow.files.found import Limits
from neuroloom_engine.flow.files.reading import look, make

from . import make_flow as f
from .flow_refusing import CALM, HEAD, MADE, PLACE, Refusing


class RefusedTest(Refusing):
    def test_a_missing_direction_and_one_that_is_there_twice(self) -> None:
        self.components(skip="vz")
        self.blocked("direction_missing", found=2)
        self.folder.put("v_y.nii", f.nifti(CALM[2].astype(np.float32), HEAD))
        self.blocked("direction_twice", direction="+y")

    def test_nothing_that_is_a_velocity(self) -> None:
        self.folder.put("magnitude.nii", f.nifti(MADE.magnitude.astype(np.float32), HEAD))
        self.folder.put("vorticity_x.nii", f.nifti(MADE.magnitude.astype(np.float32), HEAD))
        self.folder.put("ReadMe.txt", "what this is")
        self.blocked("no_velocity")
        self.assertEqual(look(self.folder.files, f.LIMITS)["leftOut"], 1)
        self.assertIn("no_velocity", {one["reason"] for one in look([], f.LIMITS)["problems"]})

    def test_grids_of_other_sizes_times_and_places(self) -> None:
        for other in (CALM[2][:, :-1], CALM[2][:-1]):
            self.folder = f.Folder(self.path)
            self.components(vz=other)
            told = look(self.folder.files, f.LIMITS)
            # The other one was put aside; a person takes it back.
            (aside,) = [one for one in told["series"] if one["unsure"] == ["role"]]
            answer = {"id": aside["id"], "role": "velocity", "direction": "+z", "unit": "cm/s", "venc": 1.5}
            with self.assertRaises(RunFailure) as caught:
                make(self.folder.files, told, {"series": [answer]}, self.path / "study", f.LIMITS)
            self.assertEqual(caught.exception.data["problem"], "unequal_grids")
            self.blocked("direction_missing", found=2)
        self.folder = f.Folder(self.path)
        self.components(skip="vz")
        far = replace(HEAD, affine=PLACE + np.eye(3, 4, 3) * 0.2)
        self.folder.put("vz.nii", f.nifti(CALM[2].astype(np.float32), far))
        self.blocked("unequal_grids", series="vx.nii", other="vz.nii")

    def test_an_unknown_venc_is_guessed_and_yet_asked_for(self) -> None:
        self.components(replace(HEAD, text="cm/s"))
        self.blocked("venc_unknown", series="vx.nii")
        told = look(self.folder.files, f.LIMITS)
        largest = np.abs(MADE.velocity).max()
        self.assertEqual({one["venc"] for one in told["series"]}, {round(np.ceil(largest / 0.05) * 0.05, 4)})
        self.assertEqual({tuple(one["unsure"]) for one in told["series"]}, {("venc",)})

    def test_units_that_nothing_tells_are_guessed_by_size(self) -> None:
        for factor, unit in ((0.01, "m/s"), (1.0, "cm/s"), (10.0, "mm/s")):
            self.folder = f.Folder(self.path)
            self.components(
                replace(HEAD, text="venc 150"), vx=CALM[0] * factor, vy=CALM[1] * factor, vz=CALM[2] * factor
            )
            told = look(self.folder.files, f.LIMITS)["series"]
            self.assertEqual({(one["unit"], *one["unsure"]) for one in told}, {(unit, "unit")})

    def test_one_time_and_times_that_nothing_tells(self) -> None:
        self.components(vx=CALM[0][:1], vy=CALM[1][:1], vz=CALM[2][:1])
        self.assertFalse(self.looked()["one_time"]["isBlocking"])
        self.folder = f.Folder(self.path)
        self.components(replace(HEAD, units=2))
        self.blocked("times_unknown")
        self.folder = f.Folder(self.path)
        self.components()
        self.folder.put("all.json", {"RR": 0.14})
        problems = self.looked()
        self.assertEqual(problems["period_too_short"]["params"], {"period": 0.14, "span": 0.15})

    def test_places_that_are_not_told(self) -> None:
        self.components(f.Nifti(text="cm/s venc 150"))
        self.assertFalse(self.looked()["unplaced"]["isBlocking"])
        for number, name in enumerate(("RL", "AP", "FH")):
            self.folder.files[number] = replace(self.folder.files[number], name=f"{name}.nii")
        self.blocked("unplaced")

    def test_a_scale_that_cannot_be(self) -> None:
        self.components(replace(HEAD, text="m/s venc 150"))
        self.blocked("scale_doubtful", venc=150.0)
        self.folder = f.Folder(self.path)
        self.components(replace(HEAD, text="mm/s venc 400"))
        self.assertFalse(self.looked()["scale_doubtful"]["isBlocking"])

    def test_numbers_that_are_none_have_no_value(self) -> None:
        holes = CALM[1].copy()
        holes[1, 2, 3, 4], holes[0, 0, 0, 0] = np.nan, np.inf
        self.components(vy=holes)
        self.assertEqual(self.looked()["not_finite"]["params"], {"series": "vy.nii", "count": 2})
        _, velocity, _ = f.study(self.path / "study")
        self.assertEqual(np.argwhere(np.isnan(velocity)).tolist(), [[1, 0, 0, 0, 0], [1, 1, 2, 3, 4]])
        self.folder = f.Folder(self.path)
        self.components(vy=np.full_like(holes, np.nan))
        self.blocked("not_finite", series="vy.nii")

    def test_two_kinds_of_study_and_too_many_files(self) -> None:
        self.components()
        vectors = np.moveaxis(MADE.velocity[:, 0], 0, -1)
        self.folder.put("velocity.vti", f.vti({"velocity": vectors}))
        self.blocked("two_studies", count=2)
        self.folder.files = self.folder.files[:1] * 10_001
        self.blocked("too_many_files", count=10_001)

    def test_what_is_larger_than_a_study_may_be(self) -> None:
        self.components()
        voxels = f.X * f.Y * f.Z * f.FRAMES
        self.blocked("too_large", Limits(8 * voxels - 1, 4 << 30), bytes=8 * voxels)
        self.assertNotIn("too_large", self.looked(Limits(8 * voxels, 4 << 30)))

    def test_other_files_than_those_that_were_looked_at(self) -> None:
        self.components()
        told = look(self.folder.files, f.LIMITS)
        self.folder.files[0] = replace(self.folder.files[0], name="other_vx.nii")
        with self.assertRaises(RunFailure) as caught:
            make(self.folder.files, told, {}, self.path / "study", f.LIMITS)
        self.assertEqual(
            (caught.exception.code, caught.exception.data), ("data_missing", {"files": ["vx.nii"]})
        )
