# SPDX-License-Identifier: GPL-3.0-or-later
"""redis-py's Lock: one that is held for a while, one without an end, and one that somebody waits for.

Commands: count, renew, extend SECONDS and release (of the first), release_endless, foreign (releases the
first for one who does not hold it), wait (another client waits for the second), joined (returns when it
has it).
"""

import sys
import threading
import time

import redis

import scenario

client = redis.Redis(unix_socket_path=scenario.SOCKET)
held = client.lock(scenario.PREFIX + "invoice:42", timeout=600)
endless = client.lock(scenario.PREFIX + "nightly-report", timeout=None)
# Its token is not to be seen by one thread alone.
waiting = client.lock(
    scenario.PREFIX + "nightly-report", timeout=30, sleep=0.05, thread_local=False
)
waiter = None


def count():
    return {
        "held": held.owned(),
        "token": held.local.token.decode() if held.local.token else None,
        "acquired_s": acquired_s,
        "endless": endless.owned(),
        "waiter_has_it": waiter is not None and not waiter.is_alive() and waiting.owned(),
    }


def wait():
    global waiter
    waiter = threading.Thread(target=waiting.acquire, kwargs={"blocking_timeout": 20}, daemon=True)
    waiter.start()


def joined():
    waiter.join()


def release(lock=held):
    token = lock.local.token.decode()
    lock.release()
    return {"id": token}


def extend(seconds):
    held.extend(float(seconds), replace_ttl=True)
    return {"id": held.local.token.decode()}


def renew():
    held.reacquire()
    return {"id": held.local.token.decode()}


def foreign():
    other = client.lock(held.name, timeout=600)
    other.local.token = b"0" * 32
    try:
        other.release()
        sys.exit("it was released")
    except redis.exceptions.LockNotOwnedError:
        pass


assert held.acquire() and endless.acquire()
acquired_s = time.time()
scenario.serve(
    count,
    renew=renew,
    extend=extend,
    release=release,
    release_endless=lambda: release(endless),
    foreign=foreign,
    wait=wait,
    joined=joined,
)
