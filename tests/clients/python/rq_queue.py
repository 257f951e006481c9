# SPDX-License-Identifier: GPL-3.0-or-later
"""RQ: a queue with jobs in each of its registries and a worker in the middle of one.

Commands: die (the worker is killed), age ID (as if its heartbeat were two minutes old), work (another
worker works until the queue is empty), count.
"""

import json
import os
import sys
import time
from datetime import timedelta

import redis
import rq
import rq.registry
import rq.suspension
import rq.worker_registration
from rq import Queue, Worker
from rq.job import Job, JobStatus

import scenario

QUEUE = "default" if not scenario.PREFIX else "mails.high"

# RQ has no option for it: those who share a server set its class attributes.
if scenario.PREFIX:
    P = scenario.PREFIX
    Queue.redis_queue_namespace_prefix = P + Queue.redis_queue_namespace_prefix
    Queue.redis_queues_keys = P + Queue.redis_queues_keys
    Job.redis_job_namespace_prefix = P + Job.redis_job_namespace_prefix
    Worker.redis_worker_namespace_prefix = P + Worker.redis_worker_namespace_prefix
    Worker.redis_workers_keys = P + Worker.redis_workers_keys
    rq.worker_registration.REDIS_WORKER_KEYS = P + rq.worker_registration.REDIS_WORKER_KEYS
    rq.worker_registration.WORKERS_BY_QUEUE_KEY = P + rq.worker_registration.WORKERS_BY_QUEUE_KEY
    for registry in (
        rq.registry.StartedJobRegistry,
        rq.registry.FinishedJobRegistry,
        rq.registry.FailedJobRegistry,
        rq.registry.DeferredJobRegistry,
        rq.registry.ScheduledJobRegistry,
        rq.registry.CanceledJobRegistry,
    ):
        registry.key_template = P + registry.key_template

connection = redis.Redis(unix_socket_path=scenario.SOCKET)
queue = Queue(QUEUE, connection=connection)


def greet(name):
    return f"hello {name}"


def fail(why):
    raise ValueError(why)


def prove(*args, **kwargs):
    connection.rpush("proof", json.dumps([args, kwargs]))


def long_job():
    # The worker that is to die takes its time; the one that comes after it does not.
    if os.environ.get("HANG"):
        time.sleep(600)


def retried():
    raise ConnectionError("mail server is down")


def ran_ms(job_id):
    job = Job.fetch(job_id, connection=connection)
    return (job.ended_at - job.started_at) / timedelta(milliseconds=1)


def count():
    return {
        "queue": QUEUE,
        "queued": queue.count,
        # Its own count would tidy up first, and take what the dead worker left.
        "started": connection.zcard(queue.started_job_registry.key),
        "finished": queue.finished_job_registry.count,
        "failed": queue.failed_job_registry.count,
        "deferred": queue.deferred_job_registry.count,
        "scheduled": queue.scheduled_job_registry.count,
        "canceled": queue.canceled_job_registry.count,
        "workers": [w.name for w in Worker.all(queue=queue)],
        "long": long.id,
        "long_status": long.get_status(),
        "suspended": bool(connection.exists(rq.suspension.WORKERS_SUSPENDED)),
        "failed_ids": queue.failed_job_registry.get_job_ids(),
        "ran_ms": sorted(ran_ms(job) for job in queue.finished_job_registry.get_job_ids()),
        "after_long": queue.deferred_job_registry.get_job_ids()[0]
        if queue.deferred_job_registry.count
        else None,
    }


def age(job):
    # The score is the moment until which the job's worker is trusted.
    connection.zadd(queue.started_job_registry.key, {job: time.time() - 120})


def work():
    workers.start("burst").wait()


if len(sys.argv) > 2 and sys.argv[2] == "worker":
    # The functions' module is this file under the name that the jobs have for it.
    sys.modules["rq_queue"] = sys.modules["__main__"]
    worker = Worker([queue], connection=connection, name=os.environ.get("WORKER_NAME"))
    worker.work(burst="burst" in sys.argv)
    sys.exit()

workers = scenario.Workers()
for name in ("Ada", "Grace"):
    queue.enqueue("rq_queue.greet", name)
queue.enqueue("rq_queue.fail", "no such user")
queue.enqueue("rq_queue.fail", "no such template")
queue.enqueue("rq_queue.retried", retry=rq.Retry(max=3, interval=3600))
work()
long = queue.enqueue("rq_queue.long_job", job_timeout=900)
workers.start(HANG="1", WORKER_NAME="worker-one")
scenario.until(lambda: long.get_status(refresh=True) == JobStatus.STARTED, "no worker took it")
scenario.until(lambda: queue.started_job_registry.count == 1, "the job is not registered")
for name in ("Alan", "Barbara", "Edsger"):
    queue.enqueue("rq_queue.greet", name)
queue.enqueue_in(timedelta(hours=1), "rq_queue.greet", "Tony")
queue.enqueue("rq_queue.greet", "Niklaus", depends_on=long)
queue.enqueue("rq_queue.greet", "Donald").cancel()


def first(registry):
    return Job.fetch(registry.get_job_ids()[0], connection=connection)


def retry():
    job = first(queue.failed_job_registry)
    job.requeue()
    return {"id": job.id}


def remove(state):
    job = first(getattr(queue, state + "_job_registry"))
    job.delete()
    return {"id": job.id}


def remove_waiting():
    job = Job.fetch(queue.get_job_ids()[0], connection=connection)
    job.delete()
    return {"id": job.id}


def promote():
    job = first(queue.scheduled_job_registry)
    # As its scheduler does it with those that are due.
    with connection.pipeline() as pipe:
        queue.enqueue_job(job, pipeline=pipe)
        queue.scheduled_job_registry.remove(job, pipeline=pipe)
        pipe.execute()
    return {"id": job.id}


def chain():
    for registry in (queue.failed_job_registry, queue.scheduled_job_registry):
        for waits_for in registry.get_job_ids():
            queue.enqueue("rq_queue.greet", "Kurt", depends_on=waits_for)


def abandon():
    workers.kill()
    age(long.id)


def cleanup():
    queue.started_job_registry.cleanup()
    return {"id": long.id}


def add():
    queue.enqueue("rq_queue.greet", "Kurt")


def suspend():
    rq.suspension.suspend(connection)
    return {"id": "-"}


def resume():
    rq.suspension.resume(connection)
    return {"id": "-"}


try:
    scenario.serve(
        count,
        die=workers.kill,
        age=age,
        work=work,
        retry=retry,
        remove=remove,
        remove_waiting=remove_waiting,
        promote=promote,
        chain=chain,
        abandon=abandon,
        cleanup=cleanup,
        add=add,
        suspend=suspend,
        resume=resume,
    )
finally:
    workers.kill()
