-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of a BullMQ queue as BullMQ's own API does: the same keys, wake-ups and events.
--
-- KEYS    1 meta  2 wait  3 paused  4 active  5 prioritized  6 pc  7 marker  8 events  9 delayed
--         10 failed  11 completed  12 waiting-children  13 stalled  14 repeat
--         15... of each job, in the order of ARGV: its hash and its lock; to remove or
--         clean it also its logs, dependencies, processed, failed and unsuccessful
--         then those of relatives, as ARGV has them
-- ARGV    2 the major version of the library that writes this queue, '4', '5' or '6'
--         3 'retry' (failed), 'promote' (delayed), 'requeue' (in progress, its lock is gone),
--           'remove' (neither in progress nor locked), 'fail' (in progress, its lock is gone),
--           'clean MS' (completed or failed, and ended no later than that)
--         4 how many jobs, and their ids from 5 on   then, to retry, remove or clean them, for each
--         the places in KEYS of its de:<id>, dn:<id>, and of its parent: the hash, dependencies,
--         failed, unsuccessful, and of the parent's queue meta, active, wait, paused, marker,
--         events and waiting-children; 0: it has none
-- Returns items: '1' where a job was as the action wants it and was moved
-- Refuses 'argument', 'missing' or 'type' (meta), 'version', 'forbidden'
-- Guard   each job is still in its state, has the same relatives, and nobody holds its lock; else
--         conflict with ''
-- Cost    O(log N) for a job in a sorted set, O(N) for one in a list
-- 'fail' writes what a worker writes that found the job stalled too often. It does not take a job
-- of a flow, of a scheduler or with a deduplication key, since these would need an update as well.
-- A job that waits for its children and the next job of a scheduler are not removed. The parent of
-- a removed job continues if it waited for that job alone; 'clean' keeps such a job.
local version = tonumber(ARGV[2])
local verb, before = string.match(ARGV[3] or '', '^(%l+) ?(%d*)$')
local wait, paused, active, prioritized = KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local marker, events, delayed, failed = KEYS[7], KEYS[8], KEYS[9], KEYS[10]
local first_job, each = 15, (verb == 'remove' or verb == 'clean') and 7 or 2
local jobs = whole(ARGV[4], 1)
local related = verb == 'retry' or each == 7
if not version or not verb or (verb == 'clean') ~= (before ~= '') or not jobs
    or #ARGV ~= 4 + (related and 2 or 1) * jobs or #KEYS < first_job - 1 + jobs * each then
  return refused('argument')
end
if version < 4 or version > 6 then
  return refused('version')
end
local wrong = not_a('hash', KEYS[1])
if wrong then
  return refused(wrong)
end
if not may('LPUSH', wait, '1') or not may('RPUSH', wait, '1') or not may('LREM', active, 1, '1')
    or not may('ZADD', marker, 0, '0') or not may('ZREM', failed, '1')
    or not may('XADD', events, '*', 'event', 'waiting') or not may('HDEL', KEYS[first_job], 'a')
    or not may('HINCRBY', KEYS[first_job], 'a', 1) or not may('DEL', KEYS[first_job])
    or not may('HSET', KEYS[first_job], 'a', 1) or not may('INCR', KEYS[6])
    or not may('LPOP', wait) or not may('SREM', KEYS[13], '1') or not may('SADD', KEYS[13], '1') then
  return refused('forbidden')
end

local settings = redis.call('HMGET', KEYS[1], 'paused', 'concurrency', 'opts.maxLenEvents')
local is_paused = settings[1] and settings[1] ~= '0'
local is_maxed = settings[2] and redis.call('LLEN', active) >= tonumber(settings[2])
-- Version 6 leaves the jobs of a paused queue in the waiting list.
local target = is_paused and version < 6 and paused or wait
local function tell(...)
  if version == 4 then
    return redis.call('XADD', events, '*', ...)
  end
  if not settings[3] then
    settings[3] = 10000
    redis.call('HSET', KEYS[1], 'opts.maxLenEvents', settings[3])
  end
  redis.call('XADD', events, 'MAXLEN', '~', settings[3], '*', ...)
end
-- Workers of version 5 on block on the marker; those of 4 on the waiting list itself.
local function wake()
  if version > 4 and not is_paused and not is_maxed then
    redis.call('ZADD', marker, 0, '0')
  end
