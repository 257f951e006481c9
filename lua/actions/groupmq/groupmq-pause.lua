-- SPDX-License-Identifier: GPL-3.0-or-later
-- Pauses or resumes a GroupMQ queue, as its own API does.
--
-- KEYS    1 paused
-- ARGV    2 'pause' or 'resume'
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   the queue is not in that condition already; else conflict with '1' (paused) or '0'
-- Cost    O(1)
local verb = ARGV[2]
if verb ~= 'pause' and verb ~= 'resume' then
  return refused('argument')
end
if not_a('string', KEYS[1]) == 'type' then
  return refused('type')
end
if not may('SET', KEYS[1], '1') or not may('DEL', KEYS[1]) then
  return refused('forbidden')
end
local paused = redis.call('EXISTS', KEYS[1]) == 1
if paused == (verb == 'pause') then
  return conflict(paused and '1' or '0')
end
remember()
if verb == 'pause' then
  redis.call('SET', KEYS[1], '1')
else
  redis.call('DEL', KEYS[1])
end
return done(1)
