-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs from a sorted set of delayed ones to a list: to the workers, or to the dead.
--
-- KEYS    1 delayed   2 to: a list whose items enter at the left end and are taken from the right end
-- ARGV    2 'next': they are taken before all others; 'back': after all others
--         3... "SCORE PAYLOAD" of each job, what is due first in front
-- Returns items: '1' where a job was there with that score and moved
-- Refuses 'argument', 'same' (one key twice), 'missing' (delayed), 'type', 'forbidden'
-- Guard   at least one of the jobs is there with its score; else conflict with ''
-- Cost    O(J * log(N)) for J jobs in N, and DUMP of both keys
-- At either end, the job that is due first is taken first.
local at = ARGV[2]
local why = cannot_move('zset', 'list')
if why then
  return refused(why)
end
local push = push_of(at)
if not may('ZREM', KEYS[1], '') or not may(push, KEYS[2], '') then
  return refused('forbidden')
end
local moved, flags = with_their_score(3)
if not moved then
  return refused('argument')
end
if #moved == 0 then
  return conflict('')
end
remember()
for i = 1, #moved do
  local job = moved[at == 'next' and #moved + 1 - i or i]
  redis.call('ZREM', KEYS[1], job)
  redis.call(push, KEYS[2], job)
end
return done(#moved, flags)
