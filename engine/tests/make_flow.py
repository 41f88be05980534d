"""Writers of 4D flow studies for tests, each after the rules of its format, and what they write."""

from __future__ import annotations

import base64
import gzip
import importlib
import importlib.util
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.flow.files.found import File, Limits

HAS_PACKAGES = all(importlib.util.find_spec(name) for name in ("h5py", "scipy"))
NO_PACKAGES = "HDF5 and MAT need h5py and SciPy, which this Python lacks"
LIMITS = Limits(1 << 30, 4 << 30)
X, Y, Z, FRAMES = 7, 6, 5, 4
VENC = 1.5
SPACING = (1.25, 1.75, 2.5)


def h5py() -> Any:
    """The package; its types are not known where it is not installed."""
    return importlib.import_module("h5py")


@dataclass(frozen=True)
class Flow:
    # (3, t, z, y, x) in m/s.
    velocity: np.ndarray
    # (t, z, y, x).
    magnitude: np.ndarray


def flow(frames: int = FRAMES, seed: int = 5) -> Flow:
    """Numbers that never repeat, so that no axis and no frame can be taken for another."""
    random = np.random.default_rng(seed)
    velocity = random.uniform(-0.95 * VENC, 0.95 * VENC, (3, frames, Z, Y, X))
    return Flow(velocity, random.uniform(0, 800, (frames, Z, Y, X)))


def oblique() -> np.ndarray:
    """(3, 4): turned about all three axes, far from the middle."""
    a, b, c = 0.3, -0.5, 0.2
    turn = (
        np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        @ np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        @ np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    )
    return np.column_stack([turn * np.array(SPACING), [-81.5, 40.25, 113.75]])


@dataclass(frozen=True)
class Nifti:
    """What a header says besides the voxels."""

    affine: np.ndarray | None = None
    # Of the quaternion form, in place of the affine.
    quaternion: Sequence[float] | None = None
    step: float = 0.05
    # mm and seconds.
    units: int = 2 + 8
    slope: float = 0.0
    text: str = ""
    intent: int = 0
    dims: Sequence[int] | None = None
    order: str = "<"
    version: int = 1


def nifti(values: np.ndarray, head: Nifti = Nifti()) -> bytes:  # noqa: B008
    """(z, y, x), (t, z, y, x) or (parts, t, z, y, x), as they are stored."""
    sides = list(head.dims or values.shape[::-1])
    dim = [len(sides), *sides, *[1] * (7 - len(sides))]
    code = {"i2": 4, "f4": 16, "f8": 64, "u2": 512}[values.dtype.str[1:]]
    pixdim = [1.0, *SPACING, head.step, 1.0, 1.0, 1.0]
    rows = np.zeros(12) if head.affine is None else head.affine.reshape(-1)
    forms = (int(head.quaternion is not None), int(head.affine is not None))
    quaternion = head.quaternion or [0.0] * 6
    text = head.text.encode()
    one = head.version == 1
    start = bytearray(352 if one else 544)
    order = head.order
    for (code_1, place_1), (code_2, place_2), numbers in (
        (("i", 0), ("i", 0), [348 if one else 540]),
        (("8h", 40), ("8q", 16), dim),
        (("h", 68), ("i", 504), [head.intent]),
        (("2h", 70), ("2h", 12), [code, values.dtype.itemsize * 8]),
        (("8f", 76), ("8d", 104), pixdim),
        (("f", 108), ("q", 168), [352 if one else 544]),
        (("2f", 112), ("2d", 176), [head.slope, 0.0]),
        (("b", 123), ("i", 500), [head.units]),
        (("80s", 148), ("80s", 240), [text]),
        (("2h", 252), ("2i", 344), forms),
        (("6f", 256), ("6d", 352), quaternion),
        (("12f", 280), ("12d", 400), rows),
    ):
        struct.pack_into(order + (code_1 if one else code_2), start, place_1 if one else place_2, *numbers)
    place = 344 if one else 4
    start[place : place + 4] = b"n+1\0" if one else b"n+2\0"
    return bytes(start) + values.astype(values.dtype.newbyteorder(order)).tobytes()


