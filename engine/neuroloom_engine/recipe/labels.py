"""Boxes and points of pictures that were moved: YOLO, Pascal VOC, COCO, LabelMe, CVAT and tables.

Texts come from people; nothing in them is a path. What cannot be exact is refused in words.
"""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .frame import Matrix, Trouble

Point = tuple[float, float]
Box = tuple[float, float, float, float]
# Of a box that is cut, less than this is no sight of the thing any more.
LEAST_PART = 0.25


@dataclass(frozen=True)
class Picture:
    """A picture as it was and as one of those that were made of it."""

    # The path below the folder, and the new name in the same folder.
    path: str
    name: str
    matrix: Matrix
    is_exact: bool
    before: tuple[int, int]
    size: tuple[int, int]

    @property
    def file(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    def point(self, place: Point) -> Point:
        if not self.is_exact:
            raise Trouble("labels_turned")
        x, y, _ = self.matrix @ np.array([*place, 1.0])
        return float(x), float(y)

    def box(self, box: Box) -> Box | None:
        """Cut to the picture; None where too little of it is left."""
        ends = (self.point(box[:2]), self.point(box[2:]))
        (left, right), (top, bottom) = (sorted(pair) for pair in zip(*ends, strict=True))
        whole = (right - left) * (bottom - top)
        left, top = max(0.0, left), max(0.0, top)
        right, bottom = min(float(self.size[0]), right), min(float(self.size[1]), bottom)
        if right <= left or bottom <= top or (right - left) * (bottom - top) < LEAST_PART * whole:
            return None
        return left, top, right, bottom


class Pictures:
    """All that were prepared, by what texts may call them."""

    def __init__(self, made: Sequence[Picture]) -> None:
        self._by_path: dict[str, list[Picture]] = {}
        self._by_file: dict[str, list[Picture]] = {}
        self._by_stem: dict[str, list[Picture]] = {}
        for one in made:
            self._by_path.setdefault(one.path, []).append(one)
            self._by_file.setdefault(one.file, []).append(one)
            self._by_stem.setdefault(stem(one.path), []).append(one)

    def called(self, name: str) -> list[Picture]:
        name = name.replace("\\", "/")
        return self._by_path.get(name) or self._by_file.get(name.rsplit("/", 1)[-1]) or []

    def beside(self, path: str) -> list[Picture]:
        """Those of the same name; `labels/a.txt` goes with `images/a.png`."""
        here = self._by_stem.get(stem(path))
        if here:
            return here
        file = stem(path).rsplit("/", 1)[-1]
        return [
            one for key, list_ in self._by_stem.items() if key.rsplit("/", 1)[-1] == file for one in list_
        ]


@dataclass(frozen=True)
class Text:
    """A new file of labels."""

    name: str
    content: str


def stem(path: str) -> str:
    head, dot, tail = path.rpartition(".")
    return head if dot and "/" not in tail else path


def relabel(path: str, content: bytes, pictures: Pictures) -> list[Text] | None:
    """The texts that take its place; None where it says nothing of boxes, so that it stays as it is."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    name = path.rsplit("/", 1)[-1]
    ending = name.rsplit(".", 1)[-1].lower()
    if ending == "txt":
        return yolo(path, text, pictures)
    if ending == "xml":
        return xml(path, text, pictures)
    if ending == "json":
        return from_json(path, text, pictures)
    if ending in ("csv", "tsv"):
        return table(name, text, pictures)
    return None


def named_after(picture: Picture, path: str) -> str:
    ending = path[path.rfind(".") :]
    return stem(picture.name) + ending


YOLO_LINE = re.compile(r"^\s*\d+(\s+-?\d*\.?\d+(e-?\d+)?){4,}\s*$", re.IGNORECASE)


def yolo(path: str, text: str, pictures: Pictures) -> list[Text] | None:
    lines = [line for line in text.splitlines() if line.strip()]
    found = pictures.beside(path)
    if not found or not all(YOLO_LINE.match(line) for line in lines):
        return None
    return [Text(named_after(one, path), "".join(yolo_line(line, one) for line in lines)) for one in found]


def yolo_line(line: str, picture: Picture) -> str:
    """Class, middle, width and height as shares; or class and the corners of an outline."""
    kind, *parts = line.split()
    numbers = [float(part) for part in parts]
    width, height = picture.before
    if len(numbers) == 4:
        x, y, across, down = numbers[0] * width, numbers[1] * height, numbers[2] * width, numbers[3] * height
        box = picture.box((x - across / 2, y - down / 2, x + across / 2, y + down / 2))
        if box is None:
            return ""
        left, top, right, bottom = box
        shares = [
            (left + right) / 2 / picture.size[0],
            (top + bottom) / 2 / picture.size[1],
            (right - left) / picture.size[0],
            (bottom - top) / picture.size[1],
        ]
        return f"{kind} {' '.join(f'{share:.6f}' for share in shares)}\n"
    points = [
        picture.point((x * width, y * height)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)
    ]
    inside = kept_points(points, picture)
    if inside is None:
        return ""
    shares = [part for x, y in inside for part in (x / picture.size[0], y / picture.size[1])]
    return f"{kind} {' '.join(f'{share:.6f}' for share in shares)}\n"


def kept_points(points: Sequence[Point], picture: Picture) -> list[Point] | None:
    """An outline held within the picture; None where none of its corners lies there."""
    width, height = picture.size
    if not any(0 <= x <= width and 0 <= y <= height for x, y in points):
        return None
    return [(min(max(x, 0.0), float(width)), min(max(y, 0.0), float(height))) for x, y in points]


def xml(path: str, text: str, pictures: Pictures) -> list[Text] | None:
    # Nothing of its own may be declared: that is how small texts unpack to large ones.
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise Trouble("labels_unread")
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise Trouble("labels_unread") from error
    if root.tag == "annotation":
        return voc(path, text, root, pictures)
    if root.tag == "annotations":
        return cvat(path, root, pictures)
    return None


def voc(path: str, text: str, root: ET.Element, pictures: Pictures) -> list[Text] | None:
    found = pictures.beside(path) or pictures.called(root.findtext("filename") or "")
    return [Text(named_after(one, path), voc_of(text, one)) for one in found] or None


# The standard counts pixels from 1, and a box's end is the last pixel in it.
def voc_of(text: str, picture: Picture) -> str:
    root = ET.fromstring(text)
    set_text(root, "filename", picture.name)
    set_text(root, "size/width", str(picture.size[0]))
    set_text(root, "size/height", str(picture.size[1]))
    for thing in root.findall("object"):
        sides = thing.find("bndbox")
        if sides is None:
            continue
        values = [float(sides.findtext(side) or "nan") for side in ("xmin", "ymin", "xmax", "ymax")]
        box = picture.box((values[0] - 1, values[1] - 1, values[2], values[3]))
        if box is None:
            root.remove(thing)
            continue
        written = (round(box[0]) + 1, round(box[1]) + 1, round(box[2]), round(box[3]))
        for side, value in zip(("xmin", "ymin", "xmax", "ymax"), written, strict=True):
            set_text(sides, side, str(value))
    return ET.tostring(root, encoding="unicode")


def set_text(root: ET.Element, place: str, text: str) -> None:
    found = root.find(place)
    if found is not None:
        found.text = text


def cvat(path: str, root: ET.Element, pictures: Pictures) -> list[Text]:
    made: list[ET.Element] = []
    for image in root.findall("image"):
        root.remove(image)
        for picture in pictures.called(image.get("name") or ""):
            made.append(cvat_image(image, picture, len(made)))
    root.extend(made)
    return [Text(path.rsplit("/", 1)[-1], ET.tostring(root, encoding="unicode"))]


def cvat_image(image: ET.Element, picture: Picture, number: int) -> ET.Element:
    folder = (image.get("name") or "").replace("\\", "/").rpartition("/")
    sides = {"width": str(picture.size[0]), "height": str(picture.size[1])}
    name = folder[0] + folder[1] + picture.name
    new = ET.Element("image", {**image.attrib, **sides, "id": str(number), "name": name})
    for shape in image:
        attributes = dict(shape.attrib)
        if shape.tag == "box":
            box = picture.box((*(float(attributes[side]) for side in ("xtl", "ytl", "xbr", "ybr")),))  # type: ignore[arg-type]
            if box is None:
                continue
            written = [f"{value:.2f}" for value in box]
            attributes |= dict(zip(("xtl", "ytl", "xbr", "ybr"), written, strict=True))
        elif "points" in attributes:
            corners = [pair.split(",") for pair in attributes["points"].split(";")]
            points = [picture.point((float(x), float(y))) for x, y in corners]
            inside = kept_points(points, picture)
            if inside is None:
                continue
            attributes["points"] = ";".join(f"{x:.2f},{y:.2f}" for x, y in inside)
        elif shape.tag not in ("tag",):
            raise Trouble("labels_unread")
        copied = ET.SubElement(new, shape.tag, attributes)
        copied.extend(list(shape))
    return new


def from_json(path: str, text: str, pictures: Pictures) -> list[Text] | None:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise Trouble("labels_unread") from error
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("images"), list) and isinstance(value.get("annotations"), list):
        return [Text(path.rsplit("/", 1)[-1], json.dumps(coco(value, pictures), ensure_ascii=False))]
    if isinstance(value.get("shapes"), list):
        found = pictures.beside(path) or pictures.called(str(value.get("imagePath", "")))
        return [
            Text(named_after(one, path), json.dumps(labelme(value, one), ensure_ascii=False)) for one in found
        ] or None
    return None


def coco(value: dict[str, Any], pictures: Pictures) -> dict[str, Any]:
    images: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    by_image: dict[Any, list[dict[str, Any]]] = {}
    for note in value["annotations"]:
        by_image.setdefault(note.get("image_id"), []).append(note)
    for image in value["images"]:
        for picture in pictures.called(str(image.get("file_name", ""))):
            number = len(images) + 1
            width, height = picture.size
            folder = str(image.get("file_name", "")).replace("\\", "/").rpartition("/")
            name = folder[0] + folder[1] + picture.name
            images.append({**image, "id": number, "file_name": name, "width": width, "height": height})
            for note in by_image.get(image.get("id"), []):
                moved = coco_note(note, picture)
                if moved is not None:
                    notes.append({**moved, "id": len(notes) + 1, "image_id": number})
    return {**value, "images": images, "annotations": notes}


def coco_note(note: dict[str, Any], picture: Picture) -> dict[str, Any] | None:
    made = dict(note)
    if "bbox" in note:
        x, y, across, down = (float(part) for part in note["bbox"])
        box = picture.box((x, y, x + across, y + down))
        if box is None:
            return None
        made["bbox"] = [box[0], box[1], box[2] - box[0], box[3] - box[1]]
        made["area"] = made["bbox"][2] * made["bbox"][3]
    outlines = note.get("segmentation")
    if isinstance(outlines, dict):
        raise Trouble("labels_packed")
    if isinstance(outlines, list):
        made["segmentation"] = [
            [part for place in inside for part in place]
            for outline in outlines
            if (inside := kept_points(moved_points(outline, picture), picture)) is not None
        ]
    if isinstance(note.get("keypoints"), list):
        made["keypoints"] = keypoints(note["keypoints"], picture)
    return made


def moved_points(outline: Sequence[float], picture: Picture) -> list[Point]:
    return [picture.point((float(x), float(y))) for x, y in zip(outline[::2], outline[1::2], strict=True)]


def keypoints(parts: Sequence[float], picture: Picture) -> list[float]:
    """x, y and whether it is seen; what lies outside is not labelled."""
    made: list[float] = []
    for x, y, seen in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        place = picture.point((float(x), float(y)))
        is_inside = seen and 0 <= place[0] <= picture.size[0] and 0 <= place[1] <= picture.size[1]
        made += [*place, seen] if is_inside else [0, 0, 0]
    return made


def labelme(value: dict[str, Any], picture: Picture) -> dict[str, Any]:
    shapes = []
    for shape in value["shapes"]:
        points = [picture.point((float(x), float(y))) for x, y in shape["points"]]
        inside = kept_points(points, picture)
        if shape.get("shape_type") == "circle" and not is_even(picture.matrix):
            raise Trouble("labels_circle")
        if inside is not None:
            shapes.append({**shape, "points": [list(place) for place in inside]})
    width, height = picture.size
    known = {"imagePath": picture.name, "imageData": None, "imageWidth": width, "imageHeight": height}
    return {**value, **known, "shapes": shapes}


def is_even(matrix: Matrix) -> bool:
    """Whether circles stay circles."""
    across, down = np.abs(matrix[:2, :2]).sum(axis=1)
    return bool(abs(across - down) < 1e-9)


# Headings by which tables tell boxes, as they are in wide use.
CORNERS = (
    ("x0", "y0", "x1", "y1"),
    ("x1", "y1", "x2", "y2"),
    ("xmin", "ymin", "xmax", "ymax"),
    ("x_min", "y_min", "x_max", "y_max"),
    ("left", "top", "right", "bottom"),
)
SIDES = (("x", "y", "width", "height"), ("x", "y", "w", "h"), ("left", "top", "width", "height"))


def table(name: str, text: str, pictures: Pictures) -> list[Text] | None:
    """Boxes move; other tables only follow names that changed."""
    first = text.split("\n", 1)[0]
    mark = max(",;\t", key=first.count)
    rows = list(csv.reader(io.StringIO(text), delimiter=mark))
    if len(rows) < 2:
        return None
    column = name_column(rows, pictures)
    if column is None:
        return None
    move = box_mover(rows[0])
    made = [rows[0]]
    for row in rows[1:]:
        found = pictures.called(row[column]) if column < len(row) else []
        if not found:
            made.append(row)
            continue
        for picture in found:
            moved = list(row) if move is None else move(row, picture)
            if moved is not None:
                folder = row[column].replace("\\", "/").rpartition("/")
                moved[column] = folder[0] + folder[1] + picture.name
                made.append(moved)
    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows(made)
    return [Text(name, out.getvalue())]


def name_column(rows: Sequence[Sequence[str]], pictures: Pictures) -> int | None:
    """The one that names pictures of the folder most often."""
    counts = [
        sum(bool(pictures.called(row[column])) for row in rows[1:201] if column < len(row))
        for column in range(len(rows[0]))
    ]
    best = max(range(len(counts)), key=lambda column: counts[column])
    return best if counts[best] > 0 else None


Mover = Callable[[Sequence[str], Picture], "list[str] | None"]


def box_mover(headings: Sequence[str]) -> Mover | None:
    places: Mapping[str, int] = {heading.strip().lower(): place for place, heading in enumerate(headings)}
    for names, is_side in [*((names, False) for names in CORNERS), *((names, True) for names in SIDES)]:
        if all(name in places for name in names):
            columns = [places[name] for name in names]
            return lambda row, picture: moved_row(row, picture, columns, is_side)
    return None


def moved_row(
    row: Sequence[str], picture: Picture, columns: Sequence[int], is_side: bool
) -> list[str] | None:
    made = list(row)
    cells = [row[column].strip() if column < len(row) else "" for column in columns]
    # A picture in which there is nothing has a line all the same.
    if all(cell == "" for cell in cells):
        return made
    try:
        x0, y0, x1, y1 = (float(cell) for cell in cells)
    except ValueError as error:
        raise Trouble("labels_unread") from error
    box = picture.box((x0, y0, x0 + x1, y0 + y1) if is_side else (x0, y0, x1, y1))
    if box is None:
        return None
    values = (box[0], box[1], box[2] - box[0], box[3] - box[1]) if is_side else box
    for column, value in zip(columns, values, strict=True):
        made[column] = f"{value:.2f}".rstrip("0").rstrip(".")
    return made
