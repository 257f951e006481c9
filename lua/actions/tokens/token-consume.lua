-- SPDX-License-Identifier: GPL-3.0-or-later
-- Uses a token up, without showing its payload: a string is removed, a hash counts the use.
--
-- KEYS    1 token: string, or hash with "used_by"
-- ARGV    2 'string' or 'hash': what it has to be; '': either
-- Refuses 'argument', 'missing', 'type', 'value' (no count of uses), 'used', 'ghost' (nothing but
--         the count is left, because a use came after the token had expired), 'forbidden'
-- Guard   it has not been used
-- Cost    O(1) and DUMP of the key
local wanted = ARGV[2] or ''
if wanted ~= '' and wanted ~= 'string' and wanted ~= 'hash' then
  return refused('argument')
end
local kind = type_of(KEYS[1])
if kind == 'none' then
  return refused('missing')
end
if (kind ~= 'string' and kind ~= 'hash') or (wanted ~= '' and kind ~= wanted) then
  return refused('type')
end
if kind == 'string' then
  if not may('DEL', KEYS[1]) then
    return refused('forbidden')
  end
  remember()
  redis.call('DEL', KEYS[1])
  return done(1)
end
local uses = whole(redis.call('HGET', KEYS[1], 'used_by'), -1e15)
if not uses then
  return refused('value')
end
-- A token that was issued without fields has not been used yet.
if uses >= 1 then
  return refused(redis.call('HLEN', KEYS[1]) == 1 and 'ghost' or 'used')
end
if not may('HINCRBY', KEYS[1], 'used_by', 1 - uses) then
  return refused('forbidden')
end
remember()
redis.call('HINCRBY', KEYS[1], 'used_by', 1 - uses)
return done(1)
