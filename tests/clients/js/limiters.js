// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// Rate limiters: limiters.js PREFIX LIBRARY
// Five calls in a minute for each client of one kind: alice makes three, bob one more than he may.
// Prints for each what the library tells: key, used, remaining. "use NAME" makes one more call;
// "call VERB NAME ..." calls what the library itself has to reset a client.

const { load, prefix, words, scenario, connection } = require('./scenario');
const [library] = words;
const Redis = load('ioredis');

const db = new Redis(connection);
const limit = 5;
const windowMs = 60000;

/** @upstash/ratelimit on a server that is not Upstash's: its scripts' first line is for that alone. */
function upstash(algorithm, ...given) {
  const { Ratelimit } = load('@upstash/ratelimit');
  const window = 10 * windowMs; // seldom does one end while this runs
  const rule = Ratelimit[algorithm](limit, `${window} ms`, ...given);
  const redis = {
    evalsha: async () => { throw new Error('NOSCRIPT'); },
    eval: (script, keys, given) =>
      db.call('EVAL', script.replace(/^#!lua.*\n/, ''), keys.length, ...keys, ...given.map(String)),
  };
  const limiter = new Ratelimit({
    redis, prefix, limiter: rule, ephemeralCache: false,
  });
  return {
    windowMs: window,
    key: (name) => (given.length > 0 ? `${prefix}:${name}`
      : `${prefix}:${name}:${Math.floor(Date.now() / window)}`),
    use: async (name) => {
      const { success, remaining } = await limiter.limit(name);
      return { allowed: success, remaining: Math.max(0, remaining) };
    },
    own: { reset: (name) => limiter.resetUsedTokens(name) },
  };
}

/** Each: key(name), use(name) -> { allowed, remaining }, and its own calls. */
const libraries = {
  'rate-limiter-flexible': () => {
    const { RateLimiterRedis } = load(library);
    const limiter = new RateLimiterRedis({
      storeClient: db, points: limit, duration: windowMs / 1000, keyPrefix: prefix,
      blockDuration: words[1] === 'block' ? 300 : 0,
    });
    return {
      key: (name) => limiter.getKey(name),
      use: (name) => limiter.consume(name).then(
        (r) => ({ allowed: true, remaining: r.remainingPoints }),
        (r) => ({ allowed: false, remaining: r.remainingPoints })),
      own: {
        delete: (name) => limiter.delete(name),
        reward: (name, points) => limiter.reward(name, Number(points)),
        block: (name, seconds) => limiter.block(name, Number(seconds)), // 0: for good
      },
    };
  },
  ratelimiter: () => {
    const Limiter = load(library);
    return {
      key: (name) => `limit:${prefix}:${name}`,
      use: (name) => new Promise((resolve, reject) => {
        new Limiter({ id: `${prefix}:${name}`, db, max: limit, duration: windowMs }).get(
          (error, r) => (error ? reject(error)
            : resolve({ allowed: r.remaining > 0, remaining: Math.max(0, r.remaining - 1) })));
      }),
    };
  },
  'async-ratelimiter': () => {
    const Limiter = load(library);
    const limiter = new Limiter({ db, namespace: prefix, max: limit, duration: windowMs });
    return {
      key: (name) => `${prefix}:${name}`,
      use: async (name) => {
        const { remaining } = await limiter.get({ id: name });
        return { allowed: remaining > 0, remaining: Math.max(0, remaining - 1) };
      },
    };
  },
  'koa-ratelimit': () => {
    const middleware = load(library)({
      driver: 'redis', db, duration: windowMs, max: limit, id: (context) => context.ip,
    });
    return {
      key: (name) => `limit:${prefix}:${name}`,
      use: async (name) => {
        const headers = {};
        const context = {
          ip: `${prefix}:${name}`, state: {},
          set: (a, b) => (typeof a === 'object' ? Object.assign(headers, a) : (headers[a] = b)),
        };
        let allowed = false;
        await middleware(context, async () => { allowed = true; });
        return { allowed, remaining: headers['X-RateLimit-Remaining'] };
      },
    };
  },
  'rolling-rate-limiter': () => {
    const { IORedisRateLimiter } = load(library);
    const limiter = new IORedisRateLimiter({
      client: db, namespace: prefix, interval: windowMs, maxInInterval: limit,
    });
    return {
      key: (name) => `${prefix}${name}`,
      use: async (name) => {
        const r = await limiter.limitWithInfo(name);
        return { allowed: !r.blocked, remaining: r.actionsRemaining };
      },
      own: { clear: (name) => limiter.clear(name) },
    };
  },
  'rate-limit-redis': () => {
    const { RedisStore } = load(library);
    const store = new RedisStore({
      prefix, sendCommand: (command, ...given) => db.call(command, ...given),
    });
    store.init({ windowMs });
    return {
      key: (name) => `${prefix}${name}`,
      use: async (name) => {
        const { totalHits } = await store.increment(name);
        return { allowed: totalHits <= limit, remaining: Math.max(0, limit - totalHits) };
      },
      own: {
        resetKey: (name) => store.resetKey(name), // express-rate-limit's resetKey() is this
        decrement: (name) => store.decrement(name),
      },
    };
  },
  'upstash-fixed': () => upstash('fixedWindow'),
  'upstash-sliding': () => upstash('slidingWindow'),
  'upstash-bucket': () => upstash('tokenBucket', limit),
  bottleneck: () => {
    const Bottleneck = load(library);
    const open = {};
    const of = (name) => open[name] || (open[name] = new Bottleneck({
      datastore: 'ioredis', Redis, clientOptions: connection, clearDatastore: false,
      id: `${prefix}${name}`, reservoir: limit, reservoirRefreshInterval: windowMs,
      reservoirRefreshAmount: limit, maxConcurrent: 2,
    }));
    return {
      key: (name) => `b_${prefix}${name}_settings`,
      use: async (name) => {
        const limiter = of(name);
        await limiter.ready();
        if ((await limiter.currentReservoir()) === 0) return { allowed: false, remaining: 0 };
        await limiter.schedule(async () => {});
        return { allowed: true, remaining: await limiter.currentReservoir() };
      },
    };
  },
};

const limiter = libraries[library]();
const told = {};

async function use(name) {
  told[name] = { ...(await limiter.use(name)), key: limiter.key(name), limit,
    windowMs: limiter.windowMs || windowMs };
  return told[name];
}

scenario(async () => {
  for (let i = 0; i < 3; ++i) await use('alice');
  for (let i = 0; i <= limit; ++i) await use('bob');
  return told;
}, {
  use,
  count: async () => told,
  call: async (verb, name, ...given) => {
    await limiter.own[verb](name, ...given);
    return { key: limiter.key(name) };
  },
});
