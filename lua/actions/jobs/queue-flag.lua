-- SPDX-License-Identifier: GPL-3.0-or-later
-- Pauses or resumes a queue whose library uses the existence of one key for that.
--
-- KEYS    1 the key
-- ARGV    2 'pause' or 'resume'   3 what it holds: a word, or 'now': the server's time in seconds
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   the queue is not in that condition already; else conflict with '1' (paused) or '0'
-- Cost    O(1)
local verb, value = ARGV[2], ARGV[3]
if (verb ~= 'pause' and verb ~= 'resume') or not value or value == '' then
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
if verb == 'resume' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1],
    value == 'now' and string.format('%.0f', math.floor(now_in('s'))) or value)
end
return done(1)
