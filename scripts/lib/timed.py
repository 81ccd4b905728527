#!/usr/bin/env python3
"""Runs a compiler and adds a line to a log: its processor time, and the source. scripts/bench build and .ci/run read it.

    timed.py LOG COMPILER ARGUMENT…      as -DCCACHE="/…/timed.py;LOG" or -DCCACHE="/…/timed.py;LOG;ccache"
"""
import resource
import subprocess
import sys

log, command = sys.argv[1], sys.argv[2:]
code = subprocess.call(command)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
source = [word for word in command if word.endswith((".cpp", ".cxx"))]
with open(log, "a") as file:
    file.write("%.2f\t%s\n" % (usage.ru_utime + usage.ru_stime, source[-1] if source else "?"))
sys.exit(code)
