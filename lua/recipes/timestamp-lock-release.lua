-- SPDX-License-Identifier: GPL-3.0-or-later
-- Releases a lock of timestamp-lock-acquire.lua, if no other client has taken it over.
--
-- KEYS    1 lock
-- ARGV    1 the value that acquiring returned
-- Returns 1: released; 0: it is gone or another client has taken it over
-- Cost    O(1)
--
-- Mistakes of the well-known version: it looks at its own clock whether the time is over, and
-- then sends DEL; a holder that was slow in between deletes the next one's lock.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
