-- SPDX-License-Identifier: GPL-3.0-or-later
-- Pauses or resumes a BullMQ queue, as BullMQ's own API does.
--
-- KEYS    1 meta  2 wait  3 paused  4 prioritized  5 delayed  6 marker  7 events
-- ARGV    2 the major version, '4', '5' or '6'   3 'pause', 'resume', or, before it, 'gather': version 6
--         does not know the paused list that an earlier one has left, and jobs of a long one go to
--         the waiting list a part at a time
-- Returns count: 1; with 'gather': the jobs that were moved
-- Refuses 'argument', 'version', 'missing' or 'type' (meta), 'both' (lists of version 4 or 5),
--         'toomany' (to resume: the paused list has to be gathered first), 'forbidden'
-- Guard   the queue is not in that condition already, or still paused with 'gather'; else conflict
--         with '1' (paused) or '0'
-- Cost    O(N) for N jobs of the paused list, at most 1000, with version 6; else O(1)
local most = 1000
local version, verb = tonumber(ARGV[2]), ARGV[3]
if not version or (verb ~= 'pause' and verb ~= 'resume' and verb ~= 'gather') then
  return refused('argument')
end
if version < 4 or version > 6 or (verb == 'gather' and version < 6) then
  return refused('version')
end
local wrong = not_a('hash', KEYS[1])
if wrong then
  return refused(wrong)
end
if not may('HSET', KEYS[1], 'paused', 1) or not may('HDEL', KEYS[1], 'paused')
    or not may('RENAME', KEYS[2], KEYS[3]) or not may('ZADD', KEYS[6], 0, '0')
    or not may('DEL', KEYS[6]) or not may('RPUSH', KEYS[2], '1')
    or not may('LPOP', KEYS[3]) or not may('LPUSH', KEYS[2], '0:0')
    or not may('XADD', KEYS[7], '*', 'event', 'paused') then
  return refused('forbidden')
end
local paused = redis.call('HGET', KEYS[1], 'paused')
paused = paused and paused ~= '0'
if paused == (verb == 'pause') then
  return conflict(paused and '1' or '0')
end
local from, to = KEYS[2], KEYS[3]
if verb ~= 'pause' then
  from, to = to, from
end
-- Both lists may have jobs after a change of versions. Neither is overwritten.
if redis.call('EXISTS', from) == 1 and redis.call('EXISTS', to) == 1 and version < 6 then
  return refused('both')
end
local left = redis.call('LLEN', from)
local apart = redis.call('EXISTS', to) == 1 and left or 0
if version == 6 and verb == 'resume' and apart > most then
  return refused('toomany')
end
remember()
if redis.call('EXISTS', from) == 1 and (version < 6 or verb ~= 'pause') then
  if apart == 0 then
    redis.call('RENAME', from, to)
  else
    for _ = 1, math.min(apart, most) do
      redis.call('RPUSH', to, redis.call('LPOP', from))
    end
  end
end
if verb == 'gather' then
  return done(apart == 0 and left or math.min(apart, most))
end
if verb == 'pause' then
  redis.call('HSET', KEYS[1], 'paused', 1)
  if version > 4 then
    redis.call('DEL', KEYS[6])
  end
else
  redis.call('HDEL', KEYS[1], 'paused')
  local more = redis.call('ZCARD', KEYS[4]) > 0
  if version == 4 then
    if more and redis.call('LLEN', KEYS[2]) == 0 then
      redis.call('LPUSH', KEYS[2], '0:0')
    end
  elseif more or redis.call('EXISTS', KEYS[2]) == 1 then
    redis.call('ZADD', KEYS[6], 0, '0')
  else
    local next_job = redis.call('ZRANGE', KEYS[5], 0, 0, 'WITHSCORES')
    if next_job[2] then
      redis.call('ZADD', KEYS[6], string.format('%.0f', math.floor(next_job[2] / 4096)), '1')
    end
  end
end
redis.call('XADD', KEYS[7], '*', 'event', verb == 'pause' and 'paused' or 'resumed')
return done(1)
