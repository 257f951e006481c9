-- SPDX-License-Identifier: GPL-3.0-or-later
-- Undoes queue-promote.lua: delays the jobs again that are still where it put them.
--
-- KEYS    1 where they are   2 the sorted set they came from; it may be missing
-- ARGV    2 how they were pushed: 'next' (right end) or 'back' (left end)
--         3... "SCORE PAYLOAD" of each job
-- Returns items: '1' where a job was there and went back
-- Refuses 'argument', 'same' (one key twice), 'missing' (1), 'type', 'forbidden'
-- Guard   at least one of the jobs is there; else conflict with ''
-- Cost    O(J * N) for J jobs in N, and DUMP of both keys
local why = cannot_move('list', 'zset')
if why then
  return refused(why)
end
local nearest = nearest_to(ARGV[2])
if not may('LREM', KEYS[1], nearest, '') or not may('ZADD', KEYS[2], 'NX', '0', '') then
  return refused('forbidden')
end
for i = 3, #ARGV do
  if not scored(ARGV[i]) then
    return refused('argument')
  end
end
remember()
local taken, flags = 0, {}
for i = 3, #ARGV do
  local _, job, score = scored(ARGV[i])
  local there = redis.call('LREM', KEYS[1], nearest, job)
  flags[i - 2] = tostring(there)
  taken = taken + there
  if there == 1 then
    redis.call('ZADD', KEYS[2], 'NX', score, job)
  end
end
if taken == 0 then
  return conflict('')
end
return done(taken, table.concat(flags))
