-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of kue as its own API does.
--
-- KEYS    1 jobs  2 jobs:inactive  3 jobs:active  4 jobs:delayed  5 jobs:failed  6 jobs:complete
--         7... of each job, in the order of ARGV: its hash, its log, and of its type
--         jobs:<type>:inactive, :active, :delayed, :failed, :complete and <type>:jobs
-- ARGV    2 'retry' (a failed job waits again), 'promote' (a delayed one), 'requeue' (one in progress
--         whose time to live is over) or 'remove' (one that nobody works on)
--         3 the channel of kue's events  4, 5... id and type of each
-- Returns items: '1' where a job was as the action wants it and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each job is still in its state and of its type; else conflict with ''
-- Cost    O(log N) for each
local verb, first_job, each = ARGV[2], 7, 8
local names = { 'inactive', 'active', 'delayed', 'failed', 'complete' }
local wanted = { retry = 'failed', promote = 'delayed', requeue = 'active' }
local count = (#ARGV - 3) / 2
if count < 1 or count % 1 ~= 0 or #KEYS ~= first_job - 1 + count * each
    or not (wanted[verb] or verb == 'remove') then
  return refused('argument')
end
for i, key in ipairs(KEYS) do
  local place = i < first_job and 2 or (i - first_job) % each
  local kind = place == 0 and 'hash' or (place == 1 or place == each - 1) and 'list' or 'zset'
  if not_a(kind, key) == 'type' then
    return refused('type')
  end
end
local sample = KEYS[first_job]
if not may('ZREM', KEYS[1], '1') or not may('ZADD', KEYS[2], 0, '1') or not may('HSET', sample, 'a', 1)
    or not may('HINCRBY', sample, 'a', 1) or not may('DEL', sample)
    or not may('LPUSH', KEYS[first_job + 7], 1) or not may('PUBLISH', ARGV[3], '') then
  return refused('forbidden')
end
local now = string.format('%.0f', now_ms())

local function announce(id, event, kind)
  redis.call('PUBLISH', ARGV[3], cjson.encode({ id = tonumber(id), event = event, args = { event, kind } }))
end
local function index_of(state)
  for i, name in ipairs(names) do
    if name == state then
      return i
    end
  end
end

remember()
local moved, flags, seen = 0, {}, {}
for n = 1, count do
  local id, kind = ARGV[2 + 2 * n], ARGV[3 + 2 * n]
  local at = first_job + (n - 1) * each
  local job = KEYS[at]
  local member = string.format('%02d|%s', #id, id)
  local fields = redis.call('HMGET', job, 'type', 'state', 'priority')
  local from = index_of(fields[2])
  local score = from and tonumber(redis.call('ZSCORE', KEYS[1 + from], member) or nil)
  local there = score and fields[1] == kind and not seen[id]
  if verb == 'remove' then
    there = there and fields[2] ~= 'active'
  else
    there = there and fields[2] == wanted[verb]
  end
  if verb == 'requeue' then
    there = there and score > 100000 and score < now_ms()
  end
  seen[id] = true
  flags[n] = there and '1' or '0'
  if there then
    moved = moved + 1
    redis.call('ZREM', KEYS[1 + from], member)
    redis.call('ZREM', KEYS[at + 1 + from], member)
    if verb == 'remove' then
      redis.call('ZREM', KEYS[1], member)
      redis.call('DEL', job, KEYS[at + 1])
      announce(id, 'remove', kind)
    else
      if verb == 'requeue' then
        redis.call('HINCRBY', job, 'attempts', 1)
      end
      redis.call('HSET', job, 'state', 'inactive', 'updated_at', now)
      redis.call('ZADD', KEYS[2], fields[3] or 0, member)
      redis.call('ZADD', KEYS[at + 2], fields[3] or 0, member)
      redis.call('LPUSH', KEYS[at + 7], 1)
      announce(id, 'enqueue', kind)
    end
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
