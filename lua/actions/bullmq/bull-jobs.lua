-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of a queue of Bull 3 or 4 as Bull's own API does: the same keys and messages.
--
-- KEYS    1 wait  2 paused  3 active  4 delayed  5 failed  6 completed  7 priority  8 stalled
--         9 meta-paused   10 the index of the jobs that a rate limiter holds back
--         11... of each job, in the order of ARGV: its hash, its lock, its logs
--         then those that ARGV names
-- ARGV    2 'retry', 'promote', 'requeue', 'remove', 'fail' or 'clean MS', see bullmq-jobs.lua
--         3 how many jobs, and their ids from 4 on   then, to remove or clean them, for each the
--         places in KEYS of its debounce key and of the limiter's set that has it; 0: it has none
-- Returns items: '1' where a job was as the action wants it and was moved
-- Refuses 'argument', 'type' (wait), 'forbidden'
-- Guard   each job is still in its state, and nobody holds its lock; else conflict with ''
-- Cost    O(log N) for a job in a sorted set, O(N) for one in a list
local verb, before = string.match(ARGV[2] or '', '^(%l+) ?(%d*)$')
local first_job, each = 11, 3
local jobs, removes = whole(ARGV[3], 1), verb == 'remove' or verb == 'clean'
local wait, paused, active, delayed, failed = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
if not jobs or (verb == 'clean') ~= (before ~= '' and before ~= nil)
    or #ARGV ~= 3 + (removes and 2 or 1) * jobs or #KEYS < first_job - 1 + jobs * each then
  return refused('argument')
end
if not_a('list', wait) == 'type' then
  return refused('type')
end
local sample = KEYS[first_job]
if not may('LPUSH', wait, '1') or not may('RPUSH', wait, '1') or not may('LREM', active, 1, '1')
    or not may('ZREM', failed, '1') or not may('HDEL', sample, 'a') or not may('HSET', sample, 'a', 1)
    or not may('HINCRBY', sample, 'a', 1) or not may('DEL', sample)
    or not may('LINSERT', wait, 'BEFORE', '1', '2') or not may('PUBLISH', wait, '1')
    or not may('ZADD', KEYS[7], 1, '1') or not may('SREM', KEYS[8], '1')
    or not may('HDEL', KEYS[10], '1') then
  return refused('forbidden')
end
local target = redis.call('EXISTS', KEYS[9]) == 1 and paused or wait

local function in_list(list, id)
  for _, one in ipairs(redis.call('LRANGE', list, -1000, -1)) do
    if one == id then
      return true
    end
  end
  return false
end
local function pushes_last_in_first(job)
  local read, options = pcall(cjson.decode, redis.call('HGET', job, 'opts') or '')
  return read and type(options) == 'table' and options.lifo == true
end
-- Jobs with a priority wait in the same list, before all less urgent ones.
local function push_by_priority(id, priority)
  redis.call('ZADD', KEYS[7], priority, id)
  local less_urgent = redis.call('ZCOUNT', KEYS[7], 0, priority)
  local length = redis.call('LLEN', target)
  local before = redis.call('LINDEX', target, length - (less_urgent - 1))
  if before then
    return redis.call('LINSERT', target, 'BEFORE', before, id)
  end
  redis.call('RPUSH', target, id)
end
-- Workers of Bull wait for a message that ends in the token of a queue object; any token works.
local function wake(id)
  redis.call('PUBLISH', wait .. 'ing@', id)
end
local function place_of(id)
  for _, set in ipairs({ delayed, failed, KEYS[6] }) do
    if redis.call('ZSCORE', set, id) then
      return set, 'ZREM'
    end
  end
  for _, list in ipairs({ wait, paused }) do
    if in_list(list, id) then
      return list, 'LREM'
    end
  end
end

