-- SPDX-License-Identifier: GPL-3.0-or-later
-- Frees places of a rolling window: removes the oldest marks that still count, at most 10,000.
--
-- KEYS    1 marks: sorted set; score: when
-- ARGV    2 how many places, at least 1   3 the window in ms, at least 1
--         4 the unit of the scores: 's', 'ms', 'us'
-- Returns count: the places freed, fewer than asked for if no more were taken
-- Refuses 'argument', 'missing', 'type', 'nothing' (no mark is in the window), 'forbidden'
-- Guard   none: sent twice, it frees twice as many; the server's time counts
-- Cost    O(log N + R) for R of N removed, and DUMP of the set
local places, window, unit = whole(ARGV[2], 1), whole(ARGV[3], 1), ARGV[4]
if not places or not window or not per_second[unit or ''] then
  return refused('argument')
end
local wrong = not_a('zset', KEYS[1])
if wrong then
  return refused(wrong)
end
-- By rank: marks that have left the window come first and stay. The limiter removes them itself.
local inside = above(now_in(unit) - window * per_second[unit] / 1000)
local taken = redis.call('ZCOUNT', KEYS[1], inside, '+inf')
if taken == 0 then
  return refused('nothing')
end
local first = redis.call('ZCARD', KEYS[1]) - taken
if not may('ZREMRANGEBYRANK', KEYS[1], 0, 0) then
  return refused('forbidden')
end
remember()
local freed = math.min(places, taken, most_removed)
return done(redis.call('ZREMRANGEBYRANK', KEYS[1], first, first + freed - 1))
