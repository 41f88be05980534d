import re
import tempfile
import unittest
from pathlib import Path

import numpy as np

from neuroloom_engine.flow.gallery import GALLERY, made
from neuroloom_engine.flow.known import measure
from neuroloom_engine.spec import SpecError

from .make import ENGINE
from .make_flow import study as read


class KnownTest(unittest.TestCase):
    def setUp(self) -> None:
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.path = Path(room.name) / "study.safetensors"

    def test_every_flow_of_the_gallery_is_written_as_it_was_measured(self) -> None:
        for name in GALLERY:
            with self.subTest(name):
                head = measure(name, {"side": 16, "frames": 2, "snr": 20}, self.path)
                told, velocity, magnitude = read(self.path)
                self.assertEqual(told, head)
                self.assertEqual((head["size"], head["frames"], head["source"]), ([16, 16, 16], 2, "phantom"))
                study = made(name, shape=(16, 16, 16), frames=2, snr=20.0).study
                off = np.abs(velocity - study.velocity).max()
                self.assertLessEqual(off, head["velocityScale"] * 0.501)
                share = magnitude / magnitude.max() - study.magnitude / study.magnitude.max()
                self.assertLess(np.abs(share).max(), 1 / 32_767)

    def test_what_is_asked_of_the_scan_is_in_its_own_units(self) -> None:
        scan = {"side": 16, "spacing": 1.8, "frames": 3, "venc": 45, "snr": 100}
        head = measure("poiseuille", scan, self.path)
        _, velocity, _ = read(self.path)
        self.assertEqual(head["spacing"], [1.8, 1.8, 1.8])
        self.assertEqual(head["affine"][1], [0.0, 1.8, 0.0, 0.0])
        self.assertEqual(head["venc"], [0.45, 0.45, 0.45])
        self.assertEqual(len(head["times"]), 3)
        # Without noise nothing moves outside of the tube.
        self.assertEqual(np.abs(velocity[:, :, 0, 0, 0]).max(), 0)

    def test_the_same_words_give_the_same_bytes_and_others_another_sum(self) -> None:
        head = measure("thorax", {"side": 16, "frames": 2}, self.path)
        before = self.path.read_bytes()
        self.assertEqual(measure("thorax", {"side": 16, "frames": 2}, self.path), head)
        self.assertEqual(self.path.read_bytes(), before)
        self.assertNotEqual(
            measure("thorax", {"side": 16, "frames": 3}, self.path)["sources"], head["sources"]
        )

    def test_the_contract_offers_the_whole_gallery(self) -> None:
        told = (ENGINE.parent / "contract/src/flow/named.ts").read_text()
        (names,) = re.findall(r"phantoms = \[(.*?)\]", told, re.DOTALL)
        self.assertEqual(sorted(re.findall(r"'(\w+)'", names)), sorted(GALLERY))

    def test_a_flow_that_nobody_knows(self) -> None:
        with self.assertRaises(SpecError):
            measure("river", {}, self.path)
