"""Studies of flow out of NIfTI, HDF5, MAT and VTK: velocity to VENC / 2048, geometry to 0.01 mm."""

from __future__ import annotations

import gzip
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.flow.files.reading import look, make

from . import make_flow as f
from .make_flow import HAS_PACKAGES, NO_PACKAGES

MADE = f.flow()
# As far as a study may lie from what was written.
FAR = f.VENC / 2048
MM, RADIANS = 0.01, 1e-5


class FormatsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder = f.Folder(self.path)

    def made(self, answer: dict[str, Any] | None = None) -> tuple[dict, dict, np.ndarray, np.ndarray]:
        """Look, head, velocity, magnitude."""
        looked = look(self.folder.files, f.LIMITS)
        path = self.path / "study.safetensors"
        head = make(self.folder.files, looked, answer or {}, path, f.LIMITS)
        stored, velocity, magnitude = f.study(path)
        self.assertEqual(stored, head)
        self.assertEqual(magnitude.shape, velocity.shape[1:])
        self.assertEqual((*head["size"][::-1],), magnitude.shape[1:])
        return looked, head, velocity, magnitude

    def same_velocity(self, velocity: np.ndarray, wanted: np.ndarray = MADE.velocity) -> None:
        self.assertEqual(velocity.shape, wanted.shape)
        self.assertLessEqual(np.abs(velocity - wanted).max(), FAR)

    def same_magnitude(self, magnitude: np.ndarray, wanted: np.ndarray = MADE.magnitude) -> None:
        scale = 32_767 / wanted.max()
        self.assertLessEqual(np.abs(magnitude - wanted * scale).max(), 1)

    def same_place(self, head: dict[str, Any], affine: np.ndarray) -> None:
        told = np.array(head["affine"])
        corner = np.array([*head["size"], 1.0]) - [1, 1, 1, 0]
        self.assertLessEqual(np.abs((told - affine) @ corner).max(), MM)
        self.assertLessEqual(np.abs(told[:, 3] - affine[:, 3]).max(), MM)
        turns = [one[:, :3] / np.linalg.norm(one[:, :3], axis=0) for one in (told, affine)]
        self.assertLessEqual(np.abs(turns[0] - turns[1]).max(), RADIANS)
        self.assertTrue(np.allclose(head["spacing"], f.SPACING, atol=MM))

    def reasons(self, looked: dict[str, Any]) -> set[str]:
        return {problem["reason"] for problem in looked["problems"]}

    def guesses(self, looked: dict[str, Any], role: str = "velocity") -> set[str]:
        return {one for series in looked["series"] if series["role"] == role for one in series["unsure"]}

    # NIfTI

    def test_nifti_in_four_dimensions_by_either_form_of_its_place_and_either_version(self) -> None:
        affine = f.oblique()
        forms = [
            f.Nifti(affine, text="cm/s"),
            f.Nifti(quaternion=[*quaternion_of(affine[:, :3] / f.SPACING), *affine[:, 3]], text="cm/s"),
            f.Nifti(affine, text="cm/s", order=">", version=2),
        ]
        for number, head in enumerate(forms):
            with self.subTest(form=number):
                self.folder = f.Folder(self.path)
                f.nifti_study(self.folder, MADE, head)
                looked, head, velocity, magnitude = self.made()
                self.same_velocity(velocity)
                self.same_magnitude(magnitude)
                self.same_place(head, affine)
                self.assertEqual((head["source"], head["isPlaced"], head["period"]), ("nifti", True, 0.81))
                self.assertTrue(np.allclose(head["times"], [0, 0.05, 0.1, 0.15]))
                self.assertEqual(head["directions"], np.eye(3).tolist())
                # `vx` may as well have meant the patient's x.
                self.assertEqual(self.guesses(looked), {"direction"})
                self.assertEqual(head["venc"], [f.VENC] * 3)

    def test_directions_of_the_patient_are_turned_into_the_grid(self) -> None:
        affine = f.oblique()
        f.nifti_study(self.folder, MADE, f.Nifti(affine, text="cm/s"))
        looked = look(self.folder.files, f.LIMITS)
        ids = [one["id"] for one in looked["series"] if one["role"] == "velocity"]
        answer = {"series": [{"id": ids[at], "direction": one} for at, one in enumerate(("FH", "RL", "AP"))]}
        _, head, velocity, _ = self.made(answer)
        turn = affine[:, :3] / f.SPACING
        wanted = [turn.T @ one for one in ([-1, 0, 0], [0, -1, 0], [0, 0, 1])]
        self.assertLessEqual(np.abs(np.array(head["directions"]) - wanted).max(), RADIANS)
        self.same_velocity(velocity, MADE.velocity[[1, 2, 0]])

    def test_a_left_handed_grid_is_mirrored_with_its_place_and_its_directions(self) -> None:
        affine = np.column_stack([np.diag(f.SPACING) * [-1, 1, 1], [60.0, -20.0, 5.0]])
        f.nifti_study(self.folder, MADE, f.Nifti(affine, text="cm/s"))
        _, head, velocity, _ = self.made()
        self.same_velocity(velocity, MADE.velocity[..., ::-1])
        self.assertEqual(head["directions"], [[-1, 0, 0], [0, 1, 0], [0, 0, 1]])
        self.assertGreater(np.linalg.det(np.array(head["affine"])[:, :3]), 0)
        # The first voxel of the file is the last of its row now.
        last = np.array(head["affine"]) @ [f.X - 1, 0, 0, 1]
        self.assertTrue(np.allclose(last, [60, -20, 5], atol=MM))

    def test_a_vector_in_five_dimensions_and_files_of_one_time_each(self) -> None:
        affine = np.column_stack([np.diag(f.SPACING), [1.0, 2.0, 3.0]])
        head = f.Nifti(affine, text="m/s venc 150", intent=1007)
        self.folder.put("flow.nii.gz", gzip.compress(f.nifti(MADE.velocity.astype(np.float32), head), 1))
        for at in (2, 0, 3, 1):
            self.folder.put(
                f"anatomy_t{at:02d}.nii", f.nifti(MADE.magnitude[at].astype("<f4"), f.Nifti(affine))
            )
        looked, head, velocity, magnitude = self.made({"period": 0.8})
        self.assertEqual([one["frames"] for one in looked["series"]], [4] * 4)
        self.assertEqual(self.guesses(looked), set())
        self.same_velocity(velocity)
        self.same_magnitude(magnitude)
        self.assertEqual((head["period"], head["venc"]), (0.8, [1.5] * 3))

    def test_phases_of_twelve_bits_become_velocities_by_the_venc_that_a_person_gives(self) -> None:
        names = ("fl3d_RL_ph", "fl3d_AP_ph", "fl3d_FH_ph")
        affine = np.column_stack([np.diag(f.SPACING) * [-1, -1, 1], [0.0, 0.0, 0.0]])
        for name, values in zip(names, MADE.velocity, strict=True):
            raw = np.clip(np.rint(values / f.VENC * 4096), -4096, 4095).astype(np.int16)
            raw[0, 0, 0, :2] = (-4096, 4095)
            self.folder.put(f"{name}.nii", f.nifti(raw, f.Nifti(affine)))
            self.folder.put(f"{name}.json", {"Manufacturer": "Siemens", "HeartRate": 60})
        looked = look(self.folder.files, f.LIMITS)
        rows = [one for one in looked["series"] if one["role"] == "velocity"]
        self.assertEqual({one["unit"] for one in rows}, {"phase"})
        self.assertEqual({one["venc"] for one in rows}, {None})
        self.assertEqual(self.guesses(looked), {"unit", "venc"})
        self.assertIn("venc_unknown", self.reasons(looked))
        answer = {"series": [{"id": one["id"], "venc": f.VENC} for one in rows]}
        _, head, velocity, magnitude = self.made(answer)
        self.assertLessEqual(np.abs(velocity - MADE.velocity)[:, 1:].max(), FAR)
        self.assertEqual((head["vendor"], head["period"]), ("siemens", 1.0))
        self.assertEqual(head["directions"], np.eye(3).tolist())
        self.assertFalse(magnitude.any())
        self.assertIn("magnitude_missing", self.reasons(looked))

    # HDF5 and MAT

    @unittest.skipUnless(HAS_PACKAGES, NO_PACKAGES)
    def test_rows_of_4dflownet_are_frames(self) -> None:
        for options in ({}, {"chunks": (4, 2, 3, 5), "compression": "gzip", "shuffle": True}):
            self.folder = f.Folder(self.path)
            f.hdf5_study(self.folder.place("рига/data.h5"), MADE, **options)
            looked, head, velocity, magnitude = self.made({"period": 1.0})
            self.same_velocity(velocity)
            self.same_magnitude(magnitude)
            self.assertEqual(self.guesses(looked), set())
            self.assertIn("times_unknown", self.reasons(looked))
            self.assertEqual((head["source"], head["isPlaced"]), ("hdf5", False))
            self.assertEqual(head["times"], [0, 0.25, 0.5, 0.75])
            self.same_place(head, np.column_stack([np.diag(f.SPACING), np.zeros(3)]))

    @unittest.skipUnless(HAS_PACKAGES, NO_PACKAGES)
    def test_the_struct_of_the_toolbox_in_both_kinds_of_mat_file(self) -> None:
        from scipy.io import savemat

        def five(path: Path) -> None:
            savemat(path, {"data": f.toolbox_struct(MADE)}, appendmat=False, do_compression=True)

        for write in (five, lambda path: f.matlab73(path, f.toolbox_struct(MADE))):
            self.folder = f.Folder(self.path)
            write(self.folder.place("data.mat"))
            looked, head, velocity, magnitude = self.made()
            self.assertEqual(self.guesses(looked), {"direction"})
            self.assertEqual({one["direction"] for one in looked["series"]}, {None, "AP", "FH", "RL"})
            self.same_velocity(np.array(head["directions"]).sum(1)[:, None, None, None, None] * velocity)
            self.same_magnitude(magnitude)
            self.assertEqual(head["directions"], [[1, 0, 0], [0, -1, 0], [0, 0, -1]])
            self.assertEqual((head["source"], head["period"], head["venc"]), ("mat", 0.8, [1.5] * 3))
            self.assertTrue(np.allclose(head["spacing"], f.SPACING))

    @unittest.skipUnless(HAS_PACKAGES, NO_PACKAGES)
    def test_other_arrays_of_hdf5_are_found_by_their_names_and_settled_by_a_person(self) -> None:
        h5py = f.h5py()
        with h5py.File(self.folder.place("other.hdf5"), "w") as file:
            group = file.create_group("scan")
            vectors = np.moveaxis(100 * MADE.velocity, 0, -1).transpose(0, 3, 2, 1, 4)
            group["velocity"] = vectors.astype(np.float32)
            group["velocity"].attrs["units"] = "cm/s"
            group["spacing"] = np.array(f.SPACING)
            group["times"] = np.array([0, 40, 80, 120.0])
            group["again"] = h5py.SoftLink("/scan/velocity")
        looked = look(self.folder.files, f.LIMITS)
        self.assertEqual(len(looked["series"]), 3)
        self.assertEqual(self.guesses(looked), {"direction", "venc"})
        self.assertTrue(np.allclose(looked["times"], [0, 0.04, 0.08, 0.12]))
        answer = {"series": [{"id": one["id"], "venc": f.VENC} for one in looked["series"]]}
        self.same_velocity(self.made(answer)[2])

    # VTK

    def test_vti_in_every_way_of_writing_it(self) -> None:
        ways = [
            f.Xml("ascii"),
            f.Xml("binary"),
            f.Xml("binary", is_packed=True, head="UInt64"),
            f.Xml("raw", order=">"),
            f.Xml("raw", is_packed=True),
            f.Xml("base64", is_packed=True, order=">", head="UInt64"),
            f.Xml("base64"),
        ]
        for how in ways:
            with self.subTest(how=how):
                self.folder = f.Folder(self.path)
                for at in (0, 10, 9, 2):
                    values = MADE if at == 0 else f.flow(seed=at)
                    arrays = {
                        "Velocity": np.moveaxis(values.velocity[:, 0], 0, -1),
                        "mag": values.magnitude[0],
                    }
                    self.folder.put(f"steps/flow_{at}.vti", f.vti(arrays, how))
                looked = look(self.folder.files, f.LIMITS)
                self.assertEqual(self.guesses(looked), {"unit", "venc"})
                self.assertIn("spacing_unit_unknown", self.reasons(looked))
                vencs = [
                    {"id": one["id"], "venc": f.VENC} for one in looked["series"] if one["role"] == "velocity"
                ]
                _, head, velocity, magnitude = self.made({"series": vencs, "period": 1.0})
                order = [MADE, *(f.flow(seed=at) for at in (2, 9, 10))]
                self.same_velocity(velocity, np.stack([one.velocity[:, 0] for one in order], 1))
                self.same_magnitude(magnitude, np.stack([one.magnitude[0] for one in order]))
                self.assertEqual((head["source"], head["frames"]), ("vtk", 4))

    def test_a_list_of_times_orders_files_and_direction_turns_vectors(self) -> None:
        # The grid's x, y, z lead along the file's y, z, x.
        how = f.Xml("raw", direction="0 0 1 1 0 0 0 1 0")
        lines = []
        for name, at, time in (("b", 0, 0.1), ("a", 1, 0.2)):
            vectors = np.moveaxis(MADE.velocity[:, at], 0, -1)
            self.folder.put(f"all/steps/{name}.vti", f.vti({"u_velocity_vector": vectors}, how))
            lines.append(f'<DataSet timestep="{time}" file="steps/{name}.vti"/>')
        text = f'<VTKFile type="Collection"><Collection>{"".join(lines)}</Collection></VTKFile>'
        self.folder.put("all/list.pvd", text)
        looked = look(self.folder.files, f.LIMITS)
        vencs = [{"id": one["id"], "venc": f.VENC} for one in looked["series"]]
        _, head, velocity, _ = self.made({"series": vencs})
        self.assertEqual(head["times"], [0.1, 0.2])
        self.assertEqual(head["directions"], np.eye(3).tolist())
        self.same_velocity(velocity, MADE.velocity[[1, 2, 0], :2])

    def test_legacy_vtk_in_text_and_in_bytes_by_points_and_by_coordinates(self) -> None:
        vectors = np.moveaxis(MADE.velocity[:, 0], 0, -1)
        for kind in ("ASCII", "BINARY"):
            for grid in ("STRUCTURED_POINTS", "RECTILINEAR_GRID"):
                self.folder = f.Folder(self.path)
                self.folder.put("flow.vtk", f.legacy(vectors, MADE.magnitude[0], kind, grid))
                looked = look(self.folder.files, f.LIMITS)
                vencs = [
                    {"id": one["id"], "venc": f.VENC} for one in looked["series"] if one["role"] == "velocity"
                ]
                _, head, velocity, magnitude = self.made({"series": vencs})
                self.same_velocity(velocity, MADE.velocity[:, :1])
                self.same_magnitude(magnitude, MADE.magnitude[:1])
                self.same_place(head, np.column_stack([np.diag(f.SPACING), np.zeros(3)]))


def quaternion_of(turn: np.ndarray) -> list[float]:
    """Of b, c and d."""
    skew = (turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1])
    return [float(one / (2 * np.sqrt(1 + np.trace(turn)))) for one in skew]


if __name__ == "__main__":
    unittest.main()
