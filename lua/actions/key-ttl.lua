-- SPDX-License-Identifier: GPL-3.0-or-later
-- Gives a key another TTL, or none.
--
-- KEYS    1 key, of any type
-- ARGV    2 the type that was seen   3 the expiry that was seen: a moment in ms, -1: none
--         4 the new TTL in ms, at least 1; -1: none
-- Refuses 'argument', 'missing', 'nothing' (it does not expire and is not to), 'forbidden'
-- Guard   the type is what was seen, else conflict with the present type; the expiry is what was
--         seen to within 100 ms, else conflict with the present one
-- Cost    O(1) and DUMP of the key
local seen, ttl = whole(ARGV[3], -1), whole(ARGV[4], -1)
if not ARGV[2] or not seen or not ttl or ttl == 0 then
  return refused('argument')
end
local kind = type_of(KEYS[1])
if kind == 'none' then
  return refused('missing')
end
if kind ~= ARGV[2] then
  return conflict(kind)
end
local expiry = expiry_of(KEYS[1])
if not same_expiry(expiry, seen) then
  return conflict(string.format('%.0f', expiry))
end
if ttl == -1 and expiry == -1 then
  return refused('nothing')
end
local change = ttl == -1 and { 'PERSIST', KEYS[1] } or { 'PEXPIRE', KEYS[1], ttl }
if not may(unpack(change)) then
  return refused('forbidden')
end
remember()
redis.call(unpack(change))
return done(1)
