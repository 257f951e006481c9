-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sets the TTL of a lock: sooner, later, or for a lock that had none.
--
-- KEYS    1 lock
-- ARGV    2 the value that was seen   3 the lease from now in ms, at least 1
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   the value is what was seen; else conflict with the present value
-- Cost    O(1) and DUMP of the key
local lease = whole(ARGV[3], 1)
if not lease then
  return refused('argument')
end
local wrong = not_a('string', KEYS[1])
if wrong then
  return refused(wrong)
end
local value = redis.call('GET', KEYS[1])
if value ~= ARGV[2] then
  return conflict(value)
end
if not may('PEXPIRE', KEYS[1], lease) then
  return refused('forbidden')
end
remember()
redis.call('PEXPIRE', KEYS[1], lease)
return done(1)
