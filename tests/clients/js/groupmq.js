// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// groupmq: groupmq.js NAMESPACE [join]
// Jobs of three groups in every state, one in progress in this process.

const { load, prefix, words, scenario, until, never, connection } = require('./scenario');
const [mode] = words;
const { Queue, Worker } = load('groupmq');
const Redis = load('ioredis');

const connect = () => new Redis({ ...connection, maxRetriesPerRequest: null });
const queue = new Queue({
  redis: connect(), namespace: prefix, jobTimeoutMs: 60000, keepCompleted: 100, keepFailed: 100,
});
const counts = () => queue.getJobCounts();
const add = (groupId, data, more = {}) => queue.add({ groupId, data, maxAttempts: 1, ...more });

function startWorker(handler, ended = []) {
  const worker = new Worker({ queue, handler, concurrency: 1, heartbeatMs: 200, blockingTimeoutSec: 1 });
  worker.on('error', () => {});
  for (const event of ['completed', 'failed']) worker.on(event, (job) => ended.push(job.id));
  worker.run();
  return worker;
}

async function make() {
  const first = startWorker(async (job) => {
    if (job.data.fail) throw new Error(job.data.fail);
    return 'done';
  });
  await add('alice', { to: 'a' });
  await add('bob', { to: 'b' });
  await add('bob', { fail: 'mailbox full' });
  await add('alice', { fail: 'no such file' });
  await until('finished jobs', async () => {
    const { completed, failed } = await counts();
    return completed === 2 && failed === 2;
  });
  await first.close(100);
  await add('carol', { hang: true });
  startWorker(never);
  await until('a job in progress', async () => (await counts()).active === 1);
  await add('alice', { to: 'c' });
  await add('alice', { to: 'd' });
  await add('carol', { to: 'e' });
  await add('bob', { to: 'f' }, { delay: 3600000 });
  return counts();
}

async function work(count = '1') {
  const ended = [];
  let begun = 0;
  const worker = startWorker(async () => (++begun > Number(count) ? never() : 'done'), ended);
  await until(`${count} jobs`, () => ended.length >= Number(count));
  worker.close(10);
  return { ended };
}

scenario(mode === 'join' ? counts : make, {
  count: counts,
  work,
  retry: async () => {
    const [job] = await queue.getJobsByStatus(['failed']);
    await queue.retry(job.id);
    return { id: job.id };
  },
  remove: async (status) => {
    const [job] = await queue.getJobsByStatus([status]);
    await queue.remove(job.id);
    return { id: job.id };
  },
  promote: async () => {
    const [job] = await queue.getJobsByStatus(['delayed']);
    await queue.promote(job.id);
    return { id: job.id };
  },
  // The job in progress has run out of time.
  expire: async () => {
    const [id] = await connect().zrange(`groupmq:${prefix}:processing`, 0, 0);
    await connect().zadd(`groupmq:${prefix}:processing`, Date.now() - 10000, id);
  },
  // A worker's check for such jobs, the first time for this one.
  stalled: async () => ({ id: (await queue.checkStalledJobs(Date.now(), 5000, 2))[0] }),
  pause: async () => (await queue.pause(), {}),
  resume: async () => (await queue.resume(), {}),
  paused: async () => ({ paused: await queue.isPaused() }),
});
