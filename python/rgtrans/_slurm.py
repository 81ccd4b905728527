"""An array of a Slurm cluster, each task of which does one part of a command in a folder on a shared disk."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Mapping

from ._errors import Error, UsageError

_LOOK = 1.0  # seconds between two looks at the results of the tasks


def run_array(folder: Path, command: Mapping[str, Any], parts: int, jobs: int, shown: bool, go_on: Callable[[], bool]) -> None:
    """Submits the parts and waits for them. A task whose node fails is started again. As soon as ``go_on`` is false, or an
    exception ends the wait, the array is cancelled."""
    options, script = folder / "parts.json", folder / "parts.sbatch"
    options.write_text(json.dumps(command))
    script.write_text("\n".join([
        "#!/bin/bash",
        f"#SBATCH --job-name=rgtrans-{command['command']}",
        f"#SBATCH --array=1-{parts}",
        f"#SBATCH --cpus-per-task={jobs}",
        "#SBATCH --requeue",
        "#SBATCH --open-mode=append",
        f"#SBATCH --output={folder}/part-%a.log",
        f"#SBATCH --chdir={os.getcwd()}",
        f'exec {shlex.quote(sys.executable)} -m rgtrans.scale @{shlex.quote(str(options))} "$SLURM_ARRAY_TASK_ID/{parts}"',
    ]) + "\n")
    try:
        # A group of its own: Ctrl-C is for this process, which cancels the array.
        waiting = subprocess.Popen(["sbatch", "--parsable", "--wait", str(script)], stdout=subprocess.PIPE, text=True,
                                   start_new_session=True)
    except FileNotFoundError:
        raise UsageError("sbatch is not installed", hint="Debian: slurm-client") from None
    assert waiting.stdout
    job = waiting.stdout.readline().strip().partition(";")[0]
    if shown and job:
        print(f"waiting for {parts} tasks of job {job} ({script})", file=sys.stderr, flush=True)
    ended = False
    try:
        while not ended and go_on():
            try:
                waiting.wait(_LOOK)
                ended = True
            except subprocess.TimeoutExpired:
                pass
    finally:
        if not ended and job:
            subprocess.run(["scancel", job], check=False)
            waiting.wait()
    if ended and waiting.returncode:
        raise Error(f"a task of the array failed; its messages are in {folder}/part-*.log")
