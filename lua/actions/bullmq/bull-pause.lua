-- SPDX-License-Identifier: GPL-3.0-or-later
-- Pauses or resumes a queue of Bull 3 or 4, as Bull's own API does.
--
-- KEYS    1 wait  2 paused  3 meta-paused  4 meta
-- ARGV    2 'pause' or 'resume'
-- Refuses 'argument', 'type', 'both' (both lists hold jobs), 'forbidden'
-- Guard   the queue is not in that condition already; else conflict with '1' (paused) or '0'
-- Cost    O(1)
local verb = ARGV[2]
if verb ~= 'pause' and verb ~= 'resume' then
  return refused('argument')
end
if not_a('hash', KEYS[4]) == 'type' then
  return refused('type')
end
if not may('SET', KEYS[3], '1') or not may('DEL', KEYS[3]) or not may('RENAME', KEYS[1], KEYS[2])
    or not may('HSET', KEYS[4], 'paused', 1) or not may('HDEL', KEYS[4], 'paused')
    or not may('PUBLISH', KEYS[2], 'paused') then
  return refused('forbidden')
end
local paused = redis.call('EXISTS', KEYS[3]) == 1
if paused == (verb == 'pause') then
  return conflict(paused and '1' or '0')
end
local from, to = KEYS[1], KEYS[2]
if verb == 'resume' then
  from, to = to, from
end
if redis.call('EXISTS', from) == 1 and redis.call('EXISTS', to) == 1 then
  return refused('both')
end
remember()
if redis.call('EXISTS', from) == 1 then
  redis.call('RENAME', from, to)
end
if verb == 'pause' then
  redis.call('SET', KEYS[3], '1')
  redis.call('HSET', KEYS[4], 'paused', 1)
else
  redis.call('DEL', KEYS[3])
  redis.call('HDEL', KEYS[4], 'paused')
end
local stem = string.sub(KEYS[3], 1, -string.len('meta-paused') - 1)
redis.call('PUBLISH', stem .. (verb == 'pause' and 'paused' or 'resumed'),
  verb == 'pause' and 'paused' or 'resumed')
return done(1)
