// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// kue: kue.js PREFIX TYPE [join]
// Jobs of one type in every state, one in progress in this process; and one of another type.

const { load, prefix, words, scenario, until, socket } = require('./scenario');
const [type, mode] = words;
const kue = load('kue');
const redis = load('kue/node_modules/redis');

const queue = kue.createQueue({
  prefix, promotion: { interval: 200 },
  redis: { createClientFactory: () => redis.createClient(socket) },
});
queue.on('error', () => {});

const call = (object, method, ...given) => new Promise((resolve, reject) =>
  object[method](...given, (error, value) => (error ? reject(error) : resolve(value))));

const states = ['inactive', 'active', 'complete', 'failed', 'delayed'];
async function counts() {
  const all = {};
  for (const state of states) all[state] = await call(queue, 'cardByType', type, state);
  return all;
}

const add = (data, change = (job) => job) => call(change(queue.create(type, data)), 'save');

const ended = [];
let hold = () => false;
const start = () => queue.process(type, 1, (job, done) => {
  if (hold(job)) return;
  ended.push(String(job.id));
  done(job.data.fail ? new Error(job.data.fail) : null);
});

async function make() {
  start();
  hold = (job) => job.data.hang;
  await add({ to: 'a' });
  await add({ to: 'b' });
  await add({ fail: 'mailbox full' });
  await add({ fail: 'no such file' }, (job) => job.attempts(2));
  await add({ fail: 'mailbox full' });
  await until('finished jobs', async () => {
    const { complete, failed } = await counts();
    return complete === 2 && failed === 3;
  });
  await add({ hang: true }, (job) => job.ttl(3600000));
  await until('a job in progress', async () => (await counts()).active === 1);
  await add({ to: 'c' });
  await add({ to: 'd' }, (job) => job.priority('high'));
  await add({ to: 'e' }, (job) => job.delay(3600000));
  await add({ to: 'f' }, (job) => job.delay(7200000));
  await call(queue.create('image', { of: 'g' }), 'save');
  return counts();
}

async function work(count = '1') {
  const from = ended.length;
  hold = () => ended.length - from >= Number(count);
  start();
  await until(`${count} jobs`, () => ended.length - from >= Number(count));
  return { ended: ended.slice(from) };
}

const job = (id) => call(kue.Job, 'get', id);

scenario(mode === 'join' ? counts : make, {
  count: counts,
  work,
  retry: async (id) => (await call(await job(id), 'inactive'), { id }),
  remove: async (id) => (await call(await job(id), 'remove'), { id }),
});
