-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a lock that is a hash from its owner, if the field that tells it is what was seen, and tells
-- those who wait for it as its library does.
--
-- KEYS    1 lock
-- ARGV    2 the field   3 its value, as it was seen   4 and on: a channel and the message for it, each
-- Refuses 'missing', 'type', 'forbidden', 'argument'
-- Guard   the field has the value that was seen; else conflict with the present one
-- Cost    O(N) of the fields, and DUMP of the key
if #ARGV < 3 or #ARGV % 2 ~= 1 then
  return refused('argument')
end
local wrong = not_a('hash', KEYS[1])
if wrong then
  return refused(wrong)
end
local value = redis.call('HGET', KEYS[1], ARGV[2])
if value ~= ARGV[3] then
  return conflict(value)
end
if not may('DEL', KEYS[1]) or not may_tell_from(4) then
  return refused('forbidden')
end
remember()
redis.call('DEL', KEYS[1])
tell_from(4)
return done(1)
