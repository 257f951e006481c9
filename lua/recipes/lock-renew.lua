-- SPDX-License-Identifier: GPL-3.0-or-later
-- Renews the lease of a lock, if it is still ours.
--
-- KEYS    1 lock
-- ARGV    1 token   2 lease in ms, from now
-- Returns 1: renewed; 0: lost, it expired or another client has it
-- Cost    O(1)
--
-- Mistakes of the well-known version: EXPIRE without a check of the owner prolongs the lock
-- of the client that took it in the meantime; and a lease of 0 or less would delete it.
local lease = tonumber(ARGV[2])
if not lease or lease < 1 then
  return redis.error_reply('ERR lease must be at least 1')
end
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], math.ceil(lease))
