-- SPDX-License-Identifier: GPL-3.0-or-later
-- Issues a token that counts its uses.
--
-- KEYS    1 token: hash, "used_by" (0 until it is used) and the fields
-- ARGV    2 lifetime in ms, at least 1   3... fields and values, in pairs; "used_by" is added
-- Refuses 'argument', 'exists', 'forbidden'
-- Guard   there is no key of that name, of whatever type
-- Cost    O(F) for F fields
local lifetime = whole(ARGV[2], 1)
if not lifetime or #ARGV < 4 or #ARGV % 2 == 1 then
  return refused('argument')
end
for i = 3, #ARGV, 2 do
  if ARGV[i] == 'used_by' and ARGV[i + 1] ~= '0' then
    return refused('argument')
  end
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return refused('exists')
end
-- Without a TTL, the token would be valid for ever.
if not may('HSET', KEYS[1], 'used_by', '0') or not may('PEXPIRE', KEYS[1], lifetime) then
  return refused('forbidden')
end
remember()
-- One pair at a time: several in one HSET need Redis 4.
for i = 3, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('HSET', KEYS[1], 'used_by', '0')
redis.call('PEXPIRE', KEYS[1], lifetime)
return done(1)
