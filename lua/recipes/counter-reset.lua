-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a count and begins anew from 0: each event is in exactly one of the counts taken.
--
-- KEYS    1 counter
-- Returns the count so far; 0: nothing was counted
-- Cost    O(1)
--
-- Mistakes of the well-known version:
-- * GET and then SET loses what is counted in between; GETSET, as here, does not.
-- * GETSET takes a TTL off the key. Here it is given back.
-- * GETSET on a counter that was never used leaves one behind, and what it answers is no number.
local count = redis.call('GET', KEYS[1])
if not count then
  return 0
end
if not string.find(count, '^-?%d+$') then
  return redis.error_reply('ERR value is not an integer')
end
local ttl = redis.call('PTTL', KEYS[1])
redis.call('GETSET', KEYS[1], '0')
if ttl > 0 then
  redis.call('PEXPIRE', KEYS[1], ttl)
end
return tonumber(count)
