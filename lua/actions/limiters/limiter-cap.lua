-- SPDX-License-Identifier: GPL-3.0-or-later
-- Cuts a horizon: removes the reservations that lie further ahead than the cap, the furthest 10,000.
--
-- KEYS    1 reservations: sorted set; score: the moment of each
-- ARGV    2 the cap in ms from now, 0: all that lie ahead
--         3 the unit of the scores: 's', 'ms', 'us'
-- Returns count: the reservations removed
-- Refuses 'argument', 'missing', 'type', 'nothing' (none lies beyond the cap), 'forbidden'
-- Guard   none: it is as right later; the server's time counts
-- Cost    O(log N + R) for R of N removed, and DUMP of the set
local cap, unit = whole(ARGV[2], 0), ARGV[3]
if not cap or not per_second[unit or ''] then
  return refused('argument')
end
local wrong = not_a('zset', KEYS[1])
if wrong then
  return refused(wrong)
end
local beyond = above(now_in(unit) + cap * per_second[unit] / 1000)
local count = redis.call('ZCOUNT', KEYS[1], beyond, '+inf')
if count == 0 then
  return refused('nothing')
end
if not may('ZREMRANGEBYRANK', KEYS[1], 0, 0) then
  return refused('forbidden')
end
remember()
return done(redis.call('ZREMRANGEBYRANK', KEYS[1], -math.min(count, most_removed), -1))
