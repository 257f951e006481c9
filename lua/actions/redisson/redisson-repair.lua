-- SPDX-License-Identifier: GPL-3.0-or-later
-- Makes the keys of a Redisson rate limiter agree: removes the expired permits and sets value to
-- the rate less those in the interval.
--
-- KEYS    1 config: hash   2 value: string   3 permits: sorted set; of one client for type 1
-- Refuses 'missing' (config), 'type', 'value' (no limiter, or a member of no known packing),
--         'toomany' (over 10,000 acquires in the interval), 'agrees' (they do), 'layout' (before
--         3.13.3: value alone counts and ends with the interval), 'forbidden'
-- Guard   they do not agree; the server's time counts, the scores are the clients'
-- Cost    O(N) for N permits, and DUMP of the keys
local limiter, why = redisson_limiter()
if not limiter then
  return refused(why)
end
local all = redis.call('ZCARD', KEYS[3])
if all == 0 and redis.call('PTTL', KEYS[2]) >= 0 and redis.call('PTTL', KEYS[1]) == -1 then
  return refused('layout')
end
-- Without value, the library assumes that all permits are free.
local right = redisson_free(limiter, limiter.used)
local value = redis.call('GET', KEYS[2]) or string.format('%.0f', limiter.rate)
if all == #limiter.inside and value == string.format('%.0f', right) then
  return refused('agrees')
end
if not redisson_may() then
  return refused('forbidden')
end
remember()
redisson_write(limiter, right)
return done(1)
