-- SPDX-License-Identifier: GPL-3.0-or-later
-- Rotates a circular list by one: the item at the right end goes to the left end.
--
-- KEYS    1 list
-- ARGV    2 the item that was seen at the right end
-- Refuses 'argument', 'missing', 'type', 'nothing' (it has one item), 'forbidden'
-- Guard   the item is at the right end; else conflict with the one that is
-- Cost    O(1) and DUMP of the list
if not ARGV[2] then
  return refused('argument')
end
local wrong = not_a('list', KEYS[1])
if wrong then
  return refused(wrong)
end
local last = redis.call('LINDEX', KEYS[1], -1)
if last ~= ARGV[2] then
  return conflict(last)
end
if redis.call('LLEN', KEYS[1]) == 1 then
  return refused('nothing')
end
if not may('RPOPLPUSH', KEYS[1], KEYS[1]) then
  return refused('forbidden')
end
remember()
redis.call('RPOPLPUSH', KEYS[1], KEYS[1])
return done(1)