end
local function push(id, job, how, by_priority)
  local priority = by_priority and tonumber(redis.call('HGET', job, 'priority') or '0') or 0
  if priority == 0 then
    redis.call(how, target, id)
    return wake()
  end
  local counter = redis.call('INCR', KEYS[6])
  redis.call('ZADD', prioritized, string.format('%.0f', priority * 4294967296 + counter % 4294967296), id)
  if version == 4 and not is_paused and redis.call('LLEN', wait) == 0 then
    redis.call('LPUSH', wait, '0:0')
  end
  wake()
end
local function pushes_last_in_first(job)
  local options = redis.call('HGET', job, 'opts')
  local read, decoded = pcall(cjson.decode, options or '')
  return read and type(decoded) == 'table' and decoded.lifo == true
end
local function in_list(list, id)
  for _, one in ipairs(redis.call('LRANGE', list, -1000, -1)) do
    if one == id then
      return true
    end
  end
  return false
end
-- The job's relatives as named in ARGV: keys, or false. Nil if it has others by now.
local parts = { 'dedup', 'pending', 'hash', 'dependencies', 'failed', 'unsuccessful', 'meta', 'active',
                'wait', 'paused', 'marker', 'events', 'waiting' }
local function relatives_of(job, text)
  local keys, at = {}, 0
  for place in string.gmatch(text, '%d+') do
    at = at + 1
    keys[parts[at]] = KEYS[tonumber(place)] or false
  end
  local now = redis.call('HMGET', job, 'parentKey', 'deid')
  local parent, deduplicates = now[1] or '', (now[2] or '') ~= '' and ':de:' .. now[2] or ''
  local same = (keys.hash or '') == parent
    and string.sub(keys.dedup or '', -math.max(#deduplicates, 1)) == deduplicates
  return same and keys or nil
end
local function is_awaited(parent, job)
  return parent.hash and redis.call('EXISTS', parent.hash) == 1
    and redis.call('SISMEMBER', parent.dependencies, job) == 1
end
-- Removes the job from its parent. A parent that waited for this job alone continues.
local function leave_parent(parent, job)
  if not is_awaited(parent, job) then
    return
  end
  redis.call('SREM', parent.dependencies, job)
  local id = string.match(parent.hash, '.*:(.*)')
  if redis.call('EXISTS', parent.dependencies) == 1 or redis.call('ZREM', parent.waiting, id) == 0 then
    return
  end
  local own = redis.call('HMGET', parent.meta, 'paused', 'concurrency')
  redis.call('RPUSH', own[1] and version < 6 and parent.paused or parent.wait, id)
  if version > 4 and not own[1]
      and not (own[2] and redis.call('LLEN', parent.active) >= tonumber(own[2])) then
    redis.call('ZADD', parent.marker, 0, '0')
  end
  redis.call('XADD', parent.events, '*', 'event', 'waiting', 'jobId', id, 'prev', 'waiting-children')
end
-- Makes the parent wait again for a child that is retried.
local function rejoin_parent(parent, job)
  if version > 4 and parent.hash and redis.call('EXISTS', parent.hash) == 1
      and (redis.call('ZREM', parent.unsuccessful, job) == 1 or redis.call('HDEL', parent.failed, job) == 1) then
    redis.call('SADD', parent.dependencies, job)
  end
end
local function is_next_of_scheduler(id, job)
  local scheduler = redis.call('HGET', job, 'rjk')
  local at = scheduler and redis.call('ZSCORE', KEYS[14], scheduler)
  return at and id == 'repeat:' .. scheduler .. ':' .. at
end
-- The job's state, its key and the command that removes it from there. Nil if it must stay.
local function removable(id, job, dependencies)
  if is_next_of_scheduler(id, job) or redis.call('EXISTS', dependencies) == 1 then
    return nil
  end
  for state, set in pairs({ failed = failed, completed = KEYS[11], delayed = delayed,
                            prioritized = prioritized }) do
    if redis.call('ZSCORE', set, id) then
      return state, set, 'ZREM'
    end
  end
  for state, list in pairs({ wait = wait, paused = paused }) do
    if in_list(list, id) then
      return state, list, 'LREM'
    end
  end
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
  remove = function(id, job, at)
    return removable(id, job, KEYS[at + 3])
  end,
  clean = function(id, job, at, relatives)
    local state, set = removable(id, job, KEYS[at + 3])
    return not is_awaited(relatives, job) and (state == 'failed' or state == 'completed')
      and tonumber(redis.call('ZSCORE', set, id)) <= tonumber(before)
  end,
  fail = function(id, job)
    local relatives = redis.call('HMGET', job, 'name', 'parentKey', 'rjk', 'deid')
    return relatives[1] and not (relatives[2] or relatives[3] or relatives[4])
      and in_list(active, id)
  end,
}
local function remove(id, job, at, relatives)
  local state, key, command = removable(id, job, KEYS[at + 3])
  leave_parent(relatives, job)
  if command == 'LREM' then
    redis.call('LREM', key, 1, id)
  else
    redis.call('ZREM', key, id)
  end
  if relatives.dedup and redis.call('GET', relatives.dedup) == id then
    redis.call('DEL', relatives.dedup, relatives.pending)
  end
  return redis.call('DEL', job, KEYS[at + 2], KEYS[at + 3], KEYS[at + 4], KEYS[at + 5], KEYS[at + 6]) > 0
    and state
end
local acts = {
  retry = function(id, job, _, relatives)
    redis.call('ZREM', failed, id)
    redis.call('HDEL', job, 'finishedOn', 'processedOn', 'failedReason')
    push(id, job, pushes_last_in_first(job) and 'RPUSH' or 'LPUSH', version == 6)
    rejoin_parent(relatives, job)
    tell('event', 'waiting', 'jobId', id, 'prev', 'failed')
  end,
  promote = function(id, job)
    redis.call('ZREM', delayed, id)
    local head = redis.call('LINDEX', target, 0)
    if head and string.sub(head, 1, 2) == '0:' then
      redis.call('LPOP', target)
    end
    push(id, job, 'LPUSH', true)
    redis.call('HSET', job, 'delay', 0)
    tell('event', 'waiting', 'jobId', id, 'prev', 'delayed')
  end,
  -- As the check for stalled jobs: puts it before all others and counts the stall.
  requeue = function(id, job)
    redis.call('LREM', active, 1, id)
    redis.call('SREM', KEYS[13], id)
    redis.call('HINCRBY', job, version == 4 and 'stalledCounter' or 'stc', 1)
    push(id, job, 'RPUSH', false)
    tell('event', 'waiting', 'jobId', id, 'prev', 'active')
    tell('event', 'stalled', 'jobId', id)
  end,
  remove = function(id, job, at, relatives)
    local state = remove(id, job, at, relatives)
    if state then
      tell('event', 'removed', 'jobId', id, 'prev', state)
    end
  end,
  clean = remove,
  fail = function(id, job)
    local now, reason = string.format('%.0f', now_ms()), 'job stalled more than allowable limit'
    redis.call('LREM', active, 1, id)
    redis.call('SREM', KEYS[13], id)
    redis.call('HINCRBY', job, version == 4 and 'stalledCounter' or 'stc', 1)
    redis.call('HSET', job, 'failedReason', reason, 'finishedOn', now)
    redis.call('ZADD', failed, now, id)
    tell('event', 'failed', 'jobId', id, 'failedReason', reason, 'prev', 'active')
    -- With a concurrency limit, another job can start now.
    if version > 4 and settings[2] and not is_paused and redis.call('EXISTS', wait) == 1 then
      redis.call('ZADD', marker, 0, '0')
    end
  end,
}
if not acts[verb] then
  return refused('argument')
end

remember()
local moved, flags, seen = 0, {}, {}
for i = 1, jobs do
  local id, at = ARGV[4 + i], first_job + (i - 1) * each
  local job = KEYS[at]
  local locked = verb ~= 'retry' and verb ~= 'promote' and redis.call('EXISTS', KEYS[at + 1]) == 1
  local relatives = not related and {} or relatives_of(job, ARGV[4 + jobs + i])
  local there = not seen[id] and not locked and relatives and fits[verb](id, job, at, relatives)
  seen[id] = true
  flags[i] = there and '1' or '0'
  if there then
    acts[verb](id, job, at, relatives)
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
if verb == 'clean' then
  tell('event', 'cleaned', 'count', moved)
end
return done(moved, table.concat(flags))
