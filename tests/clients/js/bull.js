// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// Bull: bull.js PREFIX bull3|bull4 QUEUE [join]
// As bullmq.js: jobs in every state, one in progress in this process.

const { load, prefix, words, scenario, until, never, connection } = require('./scenario');
const { randomUUID } = require('crypto');
const [library, name, mode] = words;
const Queue = load(library);

const open = (settings = {}) => {
  const queue = new Queue(name, { redis: connection, prefix, settings: { stalledInterval: 500, ...settings } });
  queue.on('error', () => {});
  return queue;
};

const queue = open();
const counts = async () => ({ ...(await queue.getJobCounts()), paused: await queue.getPausedCount() });

async function make() {
  const first = open();
  first.process('*', async (job) => {
    if (job.data.fail) throw new Error(job.data.fail);
    return 'done';
  });
  await queue.add('mail', { to: 'a' });
  await queue.add('mail', { to: 'b' });
  await queue.add('mail', { fail: 'mailbox full' });
  await queue.add('image', { fail: 'no such file' }, { attempts: 2, backoff: 1 });
  await queue.add('mail', { fail: 'mailbox full' });
  await until('finished jobs', async () => {
    const { completed, failed } = await counts();
    return completed === 2 && failed === 3;
  });
  await first.close();

  await queue.add('long', { hang: true });
  open({ lockDuration: 2000 }).process('*', 1, never);
  await until('a job in progress', async () => (await counts()).active === 1);
  await queue.add('mail', { to: 'c' });
  await queue.add('mail', { to: 'd' });
  await queue.add('mail', { to: 'e' }, { delay: 3600000 });
  await queue.add('mail', { to: 'f' }, { delay: 7200000 });
  await queue.add('mail', { to: 'g' }, { priority: 3 });
  return counts();
}

async function work(count = '1') {
  const ended = [];
  while (ended.length < Number(count)) {
    const job = await queue.getNextJob();
    if (!job) break;
    await job.moveToCompleted('done', false, true);
    ended.push(String(job.id));
  }
  return { ended };
}

const taken = [];
async function start() {
  const own = open({ stalledInterval: 30000 });
  own.process('*', async (job) => taken.push(String(job.id)));
  await own.isReady();
}

async function listen() {
  await start();
  await until('a blocked client', async () =>
    /cmd=brpoplpush/.test(await queue.client.client('LIST')));
}

async function took(count) {
  await until(`${count} jobs`, () => taken.length >= Number(count));
  return { ended: taken };
}

async function stalled() {
  const ids = [];
  const own = open({ stalledInterval: 200 });
  own.on('stalled', (job) => ids.push(String(job.id)));
  await own.isReady();
  await until('a stalled job', async () => {
    await own.moveUnlockedJobsToWait(); // what the timer of a worker calls
    return ids.length;
  });
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
  remove: async (id) => (await (await queue.getJob(id)).remove(), {}),
  promote: async (id) => (await (await queue.getJob(id)).promote(), { id }),
  add: async () => (await queue.add('mail', { to: 'h' }, { jobId: randomUUID() }), {}),
  clean: async (state) => (await queue.clean(1, state), {}),
  workers: async () => ({ workers: (await queue.getWorkers()).length }),
  times: async () => ({
    ran: (await queue.getCompleted()).map((job) => job.finishedOn - job.processedOn)
      .sort((a, b) => a - b),
  }),
});
