-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of an RQ queue as RQ's own registries and jobs do: the same keys and fields.
--
-- KEYS    1 the queue's list  2 the set of all queues  3 wip  4 scheduled  5 failed  6 finished
--         7 canceled   8... of each job, in the order of ARGV: its hash, its results, its
--         dependents, its dependencies, its executions, its worker; then those that ARGV names
-- ARGV    2 'retry' (of failed), 'promote' (of scheduled), 'requeue' (in progress, and the moment
--         until which its worker is trusted has passed, or the worker's own key is gone), 'fail' (as
--         requeue, but as RQ's own check does it: while the job has retries left it is queued or scheduled, else it has failed
--         and dependents that allow that are queued),
--         'remove' or 'clean' (of finished, failed or canceled, and ended no later than ARGV 3)
--         3 the time as RQ writes it, for enqueued_at; to clean, a space and its second   4... the ids; to fail them, 4 the reason,
--         compressed as RQ does it   5 their number   6... the ids, then for each how many dependents
--         it has, and for each of these its member there, its id, and the places in KEYS of its
--         hash, its queue, the queue's registry of deferred jobs, and the hashes of the other jobs
--         it depends on
-- Returns items: '1' where a job was as the action wants it and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each job is still in its registry, and in progress its worker is not trusted any more; else
--         conflict
-- Cost    O(log N) for a job in a registry, O(N) for one in the list
local verb, first_job, each, year = ARGV[2], 8, 6, 31536000
local queue, wip, scheduled, failed = KEYS[1], KEYS[3], KEYS[4], KEYS[5]
-- The dependents of each job: {member, id, hash, queue, deferred, others}.
local jobs, dependents = #ARGV - 3, {}
if verb == 'fail' then
  jobs = whole(ARGV[5], 1) or 0
  local next_arg = 6 + jobs
  for i = 1, jobs do
    dependents[i] = {}
    for d = 1, whole(ARGV[next_arg], 0) or 0 do
      local at, others = {}, {}
      for place in string.gmatch(ARGV[next_arg + 3 * d] or '', '%d+') do
        at[#at + 1] = KEYS[tonumber(place)]
      end
      for o = 4, #at do
        others[#others + 1] = at[o]
      end
      dependents[i][d] = { ARGV[next_arg + 3 * d - 2], ARGV[next_arg + 3 * d - 1], at[1], at[2], at[3], others }
    end
    next_arg = next_arg + 1 + 3 * #dependents[i]
  end
  if next_arg ~= #ARGV + 1 then
    return refused('argument')
  end
end
local first_id = verb == 'fail' and 6 or 4
if jobs < 1 or #KEYS < first_job - 1 + jobs * each then
  return refused('argument')
end
if not may('RPUSH', queue, '1') or not may('LREM', queue, 1, '1') or not may('ZREM', failed, '1')
    or not may('HSET', KEYS[first_job], 'a', '1') or not may('HDEL', KEYS[first_job], 'a')
    or not may('PERSIST', KEYS[first_job]) or not may('PEXPIRE', KEYS[first_job], 1) or not may('DEL', KEYS[first_job])
    or not may('SADD', KEYS[2], '1') or not may('ZADD', failed, 1, '1') then
  return refused('forbidden')
end

for i = 1, first_job - 1 + jobs * each do
  local kind = i == 1 and 'list' or i == 2 and 'set' or i < first_job and 'zset'
    or (i - first_job) % each == 0 and 'hash'
  if kind and not_a(kind, KEYS[i]) == 'type' then
    return refused('type')
  end
end

-- Since RQ 2 a member of wip is "<job>:<execution>".
local function in_progress(id)
  for _, member in ipairs(redis.call('ZRANGE', wip, 0, 999)) do
    if member == id or string.sub(member, 1, #id + 1) == id .. ':' then
      return member
    end
  end
end
local function enqueue(id, job)
  redis.call('SADD', KEYS[2], queue)
  redis.call('HSET', job, 'status', 'queued', 'enqueued_at', ARGV[3], 'started_at', '',
    'ended_at', '')
  redis.call('HDEL', job, 'exc_info')
  redis.call('PERSIST', job)
  redis.call('RPUSH', queue, id)
end
local function place_of(id)
  for _, set in ipairs({ failed, scheduled, KEYS[6], KEYS[7] }) do
    if redis.call('ZSCORE', set, id) then
      return set
    end
  end
  for _, one in ipairs(redis.call('LRANGE', queue, 0, 9999)) do
    if one == id then
      return queue
    end
  end
end

local function is_gone(job, worker)
  local name = redis.call('HGET', job, 'worker_name') or ''
  return name ~= '' and string.sub(worker, -#name - 1) == ':' .. name and redis.call('EXISTS', worker) == 0
end

local fits = {
  retry = function(id, job)
    return redis.call('ZSCORE', failed, id) and redis.call('EXISTS', job) == 1
  end,
  promote = function(id, job)
    return redis.call('ZSCORE', scheduled, id) and redis.call('EXISTS', job) == 1
  end,
  requeue = function(id, job, worker)
    local member = in_progress(id)
    local trusted = member and tonumber(redis.call('ZSCORE', wip, member))
    return trusted and (trusted < now_in('s') or is_gone(job, worker)) and redis.call('EXISTS', job) == 1
  end,
  remove = place_of,
  clean = function(id, job)
    local ended = redis.call('HGET', job, 'ended_at')
    local place = place_of(id)
    if not ended or not place or place == queue or place == scheduled then
      return false
    elseif ended ~= '' then
      return ended <= ARGV[3]
    end
    -- Its worker died: the registry's score gives the time of the failure.
    local kept = whole(redis.call('HGET', job, 'failure_ttl'), -1) or year
    local last = whole(string.match(ARGV[3], ' (%d+)$'), 0)
    return place == failed and last and kept >= 0 and redis.call('ZSCORE', failed, id) - kept <= last
  end,
}
fits.fail = fits.requeue

local function remove(id, at)
  local place = place_of(id)
  if place == queue then
    redis.call('LREM', queue, 1, id)
  else
    redis.call('ZREM', place, id)
  end
  redis.call('DEL', KEYS[at], KEYS[at + 2], KEYS[at + 3], KEYS[at + 4]) -- RQ keeps results for their own time
end
-- As RQ queues a job that waited for others or that is retried.
local function queue_again(id, job, list, in_front)
  redis.call('SADD', KEYS[2], list)
  redis.call('HSET', job, 'status', 'queued', 'enqueued_at', ARGV[3])
  redis.call(in_front == '1' and 'LPUSH' or 'RPUSH', list, id)
end
local function try_again(id, job, left)
  local read, intervals = pcall(cjson.decode, redis.call('HGET', job, 'retry_intervals') or '')
  intervals = read and type(intervals) == 'table' and intervals or {}
  local pause = tonumber(intervals[math.max(#intervals - left, 0) + 1]) or 0
  redis.call('HSET', job, 'retries_left', left - 1)
  if pause <= 0 then
    return queue_again(id, job, queue, redis.call('HGET', job, 'enqueue_at_front_on_retry'))
  end
  redis.call('SADD', KEYS[2], queue)
  redis.call('HSET', job, 'status', 'scheduled')
  redis.call('ZADD', scheduled, math.floor(now_in('s') + pause), id)
end
local function is_ready(dependent)
  local now = redis.call('HMGET', dependent[3], 'status', 'allow_dependency_failures')
  if now[1] ~= 'deferred' or now[2] ~= '1' then
    return false
  end
  for _, other in ipairs(dependent[6]) do
    local status = redis.call('HGET', other, 'status')
    if status and status ~= 'finished' and status ~= 'failed' then
      return false
    end
  end
  return true
end
local function queue_dependents(all, set)
  for _, dependent in ipairs(all) do
    local member, id, job, list, deferred = unpack(dependent)
    if redis.call('SISMEMBER', set, member) == 1 and is_ready(dependent) then
      redis.call('ZREM', deferred, id)
      queue_again(id, job, list, redis.call('HGET', job, 'enqueue_at_front'))
      redis.call('SREM', set, member)
    end
  end
end
local acts = {
  retry = function(id, at)
    redis.call('ZREM', failed, id)
    enqueue(id, KEYS[at])
    redis.call('HSET', KEYS[at], 'exc_info', '\120\156\3\0\0\0\0\1') -- no text, compressed
  end,
  promote = function(id, at)
    redis.call('ZREM', scheduled, id)
    queue_again(id, KEYS[at], queue, redis.call('HGET', KEYS[at], 'enqueue_at_front'))
  end,
  requeue = function(id, at)
    redis.call('ZREM', wip, in_progress(id))
    redis.call('DEL', KEYS[at + 4])
    enqueue(id, KEYS[at])
  end,
  remove = remove,
  clean = remove,
  -- As RQ's check of the registry does, for the job's own time, by default a year.
  fail = function(id, at, waiting)
    local job = KEYS[at]
    local left = whole(redis.call('HGET', job, 'retries_left'), 1)
    if left then
      redis.call('ZREM', wip, in_progress(id))
      redis.call('DEL', KEYS[at + 4])
      return try_again(id, job, left)
    end
    local kept = whole(redis.call('HGET', job, 'failure_ttl'), -1) or year
    redis.call('ZREM', wip, in_progress(id))
    redis.call('DEL', KEYS[at + 4])
    redis.call('HSET', job, 'status', 'failed', 'exc_info', ARGV[4])
    redis.call('ZADD', failed, kept < 0 and kept or math.floor(now_in('s')) + kept, id)
    queue_dependents(waiting, KEYS[at + 2])
    for _, key in ipairs({ job, KEYS[at + 2], KEYS[at + 3] }) do
      if kept >= 0 then
        redis.call('PEXPIRE', key, kept * 1000)
      end
    end
  end,
}
if not acts[verb] then
  return refused('argument')
end

remember()
local moved, flags, seen = 0, {}, {}
for i = 1, jobs do
  local id, at = ARGV[first_id + i - 1], first_job + (i - 1) * each
  local there = not seen[id] and fits[verb](id, KEYS[at], KEYS[at + 5])
  seen[id] = true
  flags[i] = there and '1' or '0'
  if there then
    acts[verb](id, at, dependents[i])
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
