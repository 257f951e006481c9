-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sets the rate of a limiter laid out as Redisson's RRateLimiter.
--
-- KEYS    1 name: hash rate, interval (ms), type (0 overall, 1 per client), keepAliveTime (ms)
--         2 {name}:value   3 {name}:permits
-- ARGV    1 rate   2 interval in ms   3 type   4 keepAliveTime in ms, 0: never expires
--         5 "try": only if no rate is set yet; "replace": set it and start from empty
-- Returns 1: set; 0: there was a rate already ("try" only)
-- Cost    O(N) for N permits that "replace" drops
--
-- Mistakes of the well-known version: it sets the fields one by one with HSETNX, so that a hash
-- that has some of them ends up with a mixture of two rates. Here it is all or nothing.
local rate, interval, keepAlive = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
if not rate or not interval or not keepAlive or rate < 1 or interval < 1 or keepAlive < 0 then
  return redis.error_reply('ERR rate and interval must be at least 1, keepAliveTime at least 0')
end
if ARGV[3] ~= '0' and ARGV[3] ~= '1' then
  return redis.error_reply('ERR type must be 0 (overall) or 1 (per client)')
end
local known = redis.call('HMGET', KEYS[1], 'rate', 'interval', 'type')
if ARGV[5] ~= 'replace' and known[1] and known[2] and known[3] then
  return 0
end
redis.call('HSET', KEYS[1], 'rate', ARGV[1], 'interval', ARGV[2], 'type', ARGV[3],
  'keepAliveTime', ARGV[4])
if keepAlive > 0 then
  redis.call('PEXPIRE', KEYS[1], keepAlive)
else
  redis.call('PERSIST', KEYS[1])
end
redis.call('DEL', KEYS[2], KEYS[3])
return 1
