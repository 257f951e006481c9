-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes back what queue-promote.lua did: the jobs that are still where it put them are delayed again.
--
-- KEYS    1 where they are   2 the sorted set they came from; it may be missing
-- ARGV    2 how they were pushed: 'next' (right end) or 'back' (left end)
--         3... "SCORE PAYLOAD" of each job
-- Returns items: '1' where a job was there and went back
-- Refuses 'argument', 'same' (one key twice), 'missing' (1), 'type', 'forbidden'
-- Guard   at least one of the jobs is there; else conflict with ''
-- Cost    O(J * N) for J jobs in N, and DUMP of both keys
local at, count = ARGV[2], #ARGV - 2
if (at ~= 'next' and at ~= 'back') or count < 1 then
  return refused('argument')
end
if KEYS[1] == KEYS[2] then
  return refused('same')
end
local wrong = not_a('list', KEYS[1])
if wrong then
  return refused(wrong)
end
if not_a('zset', KEYS[2]) == 'type' then
  return refused('type')
end
-- Of equal items the one nearest to the end where they were pushed.
local nearest = at == 'next' and -1 or 1
if not may('LREM', KEYS[1], nearest, '') or not may('ZADD', KEYS[2], 'NX', '0', '') then
  return refused('forbidden')
end
for i = 1, count do
  if not scored(ARGV[i + 2]) then
    return refused('argument')
  end
end
remember()
local taken, flags = 0, {}
for i = 1, count do
  local _, job, score = scored(ARGV[i + 2])
  local there = redis.call('LREM', KEYS[1], nearest, job)
  flags[i] = tostring(there)
  taken = taken + there
  if there == 1 then
    redis.call('ZADD', KEYS[2], 'NX', score, job)
  end
end
if taken == 0 then
  return conflict('')
end
return done(taken, table.concat(flags))
