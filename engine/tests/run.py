"""`python -m tests.run [--long] [names]` in engine/: tests, one process a core; one JSON line a file."""

from __future__ import annotations

import io
import json
import os
import sys
import time
import unittest
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent


def main(words: list[str]) -> int:
    names = [word for word in words if word != "--long"]
    pattern = "long_*.py" if "--long" in words else "test_*.py"
    files = sorted(TESTS.glob(pattern), key=lambda file: -file.stat().st_size)
    chosen = [file.stem for file in files if not names or file.stem in names]
    workers = max(1, min(os.cpu_count() or 1, len(chosen)))
    # Several processes want the same cores: threads that wait sleep, instead of holding one busy.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    is_good = bool(chosen)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(run_file, name) for name in chosen]):
            result = future.result()
            sys.stderr.write(result.pop("text"))
            print(json.dumps(result), flush=True)
            is_good = is_good and not result["failed"]
    return 0 if is_good else 1


class Result(unittest.TextTestResult):
    """Keeps the names of the tests that passed, too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.passed: list[str] = []

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.passed.append(str(test))


def run_file(name: str) -> dict[str, Any]:
    """Counts, passed and failed tests by name, seconds, and what is to be read of the failures."""
    start = time.perf_counter()
    suite = unittest.defaultTestLoader.loadTestsFromName(f"tests.{name}")
    text = io.StringIO()
    result = unittest.TextTestRunner(text, verbosity=0, resultclass=Result).run(suite)
    assert isinstance(result, Result)
    failed = [failure(test, trace) for test, trace in result.failures + result.errors]
    failed += [failure(test, "passed, though it should fail") for test in result.unexpectedSuccesses]
    seconds = time.perf_counter() - start
    sys.stderr.write(f"{name}: {result.testsRun} tests in {seconds:.1f} s\n")
    return {
        "file": f"{name}.py",
        "ran": result.testsRun,
        "skipped": len(result.skipped),
        "passed": result.passed,
        "failed": failed,
        "seconds": seconds,
        "text": text.getvalue() if failed else "",
    }


def failure(test: Any, trace: str) -> dict[str, str | None]:
    """Name and last line of the traceback; no name where the hook of a class or of the file failed."""
    # A subtest belongs to its test, which alone is told to have passed.
    case = getattr(test, "test_case", test)
    name = str(case) if isinstance(case, unittest.TestCase) and not is_import(case) else None
    lines = trace.strip().splitlines() or [""]
    return {"name": name, "message": lines[-1] if name else f"{test}: {lines[-1]}"}


def is_import(case: unittest.TestCase) -> bool:
    """Whether it stands for a file that could not be imported."""
    return type(case).__module__ == "unittest.loader"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
