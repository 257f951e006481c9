-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a lock for a lease.
--
-- KEYS    1 lock: string, the owner's token
-- ARGV    1 token: random, another one for each try   2 lease in ms
-- Returns 1: taken; 0: somebody has it
-- Cost    O(1)
--
-- What the well-known version gets wrong: SETNX and then EXPIRE leaves a lock for ever when the
-- client dies between the two; a fixed value as token lets everybody release it.
if not ARGV[1] or ARGV[1] == '' then
  return redis.error_reply('ERR a token is needed')
end
-- NX answers nil for a key of any type, so a key that is no lock just counts as taken.
return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
