-- SPDX-License-Identifier: GPL-3.0-or-later
-- Releases a lock, if it is still ours.
--
-- KEYS    1 lock
-- ARGV    1 token
-- Returns 1: released; 0: it expired or another client has it
-- Cost    O(1)
--
-- Mistakes of the well-known version: the bare DEL releases the lock of the client that took
-- it after our lease ended. The talk's safe one is right, but its call is not: a comma between the
-- key and the token is what redis-cli sends as the token, so nothing is ever released.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
