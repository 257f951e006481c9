-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sets the rate of a Redisson rate limiter and starts it from empty, as the library's setRate does.
--
-- KEYS    1 config: hash   2 value: string   3 permits: sorted set
--         4... for type 1: value and permits of each client, in any order
-- ARGV    2 the rate that was seen   3 the interval in ms that was seen
--         4 the new rate, at least 1   5 the new interval in ms, at least 1
-- Refuses 'argument', 'missing' (config), 'type', 'forbidden'
-- Guard   rate and interval are what was seen; else conflict with "rate/interval"
-- Cost    O(N) for N permits dropped, and DUMP of the keys
if #KEYS < 3 or not whole(ARGV[4], 1) or not whole(ARGV[5], 1) then
  return refused('argument')
end
local wrong = not_a('hash', KEYS[1])
if wrong then
  return refused(wrong)
end
for i = 2, #KEYS do
  if not_a('string', KEYS[i]) == 'type' and not_a('zset', KEYS[i]) == 'type' then
    return refused('type')
  end
end
local config = redis.call('HMGET', KEYS[1], 'rate', 'interval')
if config[1] ~= ARGV[2] or config[2] ~= ARGV[3] then
  return conflict((config[1] or '') .. '/' .. (config[2] or ''))
end
local allowed = may('HSET', KEYS[1], 'rate', ARGV[4])
for i = 2, #KEYS do
  allowed = allowed and may('DEL', KEYS[i])
end
if not allowed then
  return refused('forbidden')
end
remember()
redis.call('HSET', KEYS[1], 'rate', ARGV[4])
redis.call('HSET', KEYS[1], 'interval', ARGV[5])
for i = 2, #KEYS do
  redis.call('DEL', KEYS[i])
end
return done(1)
