"""Boxes and points go where their pictures go, in each form that they come in."""

from __future__ import annotations

import json
import unittest
import xml.etree.ElementTree as ET

import numpy as np

from neuroloom_engine.recipe.frame import Trouble
from neuroloom_engine.recipe.labels import Picture, Pictures, relabel

HALF = np.diag([0.5, 0.5, 1.0])
# The left upper quarter.
CUT = np.eye(3)


def picture(path: str = "images/a b.png", matrix: np.ndarray = HALF, **values: object) -> Picture:
    known = {"name": "a b.png", "is_exact": True, "before": (100, 80), "size": (50, 40)}
    return Picture(path=path, matrix=matrix, **(known | values))  # type: ignore[arg-type]


def one(path: str, content: str, *pictures: Picture) -> str:
    texts = relabel(path, content.encode(), Pictures(pictures or (picture(),)))
    assert texts is not None and len(texts) == 1, texts
    return texts[0].content


class LabelsTest(unittest.TestCase):
    def test_yolo_shares_are_of_the_new_picture(self) -> None:
        text = "3 0.5 0.5 0.2 0.1\n0 0.9 0.9 0.1 0.1\n"
        self.assertEqual(
            one("labels/a b.txt", text),
            "3 0.500000 0.500000 0.200000 0.100000\n0 0.900000 0.900000 0.100000 0.100000\n",
        )
        # Cut to the left upper quarter: half of the first is left, nothing of the second.
        self.assertEqual(
            one("labels/a b.txt", text, picture(matrix=CUT)), "3 0.900000 0.950000 0.200000 0.100000\n"
        )

    def test_a_yolo_outline_follows_corner_by_corner(self) -> None:
        flipped = np.array([[-1.0, 0, 100], [0, 1, 0], [0, 0, 1]])
        made = one("a b.txt", "1 0.1 0.1 0.2 0.1 0.2 0.3", picture(matrix=flipped, size=(100, 80)))
        self.assertEqual(made.split()[1:3], ["0.900000", "0.100000"])

    def test_pascal_voc_counts_from_one_and_tells_the_new_size(self) -> None:
        text = (
            "<annotation><filename>a b.png</filename>"
            "<size><width>100</width><height>80</height><depth>3</depth></size>"
            "<object><name>cell</name><bndbox><xmin>11</xmin><ymin>21</ymin>"
            "<xmax>30</xmax><ymax>40</ymax></bndbox></object>"
            "</annotation>"
        )
        root = ET.fromstring(one("xml/a b.xml", text))
        sides = [root.findtext(f"object/bndbox/{side}") for side in ("xmin", "ymin", "xmax", "ymax")]
        self.assertEqual((sides, root.findtext("size/width")), (["6", "11", "15", "20"], "50"))

    def test_coco_follows_with_outlines_and_keypoints(self) -> None:
        value = {
            "images": [{"id": 7, "file_name": "images/a b.png", "width": 100, "height": 80}],
            "annotations": [
                {
                    "id": 1,
                    "image_id": 7,
                    "category_id": 2,
                    "bbox": [10, 20, 20, 20],
                    "segmentation": [[10, 20, 30, 20, 30, 40]],
                    "keypoints": [12, 22, 2, 0, 0, 0],
                }
            ],
            "categories": [{"id": 2, "name": "cell"}],
        }
        made = json.loads(one("instances.json", json.dumps(value)))
        self.assertEqual(made["images"][0]["width"], 50)
        self.assertEqual(made["annotations"][0]["bbox"], [5, 10, 10, 10])
        self.assertEqual(made["annotations"][0]["segmentation"], [[5, 10, 15, 10, 15, 20]])
        self.assertEqual(made["annotations"][0]["keypoints"], [6, 11, 2, 0, 0, 0])
        value["annotations"][0]["segmentation"] = {"counts": "abc", "size": [80, 100]}  # type: ignore[index]
        with self.assertRaises(Trouble) as caught:
            one("instances.json", json.dumps(value))
        self.assertEqual(caught.exception.reason, "labels_packed")

    def test_labelme_cvat_and_tables_follow(self) -> None:
        shapes = [{"label": "x", "points": [[10, 20], [30, 40]], "shape_type": "rectangle"}]
        made = json.loads(
            one("a b.json", json.dumps({"imagePath": "a b.png", "imageData": "…", "shapes": shapes}))
        )
        self.assertEqual((made["shapes"][0]["points"], made["imageData"]), ([[5, 10], [15, 20]], None))
        text = (
            '<annotations><image id="4" name="a b.png" width="100" height="80">'
            '<box label="x" xtl="10" ytl="20" xbr="30" ybr="40"/>'
            '<polygon label="y" points="10,20;30,20;30,40"/>'
            "</image></annotations>"
        )
        root = ET.fromstring(one("annotations.xml", text))
        self.assertEqual(root.find("image/box").get("xbr"), "15.00")  # type: ignore[union-attr]
        outline = root.find("image/polygon").get("points")  # type: ignore[union-attr]
        self.assertEqual(outline, "5.00,10.00;15.00,10.00;15.00,20.00")
        table = "file;xmin;ymin;xmax;ymax;class\na b.png;10;20;30;40;x\nother.png;1;2;3;4;y\n"
        self.assertEqual(
            one("boxes.csv", table),
            "file;xmin;ymin;xmax;ymax;class\na b.png;5;10;15;20;x\nother.png;1;2;3;4;y\n",
        )

    def test_tables_follow_new_names_and_tiles(self) -> None:
        tiles = [picture(name=f"a b__{number}.png", matrix=CUT) for number in (1, 2)]
        texts = relabel("classes.csv", "имя,класс\na b.png,опухоль\n".encode(), Pictures(tiles))
        assert texts is not None
        self.assertEqual(texts[0].content, "имя,класс\na b__1.png,опухоль\na b__2.png,опухоль\n")

    def test_what_says_nothing_of_boxes_stays(self) -> None:
        for path, content in (
            ("notes.txt", b"hello"),
            ("x.json", b"[1]"),
            ("y.csv", b"a,b\n1,2\n"),
            ("z.txt", b"\xff\xfe"),
        ):
            self.assertIsNone(relabel(path, content, Pictures([picture()])), path)

    def test_what_cannot_be_exact_or_is_a_trap_is_refused(self) -> None:
        with self.assertRaises(Trouble) as caught:
            one("a b.txt", "1 0.1 0.1 0.2 0.1", picture(is_exact=False))
        self.assertEqual(caught.exception.reason, "labels_turned")
        with self.assertRaises(Trouble) as caught:
            one("a b.xml", '<!DOCTYPE a [<!ENTITY b "c">]><annotation>&b;</annotation>')
        self.assertEqual(caught.exception.reason, "labels_unread")