-- The job's debounce key and the limiter's set with the job, or false. Nil if it has others.
local function keys_of(id, job, text)
  local debounce, set = string.match(text, '^(%d+) (%d+)$')
  debounce, set = KEYS[tonumber(debounce)] or false, KEYS[tonumber(set)] or false
  local key = redis.call('HGET', job, 'deid') or ''
  key = key ~= '' and ':de:' .. key or ''
  local same = string.sub(debounce or '', -math.max(#key, 1)) == key
    and set == redis.call('HGET', KEYS[10], id)
  return same and { debounce = debounce, set = set } or nil
end

local fits = {
  retry = function(id, job)
    return redis.call('ZSCORE', failed, id) and redis.call('EXISTS', job) == 1
  end,
  promote = function(id)
    return redis.call('ZSCORE', delayed, id)
  end,
  requeue = function(id, job)
    return redis.call('EXISTS', job) == 1 and in_list(active, id)
  end,
  remove = function(id)
    return place_of(id)
  end,
  clean = function(id)
    local set = place_of(id)
    return (set == failed or set == KEYS[6])
      and tonumber(redis.call('ZSCORE', set, id)) <= tonumber(before)
  end,
  fail = function(id, job)
    local fields = redis.call('HMGET', job, 'name', 'deid')
    return fields[1] and not fields[2] and in_list(active, id)
  end,
}
local function remove(id, job, logs, keys)
  local key, command = place_of(id)
  if command == 'LREM' then
    redis.call('LREM', key, 0, id)
  else
    redis.call('ZREM', key, id)
  end
  redis.call('ZREM', KEYS[7], id)
  -- Bull deletes it whichever job it names, and has already done so for a job that has ended.
  if keys.debounce and verb == 'remove' then
    redis.call('DEL', keys.debounce)
  end
  if keys.set then
    redis.call('SREM', keys.set, id)
    redis.call('HDEL', KEYS[10], id)
  end
  redis.call('DEL', job, logs)
end
local acts = {
  retry = function(id, job)
    redis.call('ZREM', failed, id)
    redis.call('HDEL', job, 'finishedOn', 'processedOn', 'failedReason')
    redis.call('HSET', job, 'retriedOn', string.format('%.0f', now_ms()))
    redis.call(pushes_last_in_first(job) and 'RPUSH' or 'LPUSH', target, id)
    wake(id)
  end,
  promote = function(id, job)
    redis.call('ZREM', delayed, id)
    local priority = tonumber(redis.call('HGET', job, 'priority') or '0') or 0
    if priority == 0 then
      redis.call('LPUSH', target, id)
    else
      push_by_priority(id, priority)
    end
    redis.call('HSET', job, 'delay', 0)
    wake(id)
  end,
  requeue = function(id, job)
    redis.call('LREM', active, 1, id)
    redis.call('SREM', KEYS[8], id)
    redis.call('HINCRBY', job, 'stalledCounter', 1)
    redis.call('RPUSH', target, id)
    redis.call('PUBLISH', KEYS[8] .. '@', id)
    wake(id)
  end,
  remove = remove,
  clean = remove,
  fail = function(id, job)
    local now = string.format('%.0f', now_ms())
    redis.call('LREM', active, 1, id)
    redis.call('SREM', KEYS[8], id)
    redis.call('HINCRBY', job, 'stalledCounter', 1)
    redis.call('HSET', job, 'failedReason', 'job stalled more than allowable limit')
    redis.call('HSET', job, 'finishedOn', now)
    redis.call('ZADD', failed, now, id)
    redis.call('PUBLISH', failed,
      cjson.encode({ jobId = id, val = 'job stalled more than maxStalledCount' }))
  end,
}
if not acts[verb] then
  return refused('argument')
end

remember()
local moved, flags, seen = 0, {}, {}
for i = 1, jobs do
  local id, at = ARGV[3 + i], first_job + (i - 1) * each
  local job = KEYS[at]
  local locked = verb ~= 'promote' and redis.call('EXISTS', KEYS[at + 1]) == 1
  local keys = not removes and {} or keys_of(id, job, ARGV[3 + jobs + i])
  local there = not seen[id] and not locked and keys and fits[verb](id, job)
  seen[id] = true
  flags[i] = there and '1' or '0'
  if there then
    acts[verb](id, job, KEYS[at + 2], keys)
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
