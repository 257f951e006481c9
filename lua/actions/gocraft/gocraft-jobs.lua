-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of a queue of gocraft/work as its client, requeuer and dead pool reaper do.
--
-- KEYS    1 the queue  2 known_jobs  3 lock  4 lock_info  5 the set the jobs are in ('requeue': any)
--         to remove them, 6... the keys that keep them unique
--         to requeue them, 6... of each pool in turn: its list in progress and its hash
-- ARGV    2 'retry' (dead), 'promote' (scheduled or retry), 'requeue' (in progress, its pool is
--           dead), 'remove' (of a set)   3 the job's name
--         4... the jobs, as they are stored; to requeue them "N POOL JOB": which of KEYS its list is;
--         to remove them "N JOB": which of KEYS keeps it unique, 0: none does
-- Returns items: '1' where a job was as the action wants it and was moved
-- Refuses 'argument', 'type', 'unknown' (no pool knows jobs of that name), 'forbidden'
-- Guard   each job is still there, byte for byte, and its pool is dead; else conflict with ''
-- Cost    O(log N) for a job in a set, O(N) for one in progress
local verb, name, first_job = ARGV[2], ARGV[3], 4
local queue, known, lock, lock_info, set = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local jobs = #ARGV - first_job + 1
if jobs < 1 or #KEYS < 5 or (verb == 'requeue' and #KEYS < 7) then
  return refused('argument')
end
if not_a('list', queue) == 'type' or not_a('set', known) == 'type'
    or (verb ~= 'requeue' and not_a('zset', set) == 'type') then
  return refused('type')
end
if redis.call('SISMEMBER', known, name) == 0 then
  return refused('unknown')
end
if not may('LPUSH', queue, '1') or not may('LREM', queue, 1, '1') or not may('ZREM', set, '1')
    or (verb == 'remove' and not may('DEL', queue)) or not may('DECR', lock) or not may('HINCRBY', lock_info, 'a', -1) then
  return refused('forbidden')
end

local now_s = math.floor(now_in('s'))
local function decoded(job)
  local read, value = pcall(cjson.decode, job)
  return read and type(value) == 'table' and value or nil
end
local function is_dead(heartbeat)
  local at = redis.call('HGET', heartbeat, 'heartbeat_at')
  return not at or tonumber(at) + 10 <= now_s
end

local fits = {
  requeue = function(job, pool, progress, heartbeat)
    local list = not_a('list', progress) == nil and redis.call('LRANGE', progress, 0, 999) or {}
    for _, one in ipairs(list) do
      if one == job then
        return is_dead(heartbeat)
      end
    end
    return false
  end,
}
local function in_set(job)
  return redis.call('ZSCORE', set, job) and decoded(job)
end
fits.retry, fits.promote, fits.remove = in_set, in_set, in_set
local function enqueue(job, keep_failure)
  local value = decoded(job)
  value.t = now_s
  if not keep_failure then
    value.fails, value.failed_at, value.err = nil, nil, nil
  end
  redis.call('ZREM', set, job)
  redis.call('LPUSH', queue, cjson.encode(value))
end
local acts = {
  retry = function(job)
    enqueue(job, false)
  end,
  promote = function(job)
    enqueue(job, true)
  end,
  requeue = function(job, pool, progress)
    redis.call('LREM', progress, -1, job)
    redis.call('LPUSH', queue, job)
    redis.call('DECR', lock)
    redis.call('HINCRBY', lock_info, pool, -1)
  end,
  remove = function(job, _, unique)
    redis.call('ZREM', set, job)
    if unique then
      redis.call('DEL', unique)
    end
  end,
}
if not acts[verb] then
  return refused('argument')
end

remember()
local moved, flags = 0, {}
for i = 1, jobs do
  local job, pool, at = ARGV[first_job + i - 1], nil, 6
  if verb == 'requeue' then
    at, pool, job = string.match(job, '^(%d+) (%S+) (.*)$')
    at = whole(at, 6) or 0
  elseif verb == 'remove' then
    at, job = string.match(job, '^(%d+) (.*)$')
    at = whole(at, 6) or 0
  end
  local progress, heartbeat = KEYS[at], KEYS[at + 1]
  local there = job and (verb ~= 'requeue' or (progress and heartbeat)) and fits[verb](job, pool, progress, heartbeat)
  flags[i] = there and '1' or '0'
  if there then
    acts[verb](job, pool, progress)
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
