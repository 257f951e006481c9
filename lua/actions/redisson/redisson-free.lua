-- SPDX-License-Identifier: GPL-3.0-or-later
-- Frees permits of a Redisson rate limiter: the oldest in the interval, whole acquires of them.
--
-- KEYS    1 config: hash   2 value: string   3 permits: sorted set; of one client for type 1
-- ARGV    2 how many permits, at least 1
-- Returns count: the permits freed; more than asked for where an acquire took several, fewer where
--         no more are taken
-- Refuses 'argument', 'missing' (config), 'type', 'value' (no limiter, or a member of no known
--         packing), 'toomany' (over 10,000 acquires in the interval), 'nothing' (none is taken),
--         'forbidden'
-- Guard   none: sent twice, it frees twice as many; the server's time counts
-- Cost    O(N) for N permits, and DUMP of the keys
-- Sets value to the rate less the permits left in the interval and removes expired permits.
local wanted = whole(ARGV[2], 1)
if not wanted then
  return refused('argument')
end
local limiter, why = redisson_limiter()
if not limiter then
  return refused(why)
end
if #limiter.inside == 0 then
  return refused('nothing')
end
local acquires, freed = 0, 0
while freed < wanted and acquires < #limiter.inside do
  acquires = acquires + 1
  freed = freed + limiter.inside[acquires]
end
if not redisson_may() or not may('ZREMRANGEBYRANK', KEYS[3], 0, 0) then
  return refused('forbidden')
end
remember()
redisson_write(limiter, redisson_free(limiter, limiter.used - freed))
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, acquires - 1)
return done(freed)
