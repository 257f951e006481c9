-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adds events to the set of waiting ones, and wakes a consumer.
--
-- KEYS    1 events: set   2 helper: list on which consumers block (one {hash tag} on a cluster)
-- ARGV    1... the events
-- Returns how many did not wait already
-- Cost    O(E) for E events
--
-- Mistakes of the well-known version: it pushes a wake-up for each event, though a consumer takes
-- all that waits for one of them. With events faster than consumers the helper list grows without
-- end, and later wakes consumers for nothing. Here one wake-up lies there at most, and none for what
-- waits already.
local added = 0
for i = 1, #ARGV, 1000 do -- more than some thousands at once are too many for a call
  added = added + redis.call('SADD', KEYS[1], unpack(ARGV, i, math.min(i + 999, #ARGV)))
end
if added > 0 and redis.call('LLEN', KEYS[2]) == 0 then
  redis.call('LPUSH', KEYS[2], 'x')
end
return added
