// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// bee-queue: beequeue.js PREFIX QUEUE [join]
// Jobs in every state, one in progress in this process.

const { load, prefix, words, scenario, until, never, connection } = require('./scenario');
const [name, mode] = words;
const Queue = load('bee-queue');

const open = (more = {}) => {
  const queue = new Queue(name, {
    prefix, redis: connection, stallInterval: 2000, isWorker: false, getEvents: false,
    activateDelayedJobs: false, storeJobs: false, ...more,
  });
  queue.on('error', () => {}); // the server is the test's to stop
  return queue;
};

const queue = open();
const counts = () => queue.checkHealth();

/** A worker in this process; ended collects the ids of what it has done. */
function startWorker(work, ended = []) {
  const worker = open({ isWorker: true });
  worker.process(1, work);
  for (const event of ['succeeded', 'failed']) worker.on(event, (job) => ended.push(String(job.id)));
  return worker;
}

async function make() {
  const first = startWorker(async (job) => {
    if (job.data.fail) throw new Error(job.data.fail);
    return 'done';
  });
  await queue.createJob({ to: 'a' }).save();
  await queue.createJob({ to: 'b' }).save();
  await queue.createJob({ fail: 'mailbox full' }).save();
  await queue.createJob({ fail: 'no such file' }).retries(1).save();
  await queue.createJob({ fail: 'mailbox full' }).save();
  await until('finished jobs', async () => {
    const { succeeded, failed } = await counts();
    return succeeded === 2 && failed === 3;
  });
  await first.close();

  await queue.createJob({ hang: true }).save();
  startWorker(never);
  await until('a job in progress', async () => (await counts()).active === 1);
  await queue.createJob({ to: 'c' }).save();
  await queue.createJob({ to: 'd' }).save();
  await queue.createJob({ to: 'e' }).delayUntil(Date.now() + 3600000).save();
  await queue.createJob({ to: 'f' }).delayUntil(Date.now() + 7200000).save();
  return counts();
}

async function work(count = '1') {
  const ended = [];
  let begun = 0;
  const worker = startWorker(async () => (++begun > Number(count) ? never() : 'done'), ended);
  await until(`${count} jobs`, () => ended.length >= Number(count));
  // What it took beyond is in progress, and this process ends without it.
  await new Promise((done) => worker.close(50, () => done()));
  return { ended };
}

const taken = [];
async function listen() {
  const worker = startWorker(async () => 'done', taken);
  await worker.ready();
  await until('a blocked client', () => new Promise((resolve, reject) =>
    queue.client.client('LIST', (error, list) =>
      error ? reject(error) : resolve(/cmd=brpoplpush/.test(list)))));
}

async function took(count) {
  await until(`${count} jobs`, () => taken.length >= Number(count));
  return { ended: taken };
}

/** Looks for stalled jobs as soon as it may again, until it has found so many. */
async function check(count) {
  const blocked = () => new Promise((resolve, reject) =>
    queue.client.exists(`${prefix}:${name}:stallBlock`, (error, there) =>
      error ? reject(error) : resolve(there)));
  await until('the next check', async () => !(await blocked()));
  await until(`${count} stalled`, async () => (await queue.checkStalledJobs()) >= count);
}

/** A delayed job is due. */
const due = (id) => new Promise((resolve, reject) =>
  queue.client.zadd(`${prefix}:${name}:delayed`, Date.now() - 5000, id, (error) =>
    error ? reject(error) : resolve({})));

/** What the timer of a queue does that activates delayed jobs. */
async function raise() {
  const own = open({ activateDelayedJobs: true });
  await own.ready();
  await new Promise((done) => {
    own.once('raised jobs', done);
    own._activateDelayed();
  });
}

const jobs = async (type) => ({ jobs: (await queue.getJobs(type)).map((job) => job.id).sort() });

scenario(async () => (await queue.ready(), mode === 'join' ? counts() : make()), {
  count: counts, work, listen, took, jobs,
  retry: async (id) => (await (await queue.getJob(id)).retry(), { id }),
  remove: async (id) => (await (await queue.getJob(id)).remove(), { id }),
  check: async () => ({ stalled: await queue.checkStalledJobs() }),
  mark: () => check(0),
  stalled: () => check(1),
  due,
  raise,
});
