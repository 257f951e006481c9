-- SPDX-License-Identifier: GPL-3.0-or-later
-- Returns a taken token to the free ones. A waiter that blocks on these gets it.
--
-- KEYS    1 the taken tokens, a hash   2 the free ones, a list
-- ARGV    2 the token   3 when it was taken, as it was seen
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   the token is taken, since then; else conflict
-- Cost    O(1) and DUMP of the keys
if #ARGV ~= 3 then
  return refused('argument')
end
local wrong = not_a('hash', KEYS[1])
if not wrong and not_a('list', KEYS[2]) == 'type' then
  wrong = 'type'
end
if wrong then
  return refused(wrong)
end
local since = redis.call('HGET', KEYS[1], ARGV[2])
if since ~= ARGV[3] then
  return conflict(since)
end
if not may('HDEL', KEYS[1], ARGV[2]) or not may('LPUSH', KEYS[2], ARGV[2]) then
  return refused('forbidden')
end
remember()
redis.call('HDEL', KEYS[1], ARGV[2])
redis.call('LPUSH', KEYS[2], ARGV[2])
return done(1)