class Folder:
    """Files by the names that a member gives them; on disk they are numbered."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: list[File] = []

    def place(self, name: str) -> Path:
        path = self.path / f"{len(self.files)}"
        self.files.append(File(path, name))
        return path

    def put(self, name: str, content: bytes | str | Mapping[str, Any]) -> None:
        raw = content if isinstance(content, bytes | str) else json.dumps(content)
        self.place(name).write_bytes(raw.encode() if isinstance(raw, str) else raw)


def nifti_study(folder: Folder, made: Flow, head: Nifti = Nifti(text="cm/s")) -> None:  # noqa: B008
    """Four files in 16 bits of cm/s, and JSON for all."""
    scale = 100 * VENC / 32_000
    scaled = Nifti(**{**vars(head), "slope": scale})
    for name, values in zip(("vx", "vy", "vz"), made.velocity, strict=True):
        raw = np.rint(100 * values / scale).astype(np.int16)
        folder.put(f"study/{name}.nii.gz", gzip.compress(nifti(raw, scaled), 1))
    folder.put("study/mag.nii", nifti(made.magnitude.astype(np.float32), head))
    folder.put("study/about.json", {"VENC_cm_s": 100 * VENC, "RRInterval": 810.0})


def hdf5_study(path: Path, made: Flow, **options: Any) -> None:
    """4DFlowNet's layout: (rows, x, y, z)."""
    with h5py().File(path, "w") as file:
        for name, values in zip("uvw", made.velocity, strict=True):
            file.create_dataset(name, data=values.transpose(0, 3, 2, 1).astype(np.float32), **options)
            file.create_dataset(f"mag_{name}", data=made.magnitude.transpose(0, 3, 2, 1))
            file[f"venc_{name}"] = np.full(len(values), VENC, np.float32)
        file["dx"] = np.tile(np.array(SPACING), (len(made.magnitude), 1))


def toolbox_struct(made: Flow) -> dict[str, Any]:
    """Sotelo's, axes as MATLAB counts them; positive along +x, −y and −z of the grid."""
    fields: dict[str, Any] = {
        "VENC": 100 * VENC,
        "heart_rate": 75.0,
        "voxel_MR": np.array([SPACING]),
        "type": "DCM",
    }
    signs = {"AP": 1, "FH": -1, "RL": -1}
    for (name, sign), values in zip(signs.items(), made.velocity, strict=True):
        fields[f"MR_PCA_{name}"] = 100 * sign * values.transpose(3, 2, 1, 0)
        fields[f"MR_FFE_{name}"] = made.magnitude.transpose(3, 2, 1, 0)
    return fields


def matlab73(path: Path, fields: Mapping[str, Any]) -> None:
    """As MATLAB writes it: HDF5 behind 512 bytes, a struct is a group, axes from the other end."""
    with h5py().File(path, "w", userblock_size=512) as file:
        group = file.create_group("data")
        group.attrs["MATLAB_class"] = np.bytes_(b"struct")
        for name, value in fields.items():
            is_text = isinstance(value, str)
            raw = np.array([[ord(one)] for one in value], np.uint16) if is_text else np.atleast_2d(value).T
            stored = group.create_dataset(name, data=raw)
            stored.attrs["MATLAB_class"] = np.bytes_(b"char" if is_text else b"double")
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(116) + b" " * 8 + b"\0\x02IM")


@dataclass(frozen=True)
class Xml:
    form: str = "ascii"
    is_packed: bool = False
    order: str = "<"
    head: str = "UInt32"
    direction: str = ""
    fields: str = ""


