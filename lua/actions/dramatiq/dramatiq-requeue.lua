-- SPDX-License-Identifier: GPL-3.0-or-later
-- Returns messages that a dead dramatiq worker has not acknowledged to their queue, as dramatiq's
-- own maintenance does.
--
-- KEYS    1 the queue  2 its messages  3 the heartbeats of all workers
--         4... the set of unacknowledged messages of each worker
-- ARGV    2... of each message in turn: which of KEYS its worker's set is, its worker, its id
-- Returns items: '1' where a message was there and was returned
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each message is still unacknowledged and stored, and its worker has had no heartbeat for
--         a minute; else conflict with ''
-- Cost    O(log N) for each message
local queue, messages, heartbeats = KEYS[1], KEYS[2], KEYS[3]
local count = (#ARGV - 1) / 3
if count < 1 or count ~= math.floor(count) or #KEYS < 4 then
  return refused('argument')
end
if not_a('list', queue) == 'type' or not_a('hash', messages) == 'type'
    or not_a('zset', heartbeats) == 'type' then
  return refused('type')
end
for i = 4, #KEYS do
  if not_a('set', KEYS[i]) == 'type' then
    return refused('type')
  end
end
if not may('SREM', KEYS[4], '1') or not may('RPUSH', queue, '1') then
  return refused('forbidden')
end

local dead_at = now_ms() - 60000
remember()
local moved, flags = 0, {}
for i = 1, count do
  local acks, worker, id = KEYS[whole(ARGV[3 * i - 1], 4) or 0], ARGV[3 * i], ARGV[3 * i + 1]
  local beat = redis.call('ZSCORE', heartbeats, worker)
  local there = acks and (not beat or tonumber(beat) <= dead_at)
    and redis.call('SISMEMBER', acks, id) == 1 and redis.call('HEXISTS', messages, id) == 1
  flags[i] = there and '1' or '0'
  if there then
    redis.call('SREM', acks, id)
    redis.call('RPUSH', queue, id)
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
