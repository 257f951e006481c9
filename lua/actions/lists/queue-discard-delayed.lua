-- SPDX-License-Identifier: GPL-3.0-or-later
-- Removes jobs from a sorted set of delayed ones for good.
--
-- KEYS    1 delayed
-- ARGV    2... "SCORE PAYLOAD" of each job
-- Returns items: '1' where a job was there with that score and dropped
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   at least one of the jobs is there with its score; else conflict with ''
-- Cost    O(J * log(N)) for J jobs in N, and DUMP of the set
if #ARGV < 2 then
  return refused('argument')
end
local wrong = not_a('zset', KEYS[1])
if wrong then
  return refused(wrong)
end
if not may('ZREM', KEYS[1], '') then
  return refused('forbidden')
end
local dropped, flags = with_their_score(2)
if not dropped then
  return refused('argument')
end
if #dropped == 0 then
  return conflict('')
end
remember()
for _, job in ipairs(dropped) do
  redis.call('ZREM', KEYS[1], job)
end
return done(#dropped, flags)
