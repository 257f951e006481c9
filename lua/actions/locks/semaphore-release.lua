-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a place in a semaphore, or in a lock that several owners share, from one holder.
--
-- KEYS    1 the holders, a sorted set or a set   2... further ones that have the same members
-- ARGV    2 the holder's member   3 and on: what else goes with it: its further permits, a mark
-- Returns the number of members that were taken out of KEYS 1
-- A set that expires with its last holder, as Symfony's locks, does so again.
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   the holder is there; else conflict
-- Cost    O(log N) a member, and DUMP of the keys
if #ARGV < 2 then
  return refused('argument')
end
local kind = type_of(KEYS[1])
if kind == 'none' then
  return refused('missing')
end
if kind ~= 'zset' and kind ~= 'set' then
  return refused('type')
end
for i = 2, #KEYS do
  if not_a(kind, KEYS[i]) == 'type' then
    return refused('type')
  end
end
local ask = kind == 'zset' and 'ZSCORE' or 'SISMEMBER'
local take = kind == 'zset' and 'ZREM' or 'SREM'
local there = redis.call(ask, KEYS[1], ARGV[2])
if not there or there == 0 then
  return conflict('')
end
local function last_end()
  return kind == 'zset' and redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
end
local expiry, last = expiry_of(KEYS[1]), last_end()
local expires_with_last = expiry >= 0 and last and same_expiry(expiry, tonumber(last))
for _, key in ipairs(KEYS) do
  if not may(take, key, ARGV[2]) or (expires_with_last and not may('PEXPIREAT', key, '1')) then
    return refused('forbidden')
  end
end
remember()
local count = 0
for i, key in ipairs(KEYS) do
  for j = 2, #ARGV do
    local taken = redis.call(take, key, ARGV[j])
    count = count + (i == 1 and taken or 0)
  end
end
last = expires_with_last and last_end()
if last then
  redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', last))
end
return done(count)
