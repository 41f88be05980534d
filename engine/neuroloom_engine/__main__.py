"""The command line: `serve [--light]` says ready, waits for one run command, runs it, exits with its code.

`--light` (or `check` instead of `serve`) skips importing torch, for runs of kind `check`, `prepare`
and `flow`.
`look` lets images flow through networks, `try` tries recipes, `examine` looks at images with their masks,
`masks` joins and measures masks, `vary` shows random changes of training and `inspect` looks into weights,
one folder a line, until its input closes.
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
    if not arguments or arguments[0] not in (
        "serve",
        "check",
        "look",
        "try",
        "examine",
        "masks",
        "vary",
        "inspect",
    ):
        print(__doc__, file=sys.stderr)
        return BAD_SPEC
    emitter = private_stdout()
    control = Control()
    control.watch_signals()
    if arguments == ["look"]:
        from .look import serve

        return serve(emitter)
    if arguments == ["try"]:
        from .recipe.trial import serve as serve_folders
        from .recipe.trial import trial

        return serve_folders(emitter, trial)
    if arguments == ["examine"]:
        from .recipe.examine import examine
        from .recipe.trial import serve as serve_folders

        return serve_folders(emitter, examine)
    if arguments == ["masks"]:
        from .recipe.mask_answers import answer
        from .recipe.trial import serve as serve_folders

        return serve_folders(emitter, answer)
    if arguments == ["inspect"]:
        from .recipe.trial import serve as serve_folders
        from .weights.inspected import inspect

        return serve_folders(emitter, inspect)
    if arguments == ["vary"]:
        from .recipe.trial import serve as serve_folders
        from .varied import vary

        return serve_folders(emitter, vary)
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
