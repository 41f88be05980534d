"""What names and the JSON beside files say of a series."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path

from neuroloom_engine.flow.files.found import Clock, File, Meaning, id_of
from neuroloom_engine.flow.files.naming import meaning_of
from neuroloom_engine.flow.files.sidecar import read_sidecar

# Name, role, direction, unit, VENC, what is unsure.
NAMES = [
    ("vx", "velocity", "+x", None, None, ""),
    ("V_y", "velocity", "+y", None, None, ""),
    ("w", "velocity", "+z", None, None, ""),
    ("MR_PCA_FH", "velocity", "FH", None, None, ""),
    ("MR_FFE_FH", "magnitude", None, None, None, ""),
    ("mag_u", "magnitude", None, None, None, ""),
    ("fl3d1_v150fh", "velocity", "FH", None, 1.5, ""),
    ("flow_AP_venc120", "velocity", "AP", None, 1.2, ""),
    ("VelocityX [cm/s]", "velocity", "+x", "cm/s", None, ""),
    ("velocity_head_foot mm/s", "velocity", "HF", "mm/s", None, ""),
    ("4DFlow_SI", "velocity", "HF", None, None, "direction"),
    ("phase_2", "velocity", None, None, None, "direction role"),
    ("Скорость_RL", "velocity", "RL", None, None, ""),
    ("скорость z", "velocity", "+z", None, None, ""),
    ("амплитуда", "magnitude", None, None, None, ""),
    ("маска", "unused", None, None, None, ""),
    ("流速x", "velocity", "+x", None, None, ""),
    ("幅值图", "magnitude", None, None, None, ""),
    ("血管分割", "unused", None, None, None, ""),
    ("Geschwindigkeit_rechts_links", "velocity", "RL", None, None, ""),
    ("vitesse_y", "velocity", "+y", None, None, ""),
    ("Betrag", "magnitude", None, None, None, ""),
    # The magnitude of a velocity is a speed.
    ("velocity_magnitude", "unused", None, None, None, "role"),
    ("vorticity_x", "unused", None, None, None, ""),
    ("aorta", "unused", None, None, None, "role"),
]


class NamesTest(unittest.TestCase):
    def test_names_in_several_languages(self) -> None:
        for name, role, direction, unit, venc, unsure in NAMES:
            with self.subTest(name=name):
                wanted = Meaning(role, direction, unit, venc, frozenset(unsure.split()))
                self.assertEqual(meaning_of(name), wanted)

    def test_json_beside_a_file_says_it_better(self) -> None:
        known = Meaning("velocity", None, None, None, frozenset({"direction"}))
        cases = [
            ({"VENC": 1.2, "Units": "m/s", "Direction": "-z"}, Meaning("velocity", "-z", "m/s", 1.2)),
            ({"venc_cm_s": 80, "direction": "rl"}, Meaning("velocity", "RL", None, 0.8)),
            ({"VENC": 15}, Meaning("velocity", None, None, 0.15, frozenset({"direction", "venc"}))),
            ({"venc": [100, 100, 200]}, Meaning("velocity", None, None, 2.0, frozenset({"direction"}))),
            ({"venc": -1, "units": 5, "direction": None}, known),
        ]
        for raw, wanted in cases:
            with self.subTest(raw=raw):
                self.assertEqual(self.beside(raw).meaning(known, 2), wanted)

    def test_json_tells_times_beat_and_maker(self) -> None:
        cases = [
            ({"dt_s": 0.05, "period_s": 1.0}, Clock((0.0, 0.05, 0.1), 1.0)),
            ({"TriggerTimes": [5, 45, 90], "HeartRate": 80}, Clock((0.005, 0.045, 0.09), 0.75)),
            ({"times": [0, 0.2, 0.1], "RRInterval_ms": 900}, Clock(None, 0.9)),
            ({"times": ["a", 1, 2], "Gating": "Retrospective ECG"}, Clock(None, None, "retrospective")),
        ]
        for raw, wanted in cases:
            with self.subTest(raw=raw):
                self.assertEqual(self.beside(raw).clock(Clock(), 3), wanted)
        self.assertEqual(self.beside({"Manufacturer": "GE MEDICAL SYSTEMS"}).vendor, "ge")
        self.assertEqual(self.beside({"Manufacturer": "Unknown"}).vendor, None)

    def test_ids_are_short_and_the_same_for_the_same_name(self) -> None:
        long = "папка/" * 60 + "vx.nii"
        self.assertEqual(id_of(long, "1"), id_of(long, "1"))
        self.assertNotEqual(id_of(long, "1"), id_of(long, "2"))
        for name in (long, "🫀" * 300, "a" * 200):
            self.assertLessEqual(len(id_of(name).encode("utf-16-le")) // 2, 200)

    def beside(self, raw: dict):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "a.json")
            path.write_text(json.dumps(raw))
            return read_sidecar(File(path, "a.json"))


if __name__ == "__main__":
    unittest.main()
