-- SPDX-License-Identifier: GPL-3.0-or-later
-- Issues a token that counts its uses.
--
-- KEYS    1 token: hash, "used_by" (0 until it is used) and what the caller adds
-- ARGV    1 lifetime in ms   2... fields and values, in pairs
-- Returns 1: issued; 0: that token exists already, make another
-- Cost    O(F) for F fields
--
-- Mistakes of the well-known version: it writes over a token that exists, which makes a used one
-- good again, and its lifetime is in whole seconds.
local lifetime = tonumber(ARGV[1])
if not lifetime or lifetime < 1 or #ARGV % 2 == 0 then
  return redis.error_reply('ERR a lifetime of at least 1 and pairs of field and value are needed')
end
local call, key = redis.call, KEYS[1]
if call('EXISTS', key) == 1 then
  return 0
end
for i = 2, #ARGV, 1000 do -- more than some thousands at once are too many for a call
  call('HSET', key, unpack(ARGV, i, math.min(i + 999, #ARGV)))
end
call('HSET', key, 'used_by', '0')
call('PEXPIRE', key, math.ceil(lifetime))
return 1
