-- SPDX-License-Identifier: GPL-3.0-or-later
-- Restores dropped delayed jobs with their due times.
--
-- KEYS    1 delayed; it may be missing
-- ARGV    2... "SCORE PAYLOAD" of each job
-- Returns items: '1' where it was put back, '0' where the job is delayed again already
-- Refuses 'argument', 'type', 'exists' (all of them are there), 'forbidden'
-- Guard   what is there keeps its score
-- Cost    O(J * log(N)) for J jobs in N, and DUMP of the set
if #ARGV < 2 then
  return refused('argument')
end
if not_a('zset', KEYS[1]) == 'type' then
  return refused('type')
end
if not may('ZADD', KEYS[1], 'NX', '0', '') then
  return refused('forbidden')
end
local missing, flags = 0, {}
for i = 2, #ARGV do
  local score, job = scored(ARGV[i])
  if not score then
    return refused('argument')
  end
  missing = missing + (redis.call('ZSCORE', KEYS[1], job) and 0 or 1)
end
if missing == 0 then
  return refused('exists')
end
remember()
local added = 0
for i = 2, #ARGV do
  local _, job, score = scored(ARGV[i])
  local put = redis.call('ZADD', KEYS[1], 'NX', score, job)
  flags[i - 1] = tostring(put)
  added = added + put
end
return done(added, table.concat(flags))
