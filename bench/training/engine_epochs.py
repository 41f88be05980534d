"""The engine's seconds per epoch, read from the events of a run: the counterpart of `plain_loop.py`.

`python bench/training/engine_epochs.py <events.ndjson>` prints `{"train": [...], "validation": [...]}`.
An epoch's training ends with its `metrics` event of part `train`; validation, preview and checkpoint up to
the next epoch count as validation.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main(path: Path) -> None:
    events: list[dict[str, Any]] = [json.loads(line) for line in path.read_text().splitlines()]
    seconds: dict[str, list[float]] = {"train": [], "validation": []}
    since: float | None = None
    for event in events:
        is_between = len(seconds["train"]) == len(seconds["validation"])
        if event["type"] == "phase" and event["phase"] == "training":
            since = event["t"]
        elif event["type"] == "metrics" and event["split"] in seconds and since is not None:
            seconds[event["split"]].append((event["t"] - since) / 1000)
            since = event["t"]
        elif event["type"] in ("preview", "checkpoint") and is_between and since is not None:
            seconds["validation"][-1:] = [seconds["validation"][-1] + (event["t"] - since) / 1000]
            since = event["t"]
    print(json.dumps(seconds))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
