"""What no program can help: memory and disks that are full end a run by a name that says what to do."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import torch

from neuroloom_engine.failures import INTERNAL, MEMORY, as_failure

from .make import make_run, of_type, run_here

FULL = Path("/dev/full")


class FailuresTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_memory_that_is_not_there_asks_for_half_the_batch(self) -> None:
        with self.assertRaises(RuntimeError) as caught:
            torch.empty(2**55)
        failure = as_failure(caught.exception, batch_size=16)
        self.assertEqual(
            (failure.code, failure.data, failure.exit_code), ("out_of_memory", {"tryBatch": 8}, MEMORY)
        )
        self.assertEqual(as_failure(MemoryError(), batch_size=1).data, {"tryBatch": 1})
        on_device = RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        self.assertEqual(as_failure(on_device, batch_size=None).code, "out_of_memory")

    @unittest.skipUnless(FULL.exists(), "this system has no device that is always full")
    def test_a_disk_that_fills_up_during_training_ends_the_run_by_its_name(self) -> None:
        folder = make_run(self.folder / "run", "segmentation", epochs=2)
        (folder / "out" / "previews").mkdir(parents=True)
        # The first picture that training saves goes where there is no room.
        (folder / "out" / "previews" / "0-0001-0.png").symlink_to(FULL)
        exit_code, events = run_here(folder)
        (error,) = of_type(events, "error")
        self.assertEqual((error["code"], error["data"]), ("disk_full", {}))
        self.assertEqual((events[-1]["state"], exit_code), ("failed", INTERNAL))


if __name__ == "__main__":
    unittest.main()
