-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of a bee-queue as its own API, its check for stalled jobs and its timer do.
--
-- KEYS    1 waiting  2 active  3 delayed  4 failed  5 succeeded  6 stalling  7 stallBlock  8 jobs
-- ARGV    2 'retry' (a failed job waits again), 'promote' (a delayed one), 'requeue' (one in progress
--         whose worker let a whole stall interval pass) or 'remove' (one that nobody works on)
--         3... the ids
-- Returns items: '1' where a job was as the action wants it and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each job is still in its state; for requeue it has been in "stalling" since before the
--         block ended, which its worker would not have left there; else conflict with ''
-- Cost    O(log N) for a job in a sorted set, O(1) in a set, O(N) in a list
local verb = ARGV[2]
local waiting, active, delayed, failed, succeeded = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local stalling, block, jobs = KEYS[6], KEYS[7], KEYS[8]
if #ARGV < 3 or #KEYS ~= 8 then
  return refused('argument')
end
if not may('LPUSH', waiting, '1') or not may('LREM', active, 0, '1')
    or not may('ZREM', delayed, '1') or not may('SREM', failed, '1') or not may('HDEL', jobs, '1') then
  return refused('forbidden')
end
for i, kind in ipairs({ 'list', 'list', 'zset', 'set', 'set', 'set', 'string', 'hash' }) do
  if not_a(kind, KEYS[i]) == 'type' then
    return refused('type')
  end
end

local function in_list(list, id)
  for _, one in ipairs(redis.call('LRANGE', list, -1000, -1)) do
    if one == id then
      return true
    end
  end
  return false
end
local function is_in(set, id)
  return redis.call('SISMEMBER', set, id) == 1
end

local fits = {
  retry = function(id)
    return is_in(failed, id) and redis.call('HEXISTS', jobs, id) == 1
  end,
  promote = function(id)
    return redis.call('ZSCORE', delayed, id) and true
  end,
  requeue = function(id)
    return is_in(stalling, id) and redis.call('EXISTS', block) == 0 and in_list(active, id)
  end,
  remove = function(id)
    return not in_list(active, id) and redis.call('HEXISTS', jobs, id) == 1
  end,
}
local acts = {
  retry = function(id)
    redis.call('SREM', failed, id)
    redis.call('LPUSH', waiting, id)
  end,
  promote = function(id)
    redis.call('ZREM', delayed, id)
    redis.call('LPUSH', waiting, id)
  end,
  requeue = function(id)
    redis.call('LREM', active, 0, id)
    redis.call('SREM', stalling, id)
    redis.call('LPUSH', waiting, id)
  end,
  remove = function(id)
    if redis.call('SREM', failed, id) + redis.call('SREM', succeeded, id) == 0 then
      redis.call('LREM', waiting, 0, id)
    end
    redis.call('SREM', stalling, id)
    redis.call('ZREM', delayed, id)
    redis.call('HDEL', jobs, id)
  end,
}
if not acts[verb] then
  return refused('argument')
end

remember()
local moved, flags = 0, {}
for i = 3, #ARGV do
  local there = fits[verb](ARGV[i])
  flags[i - 2] = there and '1' or '0'
  if there then
    acts[verb](ARGV[i])
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
