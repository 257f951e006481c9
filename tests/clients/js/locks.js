// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// Locks and semaphores: locks.js PREFIX LIBRARY
// Holds what it can: a lock once, a semaphore of three twice. Prints keys and owners. "try" tells
// whether another client could get it, without waiting; "wait" lets one wait for it and "got" tells
// when it has it; "release" gives back, "extend MS" renews, and "foreign" releases in the name of one
// who does not hold it.

const { load, prefix, words, scenario, connection } = require('./scenario');
const [library] = words;
const Redis = load('ioredis');

const db = new Redis(connection);
const { randomUUID } = require('crypto');
const ttl = 30000;
const resource = `${prefix}invoice`;

const ofSemaphore = (make, keys, permits) => ({
  keys, permits,
  acquire: async () => {
    const lock = make({ lockTimeout: ttl, acquireTimeout: 20000, retryInterval: 20 });
    await lock.acquire();
    return lock;
  },
  tryOnce: async () => {
    const lock = make({ lockTimeout: ttl, acquireAttemptsLimit: 1 });
    const got = await lock.tryAcquire();
    if (got) await lock.release();
    return got;
  },
  owner: (lock) => lock.identifier,
  release: (lock) => lock.release(),
  foreign: () => make({ lockTimeout: ttl, externallyAcquiredIdentifier: randomUUID() }).release(),
});

const libraries = {
  redlock4: () => {
    const Redlock = load(library);
    const once = new Redlock([db], { retryCount: 0 });
    const patient = new Redlock([db], { retryCount: 1000, retryDelay: 20, retryJitter: 0 });
    return {
      keys: [resource], permits: 1,
      acquire: () => patient.lock(resource, ttl),
      tryOnce: () => once.lock(resource, ttl).then((l) => l.unlock().then(() => true), () => false),
      owner: (lock) => lock.value,
      release: (lock) => lock.unlock(),
      extend: (lock, ms) => lock.extend(ms),
      foreign: (lock) => once.unlock({ ...lock, value: 'another' }).then(
        () => { throw new Error('it was released'); }, () => {}),
    };
  },
  redlock5: () => {
    const Redlock = load(library).default;
    const once = new Redlock([db], { retryCount: 0 });
    const patient = new Redlock([db], { retryCount: 1000, retryDelay: 20, retryJitter: 0 });
    const two = [resource, `${resource}:lines`]; // one lock over two resources
    return {
      keys: two, permits: 1,
      acquire: () => patient.acquire(two, ttl),
      tryOnce: () => once.acquire(two, ttl).then((l) => l.release().then(() => true), () => false),
      owner: (lock) => lock.value,
      release: (lock) => lock.release(),
      extend: (lock, ms) => lock.extend(ms),
      foreign: (lock) => once.release({ ...lock, value: 'another' }).then(
        () => { throw new Error('it was released'); }, () => {}),
    };
  },
  // Who waits does not poll: it sleeps until it is told.
  'simple-redis-mutex': () => {
    const { createClient } = load('redis');
    const { lock, tryLock } = load(library);
    const client = createClient({ socket: { path: connection.path } });
    const connected = client.connect();
    const key = `@simple-redis-mutex:lock-${resource}`;
    return {
      keys: [key], permits: 1,
      acquire: async () => {
        await connected;
        const release = await lock(client, resource, { timeout: ttl, pollingInterval: null });
        return { release, value: await db.get(key) };
      },
      tryOnce: async () => {
        const [got, release] = await tryLock(client, resource, { timeout: ttl });
        if (got) await release();
        return got;
      },
      owner: (held) => held.value,
      release: (held) => held.release(),
    };
  },
  mutex: () => {
    const { Mutex } = load('redis-semaphore');
    return ofSemaphore((options) => new Mutex(db, resource, options), [`mutex:${resource}`], 1);
  },
  semaphore: () => {
    const { Semaphore } = load('redis-semaphore');
    return ofSemaphore((options) => new Semaphore(db, resource, 3, options),
      [`semaphore:${resource}`], 3);
  },
  multisemaphore: () => {
    const { MultiSemaphore } = load('redis-semaphore');
    return ofSemaphore((options) => new MultiSemaphore(db, resource, 4, 2, options),
      [`semaphore:${resource}`], 2);
  },
};

const lock = libraries[library]();
const holders = [];
let waiting;

scenario(async () => {
  for (let i = 0; i < Math.max(1, lock.permits - 1); ++i) holders.push(await lock.acquire());
  return { keys: lock.keys, owners: holders.map(lock.owner), ttl };
}, {
  try: async () => ({ got: await lock.tryOnce() }),
  wait: async () => { waiting = lock.acquire(); },
  got: async () => ({ owner: lock.owner(await waiting) }),
  release: async () => {
    const last = holders.pop();
    await lock.release(last);
    return { id: lock.owner(last) };
  },
  extend: async (ms) => {
    holders.push(await lock.extend(holders.pop(), Number(ms)));
    return { id: lock.owner(holders[holders.length - 1]) };
  },
  foreign: async () => lock.foreign(holders[0]),
});
