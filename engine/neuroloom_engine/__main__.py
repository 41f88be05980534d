"""The command line: `serve [--light]` says ready, waits for one run command, runs it, exits with its code.

`--light` (or `check` instead of `serve`) skips importing torch, for runs of kind `check`. `look` lets images
flow through networks, one folder a line, until its input closes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .control import Control, parse_command
from .events import private_stdout
from .failures import BAD_SPEC, DONE
from .runner import run_folder


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in ("serve", "check", "look"):
        print(__doc__, file=sys.stderr)
        return BAD_SPEC
    emitter = private_stdout()
    control = Control()
    control.watch_signals()
    if arguments == ["look"]:
        from .look import serve

        return serve(emitter)
    if arguments == ["serve"]:
        warm_up()
    emitter.ready()
    line = sys.stdin.buffer.readline()
    command = parse_command(line)
    if command.get("command") != "run" or not isinstance(command.get("folder"), str):
        return BAD_SPEC if line else DONE
    return run_folder(Path(command["folder"]), emitter, control)


def warm_up() -> None:
    """Imports all that a run needs, so that a waiting process starts its first step at once."""
    from . import check, test, train
    from .inference import apply

    assert check and test and train and apply


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stderr.flush()
    # The command thread still waits on standard input; an ordinary exit would wait for it or fail on
    # its lock.
    os._exit(code)
