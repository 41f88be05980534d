"""Broken and hostile files of flow: each has a reason of its own, and none ends the program."""

from __future__ import annotations

import gzip
import struct
import unittest
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np

from neuroloom_engine.failures import RunFailure
from neuroloom_engine.flow.files.found import Limits
from neuroloom_engine.flow.files.reading import look

from . import make_flow as f
from .flow_refusing import CALM, HEAD, MADE, PLACE, Refusing
from .make_flow import HAS_PACKAGES, NO_PACKAGES


class BrokenTest(Refusing):
    def test_broken_nifti(self) -> None:
        whole = f.nifti(CALM[0].astype(np.float32), HEAD)
        cases: list[tuple[str, bytes]] = [
            ("truncated", whole[:-5]),
            ("truncated", gzip.compress(whole)[:-200]),
            ("truncated", whole[:200]),
            ("truncated", b""),
            ("damaged", b"text " * 200),
            ("damaged", whole[:108] + struct.pack("<f", np.nan) + whole[112:]),
            ("damaged", f.nifti(CALM[0].astype(np.float32), replace(HEAD, dims=[7, -6, 5, 4]))),
            ("too_many_dimensions", f.nifti(CALM[0].astype(np.float32), replace(HEAD, dims=[7, 6, 5, 1, 4]))),
            ("unsupported_type", whole[:70] + struct.pack("<h", 128) + whole[72:]),
            ("sheared", f.nifti(CALM[0].astype(np.float32), replace(HEAD, affine=PLACE + np.eye(3, 4, 1)))),
        ]
        for why, content in cases:
            with self.subTest(why=why, size=len(content)):
                self.alone("vx.nii", content)
                self.fault(why)
        self.alone(
            "vx.nii", f.nifti(CALM[0].astype(np.float32), replace(HEAD, dims=[32_000, 32_000, 32_000]))
        )
        self.blocked("too_large")
        self.alone("vx.json.nii", whole)
        self.folder.put("vx.json", "[" * 100_000)
        self.fault("damaged")

    def test_broken_vtk(self) -> None:
        vectors, scalars = np.moveaxis(MADE.velocity[:, 0], 0, -1), MADE.magnitude[0]
        binary, text = f.legacy(vectors, scalars), f.legacy(vectors, scalars, "ASCII")
        bent = f.legacy(vectors, scalars, "ASCII", "RECTILINEAR_GRID").replace(b"3.5", b"3.6", 1)
        cases = [
            ("truncated", binary[:-100]),
            ("truncated", text[:-100]),
            ("truncated", text.replace(b"velocity float\n", b"velocity float\nword ")),
            ("unsupported_type", text.replace(b"STRUCTURED_POINTS", b"POLYDATA")),
            ("damaged", text.replace(b"DIMENSIONS 7", b"DIMENSIONS x")),
            ("damaged", binary.replace(b"SPACING 1.25", b"SPACING -1.0")),
            ("uneven_spacing", bent),
        ]
        for why, content in cases:
            with self.subTest(why=why, size=len(content)):
                self.alone("flow.vtk", content)
                self.fault(why)
        self.alone("flow.vtk", binary.replace(b"DIMENSIONS 7 6 5", b"DIMENSIONS 70000 60000 5"))
        self.blocked("too_large")

    def test_broken_xml(self) -> None:
        arrays = {"velocity": np.moveaxis(MADE.velocity[:, 0], 0, -1)}
        plain, raw = f.vti(arrays, f.Xml("binary")), f.vti(arrays, f.Xml("raw", is_packed=True))
        bomb = b'<!DOCTYPE a [<!ENTITY b "c">]>'
        cases = [
            ("truncated", plain[:-400]),
            ("damaged", plain.replace(b"</Piece>", b"</Peace>")),
            ("entities", plain.replace(b"?>\n", b"?>\n" + bomb)),
            ("truncated", raw[:-300]),
            ("several_pieces", plain.replace(b'Piece Extent="2', b'Piece Extent="3')),
            ("compression", plain.replace(b"UInt32", b'UInt32" compressor="vtkLZ4DataCompressor')),
            ("cell_data", plain.replace(b"PointData", b"CellData")),
            ("unsupported_type", plain.replace(b'type="ImageData"', b'type="PolyData"')),
            ("sheared", f.vti(arrays, f.Xml(direction="1 1 0 0 1 0 0 0 1"))),
            ("unknown_format", "".join(map(chr, plain)).encode("utf-16")),
        ]
        for why, content in cases:
            with self.subTest(why=why, size=len(content)):
                self.alone("flow.vti", content)
                self.fault(why)
        self.alone("flow.vti", plain.replace(b'Extent="2 8', b'Extent="2 2000000'))
        self.blocked("too_large")

    def test_a_list_of_times_names_only_files_that_were_given(self) -> None:
        plain = f.vti({"velocity": np.moveaxis(MADE.velocity[:, 0], 0, -1)})
        for name, reason in (
            ("../flow.vti", "outside_link"),
            ("/etc/passwd", "outside_link"),
            ("b.vti", "unreadable"),
        ):
            self.alone("a.vti", plain)
            dataset = f'<DataSet timestep="0" file="{name}"/>'
            self.folder.put(
                "a.pvd", f'<VTKFile type="Collection"><Collection>{dataset}</Collection></VTKFile>'
            )
            self.blocked(reason, name=name)

    @unittest.skipUnless(HAS_PACKAGES, NO_PACKAGES)
    def test_links_that_lead_out_of_hdf5(self) -> None:
        h5py = f.h5py()
        outside = self.path / "outside.h5"
        f.hdf5_study(outside, MADE)

        def link(file: Any) -> None:
            file["u"] = h5py.ExternalLink(str(outside), "/u")

        def storage(file: Any) -> None:
            file.create_dataset("u", (f.X,), "f4", external=[(str(outside), 0, 4 * f.X)])

        def virtual(file: Any) -> None:
            layout = h5py.VirtualLayout((f.FRAMES, f.X, f.Y, f.Z), "f4")
            layout[:] = h5py.VirtualSource(str(outside), "u", layout.shape)
            file.create_virtual_dataset("deep/u", layout)

        for write, name in ((link, "u"), (storage, "u"), (virtual, "deep/u")):
            self.folder = f.Folder(self.path)
            self.write_hdf5("flow.h5", write)
            self.blocked("outside_link", name=name)

    def write_hdf5(self, name: str, write: Callable[[Any], object]) -> None:
        with f.h5py().File(self.folder.place(name), "w") as file:
            write(file)

    @unittest.skipUnless(HAS_PACKAGES, NO_PACKAGES)
    def test_broken_hdf5(self) -> None:
        path = self.folder.place("flow.h5")
        f.hdf5_study(path, MADE, chunks=(1, 7, 6, 5), compression="gzip")
        whole = path.read_bytes()
        self.alone("flow.h5", whole[: len(whole) // 2])
        self.fault("damaged")
        place = whole.index(b"\x78\x5e") + 20 if b"\x78\x5e" in whole else whole.index(b"\x78\x9c") + 20
        self.alone("flow.h5", whole[:place] + bytes(64) + whole[place + 64 :])
        self.fault("damaged")
        self.folder = f.Folder(self.path)
        self.write_hdf5(
            "a.h5",
            lambda file: file.create_dataset("u", (1000, 10**5, 10**5, 10**5), "f4", chunks=(1, 8, 8, 8)),
        )
        self.blocked("too_large")
        self.folder = f.Folder(self.path)
        self.write_hdf5(
            "a.h5", lambda file: file.create_dataset("u", (50, 64, 64, 64), "f4", chunks=(50, 64, 64, 64))
        )
        self.blocked("too_large", Limits(1 << 30, 256 << 20))
        self.folder = f.Folder(self.path)
        self.write_hdf5("a.h5", lambda file: [file.create_group(str(at)) for at in range(5_001)])
        self.fault("too_many_items")
        self.folder = f.Folder(self.path)
        self.write_hdf5("loop.h5", lambda file: file.create_group("a").__setitem__("b", file))
        self.blocked("no_velocity")
        self.folder = f.Folder(self.path)
        self.write_hdf5("odd.h5", self.odd)
        self.assertEqual(self.looked()["no_velocity"]["params"], {})
        self.alone("flow.h5", b"text")
        self.fault("unknown_format")

    def odd(self, file: Any) -> None:
        """Everything but arrays of numbers."""
        h5py = f.h5py()
        named = {"dx": h5py.Empty("f"), "text": "u", "type": np.dtype("f8"), "reference": file.ref}
        pairs = {
            "pairs": np.zeros((4, 4, 4), [("u", "f4")]),
            "u": np.zeros((0, 4, 4, 4)),
            "v": np.array(True),
        }
        for name, value in {**named, **pairs}.items():
            file[name] = value
        file.create_dataset("w", (0, 4, 4, 4), maxshape=(None, 4, 4, 4))

    @unittest.skipUnless(HAS_PACKAGES, NO_PACKAGES)
    def test_mat_files_with_more_than_numbers(self) -> None:
        from scipy.io import savemat
        from scipy.io.matlab import MatlabObject

        thing = MatlabObject(np.array([[(1.0,)]], [("a", "O")]), "inline")
        for name, content in (
            ("odd", {"odd": thing}),
            ("data.odd", {"data": {**f.toolbox_struct(MADE), "odd": thing}}),
        ):
            self.folder = f.Folder(self.path)
            savemat(self.folder.place("data.mat"), content, appendmat=False)
            self.blocked("mat_object", name=name)
        self.folder = f.Folder(self.path)
        path = self.folder.place("data.mat")
        f.matlab73(path, f.toolbox_struct(MADE))
        with f.h5py().File(path, "r+") as file:
            file["data"]["f"] = np.zeros(3)
            file["data"]["f"].attrs["MATLAB_class"] = np.bytes_(b"function_handle")
        self.blocked("mat_object", name="data/f")

    @unittest.skipUnless(HAS_PACKAGES, NO_PACKAGES)
    def test_broken_mat_files(self) -> None:
        from scipy.io import savemat

        path = self.folder.place("data.mat")
        savemat(path, {"data": f.toolbox_struct(MADE)}, appendmat=False, do_compression=True)
        whole = path.read_bytes()
        self.alone("data.mat", whole[:-1000])
        self.fault("truncated")
        self.alone("data.mat", whole[:200] + bytes(100) + whole[300:])
        self.fault("damaged")
        self.alone("data.mat", b"MATLAB 5.0 MAT-file" + b"text" * 100)
        self.fault("damaged")
        # Some kilobytes that unpack to more than may be had at once.
        packer = zlib.compressobj(1)
        packed = b"".join(packer.compress(bytes(1 << 24)) for _ in range(10)) + packer.flush()
        self.alone("data.mat", whole[:128] + struct.pack("<2I", 15, len(packed)) + packed)
        self.blocked("too_large", Limits(1 << 30, 1 << 30))

    def test_a_python_without_the_packages_says_so_and_reads_the_rest(self) -> None:
        self.components()
        without = {"h5py": None, "scipy": None, "scipy.io": None}
        with mock.patch.dict("sys.modules", without):
            self.assertNotIn("unreadable", self.looked())
            for name, start in (("h5py", b"\x89HDF\r\n\x1a\n"), ("scipy", b"MATLAB 5.0 MAT-file")):
                self.alone("data", start)
                with self.assertRaises(RunFailure) as caught:
                    look(self.folder.files, f.LIMITS)
                self.assertEqual(
                    (caught.exception.code, caught.exception.data), ("packages_missing", {"packages": [name]})
                )


if __name__ == "__main__":
    unittest.main()
