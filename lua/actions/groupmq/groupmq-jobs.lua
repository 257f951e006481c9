-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of a GroupMQ queue as its own API and its check for stalled jobs do.
--
-- KEYS    1 ready  2 processing  3 delayed  4 failed  5 completed  6 groups
--         7... of each job, in the order of ARGV: its hash, processing:<id>, unique:<id>, and of its
--         group g:<group> and g:<group>:active
-- ARGV    2 'retry' (a failed job waits again, for one more attempt), 'promote' (a delayed one),
--         'requeue' (one in progress whose deadline has passed, or that is active in its group and
--         that no worker has) or 'remove' (one that nobody works
--         on)   3, 4... id and group of each
-- Returns items: '1' where a job was as the action wants it and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each job is still in its state and of its group; else conflict with ''
-- Cost    O(log N) for each
local verb, first_job, each = ARGV[2], 7, 5
local ready, processing, delayed, failed, groups = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[6]
local count = (#ARGV - 2) / 2
if count < 1 or count % 1 ~= 0 or #KEYS ~= first_job - 1 + count * each
    or (verb ~= 'retry' and verb ~= 'promote' and verb ~= 'requeue' and verb ~= 'remove') then
  return refused('argument')
end
for i, key in ipairs(KEYS) do
  local place = i < first_job and -1 or (i - first_job) % each
  local kind = (i == 6 and 'set') or ({ [0] = 'hash', 'hash', 'string', 'zset', 'list' })[place] or 'zset'
  if not_a(kind, key) == 'type' then
    return refused('type')
  end
end
local sample = KEYS[first_job]
if not may('ZREM', delayed, '1') or not may('ZADD', ready, 1, '1') or not may('HSET', sample, 'a', 1)
    or not may('HINCRBY', sample, 'a', 1) or not may('HDEL', sample, 'a') or not may('DEL', sample)
    or not may('LREM', KEYS[first_job + 4], 1, '1') or not may('SADD', groups, '1')
    or not may('SREM', groups, '1') or not may('SET', KEYS[first_job + 2], '1') then
  return refused('forbidden')
end

-- A group is ready with the score of its first job.
local function make_ready(group, set)
  local head = redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')
  if head[2] then
    redis.call('ZADD', ready, head[2], group)
  end
end

local fits = {
  retry = function(id, status)
    return redis.call('ZSCORE', failed, id) and status == 'failed'
  end,
  promote = function(id)
    return redis.call('ZSCORE', delayed, id) and true
  end,
  requeue = function(id, status, active)
    local deadline = tonumber(redis.call('ZSCORE', processing, id) or nil)
    if status ~= 'processing' or deadline then
      return deadline and deadline < now_ms() and status == 'processing'
    end
    for _, one in ipairs(redis.call('LRANGE', active, 0, 999)) do
      if one == id then
        return true
      end
    end
    return false
  end,
  remove = function(id)
    return not redis.call('ZSCORE', processing, id)
  end,
}
local acts = {
  retry = function(id, group, job, set, _, _, unique)
    redis.call('ZREM', failed, id)
    redis.call('SET', unique, id)
    redis.call('HDEL', job, 'finishedOn')
    redis.call('ZADD', set, redis.call('HGET', job, 'score'), id)
    redis.call('SADD', groups, group)
    make_ready(group, set)
    redis.call('HSET', job, 'status', 'waiting')
  end,
  promote = function(id, group, job, set)
    redis.call('ZREM', delayed, id)
    redis.call('HSET', job, 'status', 'waiting', 'delayUntil', '0')
    redis.call('HDEL', job, 'runAt')
    if redis.call('ZRANGE', set, 0, 0)[1] == id then
      make_ready(group, set)
    end
  end,
  requeue = function(id, group, job, set, active, held)
    redis.call('HINCRBY', job, 'stalledCount', 1)
    redis.call('LREM', active, 1, id)
    redis.call('ZREM', processing, id)
    redis.call('DEL', held)
    redis.call('ZADD', set, redis.call('HGET', job, 'score'), id)
    make_ready(group, set)
    redis.call('SADD', groups, group)
    redis.call('HSET', job, 'status', 'waiting')
  end,
  remove = function(id, group, job, set, _, held, unique)
    for _, one in ipairs({ delayed, failed, KEYS[5], set }) do
      redis.call('ZREM', one, id)
    end
    redis.call('DEL', job, held, unique)
    if redis.call('EXISTS', set) == 0 then
      redis.call('ZREM', ready, group)
      redis.call('SREM', groups, group)
    else
      make_ready(group, set)
    end
  end,
}

remember()
local moved, flags = 0, {}
for n = 1, count do
  local id, group = ARGV[1 + 2 * n], ARGV[2 + 2 * n]
  local at = first_job + (n - 1) * each
  local job, held, unique, set, active = KEYS[at], KEYS[at + 1], KEYS[at + 2], KEYS[at + 3], KEYS[at + 4]
  local fields = redis.call('HMGET', job, 'groupId', 'status', 'score')
  local there = fields[1] == group and tonumber(fields[3] or nil) and fits[verb](id, fields[2], active)
  flags[n] = there and '1' or '0'
  if there then
    acts[verb](id, group, job, set, active, held, unique)
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
