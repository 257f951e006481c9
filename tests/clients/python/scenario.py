# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scenarios share.

A scenario is a program that uses a real library on the server whose unix socket LOCKKEEPER_CLIENT_SOCKET names,
under the prefix that is its first argument. It writes one line of JSON once everything is set up,
and one for each command that it reads: what the library itself counts. It ends with its input.
"""

import json
import os
import signal
import subprocess
import sys
import time

SOCKET = os.environ["LOCKKEEPER_CLIENT_SOCKET"]
PREFIX = sys.argv[1] if len(sys.argv) > 1 else ""
PATIENCE_S = 30


def until(condition, what):
    """Waits until the library says so."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"timed out: {what}")
        time.sleep(0.02)


def kill_tree(pid):
    """Kills a process and those that it started, as a machine that loses its power does."""
    os.kill(pid, signal.SIGSTOP)
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = [int(child) for child in file.read().split()]
    except OSError:
        children = []
    os.kill(pid, signal.SIGKILL)
    for child in children:
        try:
            kill_tree(child)
        except ProcessLookupError:
            pass


class Workers:
    """Worker processes of the scenario, each gone with it."""

    def __init__(self):
        self.processes = []

    def start(self, *arguments, **environment):
        process = subprocess.Popen(
            # Gone with this process, even if it is killed.
            ["setpriv", "--pdeathsig", "KILL", sys.executable]
            + [os.path.abspath(sys.argv[0]), PREFIX, "worker", *arguments],
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if os.environ.get("SCENARIO_LOUD") else subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def kill(self):
        for process in self.processes:
            if process.poll() is None:
                kill_tree(process.pid)
            process.wait()
        self.processes.clear()


def serve(count, **commands):
    """Tells what the library counts now and after each command, and what that returned."""
    commands["count"] = lambda: None
    print(json.dumps(count()), flush=True)
    for line in sys.stdin:
        name, *arguments = line.split()
        told = commands[name](*arguments)
        print(json.dumps({**count(), **(told or {})}), flush=True)
