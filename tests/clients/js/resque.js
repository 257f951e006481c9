// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// node-resque: resque.js PREFIX QUEUE [join]
// Waiting, delayed and failed jobs, and one in progress in this process.

const { load, prefix, words, scenario, until, never, connection } = require('./scenario');
const [name, mode] = words;
const { Queue, Worker, Scheduler } = load('node-resque');
const Redis = load('ioredis');

const options = () => ({
  connection: { redis: new Redis(connection), namespace: prefix }, timeout: 100,
});
const first = mode !== 'join'; // later ones do what the first cannot
const jobs = {
  mail: { perform: async () => 'done' },
  broken: { perform: async (error) => { if (first) throw new Error(error); } },
  long: { perform: first ? never : async () => 'done' },
};

const queue = new Queue(options(), jobs);
queue.on('error', () => {});

async function counts() {
  const delayed = await queue.allDelayed();
  return {
    ready: await queue.length(name),
    failed: await queue.failedCount(),
    delayed: Object.values(delayed).flat().filter((job) => job.queue === name).length,
    working: Object.values(await queue.allWorkingOn()).filter((on) => on.queue === name).length,
    workers: Object.keys(await queue.workers()).length,
  };
}

async function startWorker(worker) {
  worker.on('error', () => {});
  await worker.connect();
  await worker.start();
  return worker;
}

const open = (id) => new Worker({ ...options(), queues: [name], name: id }, jobs);

async function make() {
  await queue.connect();
  await queue.enqueue(name, 'broken', ['mailbox full']);
  await queue.enqueue(name, 'broken', ['mailbox full']);
  await queue.enqueue(name, 'broken', ['no such file']);
  await queue.enqueue(name, 'long', ['l']);
  await startWorker(open('host-1:4242'));
  await until('a job in progress', async () => (await counts()).working === 1);
  await queue.enqueue(name, 'mail', ['a']);
  await queue.enqueue(name, 'mail', ['b']);
  await queue.enqueueIn(3600000, name, 'mail', ['c']);
  await queue.enqueueIn(7200000, name, 'mail', ['d']);
  await queue.enqueueIn(3600000, 'other', 'mail', ['e']);
  return counts();
}

async function work(count = '1') {
  const ended = [];
  const worker = open('host-2:4343');
  const done = new Promise((resolve) => worker.on('success', (queueName, job) => {
    ended.push(job.class === 'long' ? job.class : job.args[0]);
    if (ended.length < Number(count)) return;
    worker.running = false; // it takes no further one
    resolve();
  }));
  await startWorker(worker);
  await done;
  await until('the worker to rest', () => !worker.working);
  await worker.end();
  return { ended };
}

/** The scheduler's check for workers that no longer ping. */
async function stalled() {
  const scheduler = new Scheduler({ ...options(), stuckWorkerTimeout: 1000 }, jobs);
  scheduler.on('error', () => {});
  await scheduler.connect();
  let found;
  scheduler.on('cleanStuckWorker', (worker) => { found = worker; });
  await scheduler.start();
  await until('a stuck worker', () => found);
  await scheduler.end();
  return { stalled: [found] };
}

/** The only delayed job of the queue is due in a second. */
async function soon() {
  for (const who of ['c', 'd']) await queue.delDelayed(name, 'mail', [who]);
  await queue.enqueueIn(1000, name, 'mail', ['f']);
}

/** The scheduler moves what is due. */
async function poll() {
  const scheduler = new Scheduler(options(), jobs);
  scheduler.on('error', () => {});
  await scheduler.connect();
  const moved = new Promise((done) => scheduler.on('transferredJob', done));
  await scheduler.start();
  await moved;
  await scheduler.end();
}

/** The worker has given no sign of life for ten minutes. */
async function silence() {
  const ping = `${prefix}:worker:ping:host-1:4242`;
  const said = JSON.parse(await queue.connection.redis.get(ping));
  said.time -= 600;
  await queue.connection.redis.set(ping, JSON.stringify(said));
}

/** The scheduler fails what silent workers had, and retries that. */
async function revive() {
  const scheduler = new Scheduler(
    { ...options(), stuckWorkerTimeout: 300000, retryStuckJobs: true }, jobs);
  scheduler.on('error', () => {});
  await scheduler.connect();
  await scheduler.checkStuckWorkers();
  await scheduler.end();
}

scenario(async () => {
  if (first) return make();
  await queue.connect();
  return counts();
}, {
  count: counts,
  work,
  stalled,
  soon,
  poll,
  silence,
  revive,
  remove_failed: async () => {
    for (const failed of await queue.failed(0, -1)) await queue.removeFailed(failed);
  },
  remove_delayed: async () => {
    for (const who of ['c', 'd']) await queue.delDelayed(name, 'mail', [who]);
  },
  remove_waiting: async () => {
    for (const who of ['a', 'b']) await queue.del(name, 'mail', [who]);
  },
  retry: async () => {
    const failed = (await queue.failed(0, -1)).find((job) => job.error === 'no such file');
    await queue.retryAndRemoveFailed(failed);
    return { id: '-' };
  },
});
