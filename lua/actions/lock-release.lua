-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a lock from its owner, if it still is the owner that was seen.
--
-- KEYS    1 lock
-- ARGV    2 the value that was seen
-- Refuses 'missing', 'type', 'forbidden'
-- Guard   the value is what was seen; else conflict with the present value
-- Cost    O(1) and DUMP of the key
local wrong = not_a('string', KEYS[1])
if wrong then
  return refused(wrong)
end
local value = redis.call('GET', KEYS[1])
if value ~= ARGV[2] then
  return conflict(value)
end
if not may('DEL', KEYS[1]) then
  return refused('forbidden')
end
remember()
redis.call('DEL', KEYS[1])
return done(1)
