-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a lock from its owner, if that is still the owner that was seen, and wakes waiters as its
-- library does.
--
-- KEYS    1 lock   2 the list on which its waiters block, where there is one
-- ARGV    2 the value that was seen   3 with KEYS 2: the element that wakes a waiter
--         then a channel and the message for it, each
-- Refuses 'missing', 'type', 'forbidden', 'argument'
-- Guard   the value is what was seen; else conflict with the present value
-- Cost    O(1) and DUMP of the keys
local first = KEYS[2] and 4 or 3
if #ARGV < first - 1 or (#ARGV - first) % 2 ~= 1 then
  return refused('argument')
end
local wrong = not_a('string', KEYS[1])
if not wrong and KEYS[2] and not_a('list', KEYS[2]) == 'type' then
  wrong = 'type'
end
if wrong then
  return refused(wrong)
end
local value = redis.call('GET', KEYS[1])
if value ~= ARGV[2] then
  return conflict(value)
end
if not may('DEL', KEYS[1]) or not may_tell_from(first)
    or (KEYS[2] and not (may('DEL', KEYS[2]) and may('LPUSH', KEYS[2], ARGV[3]))) then
  return refused('forbidden')
end
remember()
redis.call('DEL', KEYS[1])
if KEYS[2] then
  redis.call('DEL', KEYS[2])
  redis.call('LPUSH', KEYS[2], ARGV[3])
end
tell_from(first)
return done(1)
