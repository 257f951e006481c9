-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of an RQ queue as RQ's own registries and jobs do: the same keys and fields.
--
-- KEYS    1 the queue's list  2 the set of all queues  3 wip  4 scheduled  5 failed  6 finished
--         7 canceled   8... of each job, in the order of ARGV: its hash, its results, its
--         dependents, its dependencies, its executions
-- ARGV    2 'retry' (of failed), 'promote' (of scheduled), 'requeue' (in progress, and the moment
--         until which its worker is trusted has passed), 'fail' (as requeue, but to failed),
--         'remove' or 'clean' (of finished, failed or canceled, and ended no later than ARGV 3)
--         3 the time as RQ writes it, for enqueued_at or ended_at   4... the ids
-- Returns items: '1' where a job was as the action wants it and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each job is still in its registry, and in progress its moment has passed; else conflict
-- Cost    O(log N) for a job in a registry, O(N) for one in the list
-- What fails on the way to its worker is RQ's to see: a job with dependents keeps them.
local verb, first_job, each = ARGV[2], 8, 5
local queue, wip, scheduled, failed = KEYS[1], KEYS[3], KEYS[4], KEYS[5]
if #ARGV < 4 or #KEYS ~= first_job - 1 + (#ARGV - 3) * each then
  return refused('argument')
end
if not may('RPUSH', queue, '1') or not may('LREM', queue, 1, '1') or not may('ZREM', failed, '1')
    or not may('HSET', KEYS[first_job], 'a', '1') or not may('HDEL', KEYS[first_job], 'a')
    or not may('PERSIST', KEYS[first_job]) or not may('DEL', KEYS[first_job])
    or not may('SADD', KEYS[2], '1') or not may('ZADD', failed, 1, '1') then
  return refused('forbidden')
end

for i = 1, #KEYS do
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

local fits = {
  retry = function(id, job)
    return redis.call('ZSCORE', failed, id) and redis.call('EXISTS', job) == 1
  end,
  promote = function(id, job)
    return redis.call('ZSCORE', scheduled, id) and redis.call('EXISTS', job) == 1
  end,
  requeue = function(id, job)
    local member = in_progress(id)
    local trusted = member and tonumber(redis.call('ZSCORE', wip, member))
    return trusted and trusted < now_in('s') and redis.call('EXISTS', job) == 1
  end,
  remove = place_of,
  clean = function(id, job)
    local ended = redis.call('HGET', job, 'ended_at')
    local place = place_of(id)
    return ended and ended ~= '' and ended <= ARGV[3] and place and place ~= queue
      and place ~= scheduled
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
  redis.call('DEL', KEYS[at], KEYS[at + 1], KEYS[at + 2], KEYS[at + 3], KEYS[at + 4])
end
local acts = {
  retry = function(id, at)
    redis.call('ZREM', failed, id)
    enqueue(id, KEYS[at])
  end,
  promote = function(id, at)
    redis.call('ZREM', scheduled, id)
    enqueue(id, KEYS[at])
  end,
  requeue = function(id, at)
    redis.call('ZREM', wip, in_progress(id))
    redis.call('DEL', KEYS[at + 4])
    enqueue(id, KEYS[at])
  end,
  remove = remove,
  clean = remove,
  -- As the check of the registry does it, for as long as the job says, a year unless it does.
  fail = function(id, at)
    local job = KEYS[at]
    local kept = whole(redis.call('HGET', job, 'failure_ttl'), -1) or 31536000
    redis.call('ZREM', wip, in_progress(id))
    redis.call('DEL', KEYS[at + 4])
    redis.call('HSET', job, 'status', 'failed', 'ended_at', ARGV[3], 'exc_info',
      'Moved to FailedJobRegistry at ' .. ARGV[3])
    redis.call('PERSIST', job)
    redis.call('ZADD', failed, kept < 0 and '+inf' or math.floor(now_in('s')) + kept, id)
  end,
}
if not acts[verb] then
  return refused('argument')
end

remember()
local moved, flags, seen = 0, {}, {}
for i = 4, #ARGV do
  local id, at = ARGV[i], first_job + (i - 4) * each
  local there = not seen[id] and fits[verb](id, KEYS[at])
  seen[id] = true
  flags[i - 3] = there and '1' or '0'
  if there then
    acts[verb](id, at)
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
