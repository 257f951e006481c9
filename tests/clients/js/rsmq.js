// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
// rsmq: rsmq.js PREFIX QUEUE [join]
// Two messages wait, one is received and hidden, one was sent with a delay, one was received three
// times and waits again.

const { load, prefix, words, scenario, socket } = require('./scenario');
const [qname, mode] = words;
const RedisSMQ = load('rsmq');

// Of the client that it was made for: others use a later version.
const { createClient } = load('rsmq/node_modules/redis');
const rsmq = new RedisSMQ({ ns: prefix, client: createClient(socket) });

const counts = async () => {
  const { msgs, hiddenmsgs, vt, totalrecv, totalsent } =
    await rsmq.getQueueAttributesAsync({ qname });
  return { msgs, hiddenmsgs, vt, totalrecv, totalsent };
};

const receive = (vt = 30) => rsmq.receiveMessageAsync({ qname, vt });

async function make() {
  await rsmq.createQueueAsync({ qname, vt: 30 });
  await rsmq.sendMessageAsync({ qname, message: 'poison' });
  for (let i = 0; i < 3; ++i) await receive(0);
  const hidden = await receive(3600);
  await rsmq.sendMessageAsync({ qname, message: 'again' });
  await receive(0);
  await rsmq.sendMessageAsync({ qname, message: 'a' });
  await rsmq.sendMessageAsync({ qname, message: 'later', delay: 7200 });
  return { ...(await counts()), hidden: hidden.id };
}

async function work(count = '1') {
  const ended = [];
  while (ended.length < Number(count)) {
    const { id } = await receive();
    if (!id) break;
    await rsmq.deleteMessageAsync({ qname, id });
    ended.push(id);
  }
  return { ended };
}

const ids = () => new Promise((resolve, reject) => rsmq.redis.zrange(
  `${prefix}:${qname}`, 0, -1, (error, all) => (error ? reject(error) : resolve(all))));

async function remove(last) {
  const id = last ? (await ids()).pop() : (await ids())[0];
  await rsmq.deleteMessageAsync({ qname, id });
  return { id };
}

async function promote() {
  const id = (await ids()).pop();
  await rsmq.changeMessageVisibilityAsync({ qname, id, vt: 0 });
  return { id };
}

scenario(mode === 'join' ? counts : make, { count: counts, work, remove, promote });
