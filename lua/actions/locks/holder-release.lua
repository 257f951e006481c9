-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a place in a semaphore from one holder and wakes one waiter.
--
-- KEYS    1 the holders, a sorted set   2 the list on which waiters block, where there is one
-- ARGV    2 the holder's member   3 with KEYS 2: the element that wakes a waiter
--         then a channel and the message for it, each
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   the holder is there; else conflict
-- Cost    O(log N), and DUMP of the keys
local first = KEYS[2] and 4 or 3
if #ARGV < first - 1 or (#ARGV - first) % 2 ~= 1 then
  return refused('argument')
end
local wrong = not_a('zset', KEYS[1])
if not wrong and KEYS[2] and not_a('list', KEYS[2]) == 'type' then
  wrong = 'type'
end
if wrong then
  return refused(wrong)
end
if not redis.call('ZSCORE', KEYS[1], ARGV[2]) then
  return conflict('')
end
if not may('ZREM', KEYS[1], ARGV[2]) or not may_tell_from(first)
    or (KEYS[2] and not may('LPUSH', KEYS[2], ARGV[3])) then
  return refused('forbidden')
end
remember()
redis.call('ZREM', KEYS[1], ARGV[2])
if KEYS[2] then
  redis.call('LPUSH', KEYS[2], ARGV[3])
end
tell_from(first)
return done(1)
