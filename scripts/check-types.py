#!/usr/bin/env python3
"""Runs a command and says how long it took and how much memory its largest process had."""

import os
import resource
import subprocess
import sys
import time

start = time.monotonic()
# Nothing is built upon this compilation, so nothing is kept for the next one: a third less time.
status = subprocess.run(sys.argv[1:], env={**os.environ, "CARGO_INCREMENTAL": "0"}, check=False).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
memory = usage.ru_maxrss / (2**30 if sys.platform == "darwin" else 2**20)
if status == 0:
    seconds = time.monotonic() - start
    cpu = usage.ru_utime + usage.ru_stime
    print(f"typed modules of all services compile: {seconds:.0f} s ({cpu:.0f} s of CPU time), at most {memory:.1f} GiB")
sys.exit(status)
