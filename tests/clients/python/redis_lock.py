# SPDX-License-Identifier: GPL-3.0-or-later
"""redis-py's Lock: one that is held for a while, one without an end, and one that somebody waits for.

Commands: count, renew and release (of the first), wait (another client waits for the second),
joined (returns when it has it).
"""

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


def release():
    token = held.local.token.decode()
    held.release()
    return {"id": token}


assert held.acquire() and endless.acquire()
acquired_s = time.time()
scenario.serve(count, renew=lambda: held.reacquire(), wait=wait, joined=joined,
               release=release)