def vti(arrays: Mapping[str, np.ndarray], how: Xml = Xml()) -> bytes:  # noqa: B008
    """Arrays of (z, y, x) or (z, y, x, 3)."""
    z, y, x = next(iter(arrays.values())).shape[:3]
    extent = f"2 {x + 1} 0 {y - 1} 0 {z - 1}"
    parts, tail = [], b""
    for name, values in arrays.items():
        count = values.shape[3] if values.ndim == 4 else 1
        stored = values.astype(how.order + "f4")
        if how.form == "ascii":
            body, place = " ".join(repr(float(one)) for one in stored.reshape(-1)), ""
        elif how.form == "binary":
            body, place = encoded(stored.tobytes(), how).decode(), ""
        else:
            body, place = "", f' offset="{len(tail)}"'
            tail += encoded(stored.tobytes(), how)
        form = how.form if how.form in ("ascii", "binary") else "appended"
        told = f'type="Float32" Name="{name}" NumberOfComponents="{count}" format="{form}"{place}'
        parts.append(f"<DataArray {told}>{body}</DataArray>")
    endian = "LittleEndian" if how.order == "<" else "BigEndian"
    packing = ' compressor="vtkZLibDataCompressor"' if how.is_packed else ""
    sides = " ".join(map(str, SPACING))
    turned = f' Direction="{how.direction}"' if how.direction else ""
    text = (
        f'<?xml version="1.0"?>\n<VTKFile type="ImageData" version="1.0" byte_order="{endian}" '
        f'header_type="{how.head}"{packing}>\n<ImageData WholeExtent="{extent}" Origin="0 0 0" '
        f'Spacing="{sides}"{turned}>{how.fields}<Piece Extent="{extent}"><PointData>'
        f"{''.join(parts)}</PointData></Piece></ImageData>"
    ).encode()
    if how.form in ("raw", "base64"):
        text += f'<AppendedData encoding="{how.form}">\n _'.encode() + tail + b"\n</AppendedData>"
    return text + b"</VTKFile>\n"


def encoded(content: bytes, how: Xml) -> bytes:
    """With the head that VTK puts before the numbers."""
    kind = np.dtype(how.order + ("u4" if how.head == "UInt32" else "u8"))
    wrap = (lambda raw: raw) if how.form == "raw" else base64.b64encode
    if not how.is_packed:
        return wrap(np.array([len(content)], kind).tobytes() + content)
    size = 1000
    blocks = [content[at : at + size] for at in range(0, len(content), size)]
    packed = [zlib.compress(block) for block in blocks]
    last = len(blocks[-1]) if len(blocks[-1]) < size else 0
    head = np.array([len(blocks), size, last, *map(len, packed)], kind)
    return wrap(head.tobytes()) + wrap(b"".join(packed))


def legacy(
    vectors: np.ndarray, scalars: np.ndarray, kind: str = "BINARY", grid: str = "STRUCTURED_POINTS"
) -> bytes:
    """(z, y, x, 3) and (z, y, x), most significant byte first."""
    z, y, x = scalars.shape

    def numbers(values: np.ndarray) -> bytes:
        if kind == "BINARY":
            return values.astype(">f4").tobytes() + b"\n"
        return (" ".join(repr(float(one)) for one in values.reshape(-1)) + "\n").encode()

    if grid == "STRUCTURED_POINTS":
        sides = " ".join(map(str, SPACING))
        places = f"DIMENSIONS {x} {y} {z}\nORIGIN 0 0 0\nSPACING {sides}\n".encode()
    else:
        places = f"DIMENSIONS {x} {y} {z}\n".encode()
        for letter, count, side in zip("XYZ", (x, y, z), SPACING, strict=True):
            places += f"{letter}_COORDINATES {count} float\n".encode() + numbers(np.arange(count) * side)
    return b"".join(
        [
            f"# vtk DataFile Version 3.0\nmade here\n{kind}\nDATASET {grid}\n".encode(),
            places,
            f"POINT_DATA {x * y * z}\nSCALARS magnitude float 1\nLOOKUP_TABLE default\n".encode(),
            numbers(scalars),
            b"METADATA\nINFORMATION 0\n\n",
            b"VECTORS velocity float\n",
            numbers(vectors),
        ]
    )


def study(path: Path) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
    """Head, velocity in m/s (NaN: no value), magnitude; read by hand, byte for byte."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    entries = json.loads(raw[8 : 8 + length])
    arrays = {}
    for name in ("velocity", "magnitude"):
        start, end = entries[name]["data_offsets"]
        arrays[name] = np.frombuffer(raw[8 + length + start : 8 + length + end], "<i2").reshape(
            entries[name]["shape"]
        )
    head = json.loads(entries["__metadata__"]["flow"])
    stored = arrays["velocity"].astype(np.float64)
    return head, np.where(stored == -32_768, np.nan, stored * head["velocityScale"]), arrays["magnitude"]
