// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// BullMQ: bullmq.js PREFIX bullmq4|bullmq5|bullmq6 QUEUE [join]
// Makes a queue with jobs in every state; one job stays in progress in this process, and a flow's
// parent waits for its child. With "join" it makes nothing.

const { load, prefix, words, scenario, until, never, connection } = require('./scenario');
const { randomUUID } = require('crypto');
const [library, name, mode] = words;
const { Queue, Worker, FlowProducer } = load(library);
const Redis = load('ioredis');

const options = { connection: { ...connection, maxRetriesPerRequest: null }, prefix };
const queue = new Queue(name, options);
const lockDuration = 2000;
const workers = [];

const startWorker = (work, more = {}) => {
  const worker = new Worker(name, work, { ...options, stalledInterval: 500, ...more });
  worker.on('error', () => {}); // the server is the test's to stop
  workers.push(worker);
  return worker;
};

const counts = () => queue.getJobCounts();

async function make() {
  // Finished ones first: a worker of its own that fails what asks for it.
  const worker = startWorker(async (job) => {
    if (job.data.fail) throw new Error(job.data.fail);
    return 'done';
  });
  await queue.add('mail', { to: 'a' });
  await queue.add('mail', { to: 'b' });
  await queue.add('mail', { fail: 'mailbox full' }, { attempts: 1 });
  await queue.add('image', { fail: 'no such file' }, { attempts: 2, backoff: 1 });
  await queue.add('mail', { fail: 'mailbox full' }, { attempts: 1 });
  await until('finished jobs', async () => {
    const { completed, failed } = await counts();
    return completed === 2 && failed === 3;
  });
  await worker.close();

  await queue.add('long', { hang: true });
  startWorker(never, { name: 'worker-1', lockDuration, concurrency: 1 });
  await until('a job in progress', async () => (await counts()).active === 1);
  await new FlowProducer(options).add({
    name: 'parent', queueName: name, data: {},
    children: [{ name: 'child', queueName: name, data: { child: true } }],
  });
  await queue.add('mail', { to: 'c' });
  await queue.add('mail', { to: 'd' });
  await queue.add('mail', { to: 'e' }, { delay: 3600000 });
  await queue.add('mail', { to: 'f' }, { delay: 7200000 });
  await queue.add('mail', { to: 'g' }, { priority: 3 });
  return counts();
}

/** Takes so many jobs, one after the other, and completes them; tells which. */
async function work(count = '1') {
  const worker = startWorker(null, { autorun: false, name: 'worker-2' });
  const ended = [];
  while (ended.length < Number(count)) {
    const job = await worker.getNextJob('by-hand:0', { block: false });
    if (!job) break;
    await job.moveToCompleted('done', 'by-hand:0', false);
    ended.push(job.id);
  }
  await worker.close();
  return { ended };
}

const taken = [];
/** A worker as services have it; "took N" waits until it has done so many. */
async function start() {
  const worker = startWorker(async (job) => taken.push(job.id), {
    name: 'worker-3', stalledInterval: 30000,
  });
  await worker.waitUntilReady();
}

/** The same, blocked: nothing but a wake-up makes it look again. */
async function listen() {
  await start();
  const watcher = new Redis(connection);
  await until('a blocked client', async () =>
    /cmd=(bzpopmin|brpoplpush)/.test(await watcher.client('LIST')));
  watcher.disconnect();
}

async function took(count) {
  await until(`${count} jobs`, () => taken.length >= Number(count));
  return { ended: taken };
}

/** A worker that looks for stalled jobs at once, and nothing else. */
async function stalled() {
  const ids = [];
  const worker = startWorker(never, { autorun: false });
  worker.on('stalled', (id) => ids.push(id));
  await worker.startStalledCheckTimer();
  await until('a stalled job', () => ids.length);
  await worker.close(true);
  return { stalled: ids };
}

scenario(mode === 'join' ? counts : make, {
  count: counts,
  work,
  start,
  listen,
  took,
  stalled,
  pause: async () => (await queue.pause(), counts()),
  resume: async () => (await queue.resume(), counts()),
  paused: async () => ({ paused: await queue.isPaused() }),
  state: async (id) => ({ state: await (await queue.getJob(id)).getState() }),
  job: async (id) => { const job = await queue.getJob(id); return { name: job.name, data: job.data, reason: job.failedReason }; },
  retry: async (id) => (await (await queue.getJob(id)).retry(), {}),
  remove: async (id) => (await (await queue.getJob(id)).remove({ removeChildren: false }), {}),
  promote: async (id) => (await (await queue.getJob(id)).promote(), { id }),
  add: async () => (await queue.add('mail', { to: 'h' }, { jobId: randomUUID() }), {}),
  clean: async (state) => (await queue.clean(1, 1000, state), {}),
  workers: async () => ({ workers: (await queue.getWorkers()).length }),
  flow: async () => {
    const [parent] = await queue.getWaitingChildren();
    const [child] = (await parent.getDependencies()).unprocessed;
    return { parent: parent.id, child: child.split(':').pop() };
  },
  times: async () => ({
    ran: (await queue.getCompleted()).map((job) => job.finishedOn - job.processedOn)
      .sort((a, b) => a - b),
  }),
});
