"""A run's results as files for other programs: NIfTI and VTK. Equal results give equal bytes."""

from __future__ import annotations

import base64
import gzip
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .files.reading import durable
from .stored import Stored, marked
from .study import Values

# nifti1.h: codes of types, of mm, and of a place that the scanner told.
CODES = {"u1": 2, "f4": 16}
# At most 79 letters: so long is a NIfTI file's own word on itself.
FINER = "Made finer by a network, not measured so finely"
MILLIMETRES, SCANNER = 2, 1


def write_nifti(path: Path, voxels: Values, stored: Stored) -> None:
    """Bytes or single precision (z, y, x) on the study's grid, gzipped NIfTI-1; NaN becomes 0."""
    kind = "u1" if voxels.dtype.itemsize == 1 else "f4"
    z, y, x = voxels.shape
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, 3, x, y, z, 1, 1, 1, 1)
    struct.pack_into("<2h", head, 70, CODES[kind], 8 * np.dtype(kind).itemsize)
    struct.pack_into("<8f", head, 76, 1.0, *stored.head["spacing"], 1.0, 1.0, 1.0, 1.0)
    struct.pack_into("<3f", head, 108, 352.0, 1.0, 0.0)
    struct.pack_into("<b", head, 123, MILLIMETRES)
    if marked(stored.head):
        struct.pack_into("80s", head, 148, FINER.encode())
    # A study that lies nowhere in a patient says so: readers then keep the order of its voxels.
    if stored.head["isPlaced"]:
        struct.pack_into("<h", head, 254, SCANNER)
        struct.pack_into("<12f", head, 280, *stored.affine.reshape(-1))
    head[344:348] = b"n+1\0"
    values = np.nan_to_num(voxels.astype("<" + kind), posinf=0, neginf=0)
    with durable(path) as file:
        file.write(gzip.compress(bytes(head) + values.tobytes(), 6, mtime=0))


def write_lines(path: Path, lines: Sequence[tuple[Values, Values]], stored: Stored) -> None:
    """VTK PolyData (XML, base64): lines as points (n, 3) in m along the grid with speeds (n,) in m/s.

    Points are written in mm of the patient (RAS) by the study's affine. After "VTK XML Formats"
    (docs.vtk.org): an array is its length in bytes (UInt64) and its numbers, little-endian.
    """
    places = [placed(points, stored) for points, _ in lines]
    lengths = np.array([len(points) for points in places], np.int64)
    count, total = len(places), int(lengths.sum())
    points = np.concatenate([*places, np.empty((0, 3))]).astype("<f4")
    speeds = np.concatenate([*(speed for _, speed in lines), np.empty(0)]).astype("<f4")
    arrays = "".join(
        [
            f'<PointData Scalars="speed">{array("Float32", "speed", speeds)}</PointData>',
            f"<Points>{array('Float32', 'points', points, 3)}</Points>",
            f"<Lines>{array('Int64', 'connectivity', np.arange(total, dtype='<i8'))}",
            f"{array('Int64', 'offsets', np.cumsum(lengths, dtype='<i8'))}</Lines>",
        ]
    )
    text = (
        '<?xml version="1.0"?>\n'
        "<!-- Streamlines: points in mm (right, front, head), speed in m/s. Research use only. -->\n"
        '<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64"><PolyData>'
        f'{finer(stored)}<Piece NumberOfPoints="{total}" NumberOfVerts="0" NumberOfLines="{count}"'
        f' NumberOfStrips="0" NumberOfPolys="0">{arrays}</Piece></PolyData></VTKFile>\n'
    )
    with durable(path) as file:
        file.write(text.encode("ascii"))


def finer(stored: Stored) -> str:
    """What programs show of all of a file; nothing of a study that no network made finer."""
    mark = marked(stored.head)
    if not mark:
        return ""
    kind = 'type="Int32" Name="made_finer_by_network" NumberOfTuples="1" format="ascii"'
    return (
        f"<!-- {FINER}. --><FieldData><DataArray {kind}>{mark['sharpened']['factor']}</DataArray></FieldData>"
    )


def placed(points: Values, stored: Stored) -> Values:
    voxels = points / (np.array(stored.head["spacing"]) / 1000)
    return voxels @ stored.affine[:, :3].T + stored.affine[:, 3]


def array(kind: str, name: str, values: Values, parts: int = 1) -> str:
    content = values.tobytes()
    text = base64.b64encode(struct.pack("<Q", len(content)) + content).decode("ascii")
    several = f' NumberOfComponents="{parts}"' if parts > 1 else ""
    return f'<DataArray type="{kind}" Name="{name}"{several} format="binary">{text}</DataArray>'
