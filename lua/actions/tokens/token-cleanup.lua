-- SPDX-License-Identifier: GPL-3.0-or-later
-- Removes a token that was never issued: the counter that a use after the token's expiry leaves
-- behind.
--
-- KEYS    1 token
-- Refuses 'missing', 'forbidden'
-- Guard   it is a hash of "used_by" alone, at least 1; else conflict with the type it is, or with
--         the number of fields
-- Cost    O(1) and DUMP of the key
local kind = type_of(KEYS[1])
if kind == 'none' then
  return refused('missing')
end
if kind ~= 'hash' then
  return conflict(kind)
end
-- 0 is a token that was issued without fields and has not been used yet.
local fields, uses = redis.call('HLEN', KEYS[1]), redis.call('HGET', KEYS[1], 'used_by')
if fields ~= 1 or not uses or uses == '0' then
  return conflict(fields)
end
if not may('DEL', KEYS[1]) then
  return refused('forbidden')
end
remember()
redis.call('DEL', KEYS[1])
return done(1)
