# SPDX-License-Identifier: GPL-3.0-or-later
"""Celery: two queues with tasks that wait, in two priorities, and a worker that holds some of them.

Commands: die (the worker is killed), age SECONDS (as if what it holds had been delivered so long
before), work (another worker works until the queues are empty), restore (what it held is back in its
queues, as kombu does it once its time is over), reject (a task that it held), add (another task), count.
"""

import json
import os
import sys
import time

import redis
from celery import Celery
from kombu import Queue

import scenario

QUEUE = "celery" if not scenario.PREFIX else "beta"
OTHER = "mails"

app = Celery("celery_queue", broker=f"redis+socket://{scenario.SOCKET}")
app.conf.update(
    task_default_queue=QUEUE,
    task_queues=[Queue(QUEUE), Queue(OTHER)],
    task_acks_late=True,
    worker_prefetch_multiplier=2,
    worker_concurrency=1,
    broker_transport_options={
        "visibility_timeout": 3600,
        "global_keyprefix": scenario.PREFIX,
        # As Celery's own documentation has it: lists for four steps of priority.
        "priority_steps": [0, 3, 6, 9],
        "unacked_restore_limit": 1,
    },
)

connection = redis.Redis(unix_socket_path=scenario.SOCKET)


@app.task(name="celery_queue.greet")
def greet(name):
    return f"hello {name}"


@app.task(name="celery_queue.prove")
def prove(*args, **kwargs):
    connection.rpush("proof", json.dumps([args, kwargs]))


@app.task(name="celery_queue.long_task")
def long_task():
    # The worker that is to die takes its time; the one that comes after it does not.
    if os.environ.get("HANG"):
        time.sleep(600)


def channel():
    return app.connection_for_read().channel()


def unacked():
    return connection.hlen(scenario.PREFIX + "unacked")


def count():
    with app.connection_for_read() as broker:
        sizes = {name: broker.channel()._size(name) for name in (QUEUE, OTHER)}
    return {
        "queue": QUEUE,
        "other": OTHER,
        "ready": sizes[QUEUE],
        "other_ready": sizes[OTHER],
        "unacked": unacked(),
        "long": long.id,
        "eta": later.id,
    }


def age(seconds):
    key = scenario.PREFIX + "unacked_index"
    for tag, _ in connection.zrange(key, 0, -1, withscores=True):
        connection.zincrby(key, -float(seconds), tag)


def restore():
    with app.connection_for_read() as broker:
        qos = broker.channel().qos
        for tag in connection.zrevrange(scenario.PREFIX + "unacked_index", 0, -1):
            tag = tag.decode()
            # What is due later has to wait.
            if later.id not in connection.hget(scenario.PREFIX + "unacked", tag).decode():
                qos.restore_by_tag(tag)


def reject():
    with app.connection_for_read() as broker:
        tag = connection.zrange(scenario.PREFIX + "unacked_index", 0, 0)[0].decode()
        task = json.loads(connection.hget(scenario.PREFIX + "unacked", tag))[0]
        broker.channel().qos.reject(tag)
    return {"id": task["headers"]["id"]}


def add():
    greet.delay("Kurt")


def work():
    workers.start()
    scenario.until(lambda: count()["ready"] + count()["other_ready"] == 0, "nobody took the tasks")
    # What is left is due in an hour.
    scenario.until(lambda: unacked() == 1, "tasks are not done")
    workers.kill()


if len(sys.argv) > 2 and sys.argv[2] == "worker":
    app.worker_main(
        ["worker", "--pool", "prefork", "--loglevel", "warning", "--without-mingle"]
        + ["--without-gossip", "--hostname", os.environ.get("WORKER_NAME", "second@host")]
    )
    sys.exit()

workers = scenario.Workers()
workers.start(HANG="1", WORKER_NAME="first@host")
long = long_task.apply_async()
scenario.until(lambda: unacked() == 1, "no worker took the task")
later = greet.apply_async(("Tony",), countdown=3600)
scenario.until(lambda: unacked() == 2, "the worker does not hold the task that is due later")
# It prefetches one besides: two, as many as its multiplier says, and one for the task that is due later.
for name in ("Alan", "Barbara"):
    greet.delay(name)
scenario.until(lambda: unacked() == 3, "the worker does not prefetch")
for name in ("Edsger", "Niklaus", "Donald"):
    greet.delay(name)
greet.apply_async(("Grace",), priority=9)
greet.apply_async(("Ada",), queue=OTHER)

try:
    scenario.serve(count, die=workers.kill, age=age, work=work, restore=restore, reject=reject,
                   add=add)
finally:
    workers.kill()
