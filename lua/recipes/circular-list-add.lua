-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adds a member to a rotation, at its end.
--
-- KEYS    1 list: who is due is at its right end
-- ARGV    1 member
-- Returns 1: it takes part now; 0: it did already and keeps its place
-- Cost    O(N) for N members
--
-- Mistakes of the well-known version: it pushes new members "at the end of the list", which is
-- the end that members are taken from. There a newcomer is due at once, and where newcomers keep
-- coming the others never are. A member pushed twice is visited twice in each round.
if not ARGV[1] or ARGV[1] == '' then
  return redis.error_reply('ERR a member is needed')
end
-- Inserted before itself it is there twice, and the one on the left goes again: a search that every
-- version has (LPOS came with 6.0.6).
if redis.call('LINSERT', KEYS[1], 'BEFORE', ARGV[1], ARGV[1]) > 0 then
  redis.call('LREM', KEYS[1], 1, ARGV[1])
  return 0
end
redis.call('LPUSH', KEYS[1], ARGV[1])
return 1
