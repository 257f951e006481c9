// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// What every scenario does: it is started with a prefix and words of its own, makes what it is to
// make, prints the library's own counts as one line of JSON, then answers each line on its
// standard input ("work", "count", or with an argument "work 3") with one line of JSON. It ends
// with its input. "die" is a crash: no clean-up runs.
//
//   LOCKKEEPER_CLIENT_SOCKET   the unix socket of the Redis server
//   LOCKKEEPER_CLIENT_MODULES  the folder with node_modules

const path = require('path');
const readline = require('readline');
const { createRequire } = require('module');

const fromModules = createRequire(path.join(process.env.LOCKKEEPER_CLIENT_MODULES, 'from.js'));
const socket = process.env.LOCKKEEPER_CLIENT_SOCKET;
const [prefix, ...words] = process.argv.slice(2);

const print = (value) => process.stdout.write(JSON.stringify(value) + '\n');

const fail = (error) => {
  print({ error: String((error && error.stack) || error) });
  process.exit(1);
};

/**
 * Runs a scenario: start() makes it and returns what the first line tells; commands has a function
 * for each word that may come then.
 */
async function scenario(start, commands = {}) {
  process.on('unhandledRejection', fail);
  process.on('uncaughtException', fail);
  const known = { die: () => process.kill(process.pid, 'SIGKILL'), ...commands };
  print((await start()) || {});
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [command, ...rest] = line.split(' ');
    if (!known[command]) fail(`no command ${command}`);
    print((await known[command](...rest)) || {});
  }
  process.exit(0);
}

/** Calls until it gives something true, which it returns; a scenario waits for its server only. */
async function until(what, call, patienceMs = 20000) {
  const end = Date.now() + patienceMs;
  for (;;) {
    const value = await call();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

const never = () => new Promise(() => {});

module.exports = {
  load: fromModules, socket, prefix, words, scenario, until, never,
  connection: { path: socket },
};
