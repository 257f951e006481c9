-- SPDX-License-Identifier: GPL-3.0-or-later
-- Puts jobs into a queue.
--
-- KEYS    1 ready: list; jobs enter at the head and leave at the tail
-- ARGV    1... the jobs, the first to be taken first
-- Returns how many are ready now
-- Cost    O(J) for J jobs
--
-- Mistakes of the well-known version: payloads without an id of their own. Two equal jobs cannot be
-- told apart in the processing list, neither by a worker nor by a person.
if #ARGV == 0 then
  return redis.call('LLEN', KEYS[1])
end
local length
for i = 1, #ARGV, 1000 do -- more than some thousands at once are too many for a call
  length = redis.call('LPUSH', KEYS[1], unpack(ARGV, i, math.min(i + 999, #ARGV)))
end
return length
