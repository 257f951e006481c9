-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes events that wait, in no order. A consumer takes until none is left and then blocks on the
-- helper list (BRPOP helper 0), which a script cannot.
--
-- KEYS    1 events: set   2 helper: list (one {hash tag} on a cluster)
-- ARGV    1 how many at most
-- Returns the events; an empty list: none waits
-- Cost    O(E) for E events
--
-- Mistakes of the well-known version: one consumer takes the only wake-up and then as many events
-- as there are, one by one, while the others sleep. Here a wake-up is left for the next consumer
-- as long as something waits.
local most = tonumber(ARGV[1])
if not most or most < 1 or most % 1 ~= 0 then
  return redis.error_reply('ERR how many at most must be a whole number above 0')
end
local events = redis.call('SPOP', KEYS[1], most)
if redis.call('SCARD', KEYS[1]) > 0 and redis.call('LLEN', KEYS[2]) == 0 then
  redis.call('LPUSH', KEYS[2], 'x')
end
return events
