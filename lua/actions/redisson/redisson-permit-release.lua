-- SPDX-License-Identifier: GPL-3.0-or-later
-- Gives permits of a Redisson semaphore back and tells those who wait: one that somebody has taken,
-- or, where the library keeps no record of who took them, so many.
--
-- KEYS    1 how many are available   2 the taken ones, a sorted set, where there is one
-- ARGV    2 the channel   3 without KEYS 2 how many, at least 1; with it the permit
-- Refuses 'argument', 'missing', 'type', 'value' (what is available is no number), 'forbidden'
-- Guard   the permit is taken; else conflict
-- Cost    O(log N) and DUMP of the keys
local permit = KEYS[2] and ARGV[3]
local count = permit and 1 or whole(ARGV[3], 1)
if #ARGV ~= 3 or not count then
  return refused('argument')
end
local wrong = not_a('string', KEYS[1])
if permit then
  wrong = not_a('zset', KEYS[2]) or (wrong == 'type' and wrong or nil)
end
if wrong then
  return refused(wrong)
end
local available = redis.call('GET', KEYS[1]) or '0'
if not string.match(available, '^%-?%d+$') then
  return refused('value')
end
if permit and not redis.call('ZSCORE', KEYS[2], permit) then
  return conflict('')
end
if not may('INCRBY', KEYS[1], count) or not may('PUBLISH', ARGV[2], '1')
    or (permit and not may('ZREM', KEYS[2], permit)) then
  return refused('forbidden')
end
remember()
if permit then
  redis.call('ZREM', KEYS[2], permit)
end
local now = redis.call('INCRBY', KEYS[1], count)
tell(ARGV[2], string.format('%.0f', now))
return done(count)
