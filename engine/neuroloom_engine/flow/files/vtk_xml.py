"""Reads VTK's XML: images (.vti; ASCII, base64 or appended, plain or zlib) and lists of times (.pvd).

After "VTK XML Formats" (docs.vtk.org). A document type or an entity is refused where it stands: no image
needs one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from xml.parsers import expat

import numpy as np

from ..study import Refusal
from .found import File, Floats, Limits, Values, guarded, unreadable
from .vtk_grid import Image, check_sides
from .vtk_packed import Encoded, Plain, Stored, decoded

TYPES = {
    "Int8": "i1",
    "UInt8": "u1",
    "Int16": "i2",
    "UInt16": "u2",
    "Int32": "i4",
    "UInt32": "u4",
    "Int64": "i8",
    "UInt64": "u8",
    "Float32": "f4",
    "Float64": "f8",
}
CHUNK = 1 << 16
MOST_ELEMENTS = 100_000
CUT = {
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
}


class Enough(Exception):
    """What follows is not XML."""


@dataclass
class Element:
    name: str
    attributes: dict[str, str]
    above: str
    text: list[str] = field(default_factory=list)


@dataclass
class Document:
    elements: list[Element] = field(default_factory=list)
    # Where the bytes behind the underscore of what is appended begin.
    appended: int | None = None

    def first(self, name: str) -> dict[str, str] | None:
        return next((one.attributes for one in self.elements if one.name == name), None)


def parse(file: File, limits: Limits) -> Document:
    """Elements in order, with the text of arrays."""
    document = Document()
    stack: list[Element] = []
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, stack[-1].name if stack else "")
        document.elements.append(element)
        stack.append(element)
        if len(document.elements) > MOST_ELEMENTS:
            raise unreadable(file.name, "too_many_items")
        if name == "AppendedData":
            document.appended = parser.CurrentByteIndex
            raise Enough

    def text(content: str) -> None:
        if stack and stack[-1].name == "DataArray":
            stack[-1].text.append(content)

    def refuse(*_: Any) -> None:
        raise unreadable(file.name, "entities")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        feed(parser, file, limits)
    except Enough:
        document.appended = behind_underscore(file, document.appended or 0)
    except expat.ExpatError as error:
        raise unreadable(file.name, "truncated" if error.code in CUT else "damaged") from error
    return document


def feed(parser: Any, file: File, limits: Limits) -> None:
    count = 0
    with file.path.open("rb") as opened:
        while piece := opened.read(CHUNK):
            count += len(piece)
            limits.check(count)
            parser.Parse(piece, False)
        parser.Parse(b"", True)


def behind_underscore(file: File, start: int) -> int:
    with file.path.open("rb") as opened:
        opened.seek(start)
        head = opened.read(4096)
    end = head.find(b">")
    place = head.find(b"_", end)
    if end < 0 or place < 0 or head[end + 1 : place].strip():
        raise unreadable(file.name, "damaged")
    return start + place + 1


def open_vti(file: File, limits: Limits) -> Image:
    return guarded(file.name, lambda: image_of(file, parse(file, limits), limits))


def image_of(file: File, document: Document, limits: Limits) -> Image:
    root, grid = document.first("VTKFile"), document.first("ImageData")
    if root is None or grid is None or root.get("type") != "ImageData":
        raise unreadable(file.name, "unsupported_type")
    pieces = [one.attributes for one in document.elements if one.name == "Piece"]
    extent = [int(one) for one in grid["WholeExtent"].split()]
    if (
        len(pieces) != 1
        or [int(one) for one in pieces[0].get("Extent", grid["WholeExtent"]).split()] != extent
    ):
        raise unreadable(file.name, "several_pieces")
    x, y, z = (extent[2 * axis + 1] - extent[2 * axis] + 1 for axis in range(3))
    spacing = [float(one) for one in grid.get("Spacing", "1 1 1").split()]
    check_sides(file, (x, y, z), spacing, limits)
    if root.get("compressor", "") not in ("", "vtkZLibDataCompressor"):
        raise unreadable(file.name, "compression")
    arrays = named(document)
    if not arrays and inside(document, "CellData"):
        raise unreadable(file.name, "cell_data")
    a, b, c = spacing
    return Image(
        file,
        (x, y, z),
        (a, b, c),
        {name: int(one.attributes.get("NumberOfComponents", "1")) for name, one in arrays.items()},
        partial(load, file, limits, x * y * z),
        axes_of(file, grid.get("Direction")),
        fields_of(file, document, stored_of(document)),
    )


def stored_of(document: Document) -> Stored:
    root, last = document.first("VTKFile") or {}, document.first("AppendedData")
    order = ">" if root.get("byte_order") == "BigEndian" else "<"
    return Stored(
        order=order,
        head=np.dtype(order + TYPES[root.get("header_type", "UInt32")]),
        is_packed=root.get("compressor", "") != "",
        appended=document.appended,
        is_base64=last is not None and last.get("encoding", "base64") == "base64",
    )


def named(document: Document) -> dict[str, Element]:
    """Arrays of points."""
    found = inside(document, "PointData")
    return {one.attributes.get("Name", f"array {i + 1}"): one for i, one in enumerate(found)}


def inside(document: Document, name: str) -> list[Element]:
    return [one for one in document.elements if one.name == "DataArray" and one.above == name]


def axes_of(file: File, text: str | None) -> Floats | None:
    """Columns: the file's x, y, z in the axes of the grid, whose own directions `Direction` has as its
    columns."""
    if text is None:
        return None
    turn = np.array([float(one) for one in text.split()], np.float64).reshape(3, 3)
    if not np.allclose(turn.T @ turn, np.eye(3), atol=1e-3):
        raise unreadable(file.name, "sheared")
    return None if np.allclose(turn, np.eye(3), atol=1e-9) else turn.T


def fields_of(file: File, document: Document, stored: Stored) -> dict[str, float]:
    """Single numbers of the file as a whole."""
    told = {}
    for one in inside(document, "FieldData"):
        if one.attributes.get("NumberOfTuples") == "1" and one.attributes.get("type") in TYPES:
            told[one.attributes.get("Name", "")] = float(values_of(file, one, stored, 1)[0])
    return told


def load(file: File, limits: Limits, points: int, name: str) -> Values:
    """(points, parts). Reads the file anew: texts of all steps at once would be too much to keep."""

    def read() -> Values:
        document = parse(file, limits)
        element = named(document)[name]
        parts = int(element.attributes.get("NumberOfComponents", "1"))
        return values_of(file, element, stored_of(document), points * parts).reshape(points, parts)

    return guarded(file.name, read)


def values_of(file: File, element: Element, stored: Stored, count: int) -> Values:
    kind = element.attributes.get("type", "")
    if kind not in TYPES:
        raise unreadable(file.name, "unsupported_type")
    type_ = np.dtype(stored.order + TYPES[kind])
    form = element.attributes.get("format", "ascii")
    wanted = count * type_.itemsize
    if form == "ascii":
        values = np.array("".join(element.text).split(), np.float64)
        content = (values if type_.kind == "f" else np.rint(values)).astype(type_).tobytes()
    elif form == "binary":
        content = decoded(Encoded("".join(element.text).encode("ascii")), stored, wanted)
    else:
        content = decoded(appended(file, element, stored, wanted), stored, wanted)
    if len(content) < wanted:
        raise unreadable(file.name, "truncated")
    return np.frombuffer(content, type_, count)


def appended(file: File, element: Element, stored: Stored, wanted: int) -> Encoded | Plain:
    if stored.appended is None:
        raise unreadable(file.name, "truncated")
    start = stored.appended + int(element.attributes["offset"])
    if not stored.is_base64:
        return Plain(file, start)
    with file.path.open("rb") as opened:
        opened.seek(start)
        # More than the letters of what is wanted: how long they run, their head tells.
        return Encoded(opened.read(2 * wanted + (1 << 20)).split(b"<")[0])


def read_list(file: File, files: Sequence[File], limits: Limits) -> dict[str, float]:
    """Times of a .pvd by the names of the files that were given with it; no other is opened."""
    document = parse(file, limits)
    folder = file.name.rpartition("/")[0]
    known = {one.name for one in files}
    times: dict[str, float] = {}
    for one in document.elements:
        if one.name != "DataSet":
            continue
        path = one.attributes.get("file", "").replace("\\", "/")
        if path.startswith("/") or ":" in path or ".." in path.split("/"):
            raise Refusal("outside_link", name=path[-200:])
        name = "/".join(part for part in (*folder.split("/"), *path.split("/")) if part not in ("", "."))
        if name not in known:
            raise unreadable(path[-200:], "file_missing")
        try:
            times[name] = float(one.attributes.get("timestep", "nan"))
        except ValueError as error:
            raise unreadable(file.name, "damaged") from error
    return {name: value for name, value in times.items() if np.isfinite(value)}
