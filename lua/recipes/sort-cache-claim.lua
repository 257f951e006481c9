-- SPDX-License-Identifier: GPL-3.0-or-later
-- Checks for a cached sort: whether the list exists, or which client rebuilds it.
--
-- KEYS    1 cache: list   2 lock: string, the token of the client that rebuilds it (one {hash tag}
--         on a cluster)
-- ARGV    1 token: random, another one for each try   2 lease of the lock in ms
-- Returns 2: read the list; 1: sort it anew, the lock is yours; 0: another client does, retry soon
-- Cost    O(1)
--
-- Mistakes of the well-known version: SETNX gives the lock no end: when its client dies, no
-- client sorts again. And looking for the list first and locking then, in two steps, sorts once
-- more what another client has just finished.
if not ARGV[1] or ARGV[1] == '' then
  return redis.error_reply('ERR a token is needed')
end
if redis.call('LLEN', KEYS[1]) > 0 then
  return 2
end
return redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
