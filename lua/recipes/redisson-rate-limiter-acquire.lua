-- SPDX-License-Identifier: GPL-3.0-or-later
-- Acquires permits of a limiter laid out as Redisson's RRateLimiter (3.21 and later).
--
-- KEYS    1 name: the hash of redisson-rate-limiter-set-rate.lua
--         2 {name}:value   3 {name}:value:<client>: how many permits are left
--         4 {name}:permits   5 {name}:permits:<client>: sorted set; score: when, in ms; member: a
--           length byte, that many random bytes, the number of permits as four bytes, low first
--         3 and 5 are used for type 1 (per client), 2 and 4 otherwise
-- ARGV    1 permits wanted   2 16 random bytes   3 now in ms, empty or absent: the server's TIME
-- Returns 0: acquired; otherwise refused: whole ms until as many are free, at least 1
-- Errors  no rate is set; more wanted than the rate
-- Cost    O(N) for N permits in the interval
--
-- What the well-known version gets wrong:
-- * The time is the client's.
-- * It trusts the number in "value" and believes in a full one if that key is missing, whatever
--   the permits say. Here the permits are what counts; "value" is written for other readers.
-- * A caller who wants several is told to wait for the first permit to leave, not for enough.
-- * The article's version keeps a 32-bit random float in the member: the same float in the same
--   interval replaces a permit. 16 random bytes do not meet again.
-- No TTL unless keepAliveTime asks for it: a Redisson client that finds permits expired before
-- they were credited to "value" would never credit them.
local config = redis.call('HMGET', KEYS[1], 'rate', 'interval', 'type', 'keepAliveTime')
local rate, interval = tonumber(config[1]), tonumber(config[2])
if not rate or not interval or not config[3] then
  return redis.error_reply('ERR rate limiter is not initialised')
end
local wanted = tonumber(ARGV[1])
if not wanted or wanted < 1 or wanted % 1 ~= 0 or wanted > rate then
  return redis.error_reply('ERR permits wanted must be from 1 to the rate')
end
if not ARGV[2] or #ARGV[2] ~= 16 then
  return redis.error_reply('ERR 16 random bytes are needed')
end
local value, permits = KEYS[2], KEYS[4]
if config[3] == '1' then
  value, permits = KEYS[3], KEYS[5]
end
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

-- The last four bytes are the number of permits in every version of the member.
local function amount(member)
  return #member >= 4 and struct.unpack('<I4', member, #member - 3) or 1
end

-- SET below would replace a key of any type; this refuses all but a string.
redis.call('GET', value)
redis.call('ZREMRANGEBYSCORE', permits, '-inf', now - interval)
local inside = redis.call('ZRANGE', permits, 0, -1, 'WITHSCORES')
local free = rate
for i = 1, #inside, 2 do
  free = free - amount(inside[i])
end

local wait = 0
if free >= wanted then
  free = free - wanted
  redis.call('ZADD', permits, string.format('%.0f', now),
    struct.pack('<Bc0I4', #ARGV[2], ARGV[2], wanted))
else
  local leaving = free
  for i = 1, #inside, 2 do
    leaving = leaving + amount(inside[i])
    if leaving >= wanted then
      wait = math.max(1, math.ceil(inside[i + 1] + interval - now))
      break
    end
  end
end
redis.call('SET', value, string.format('%.0f', math.max(0, free)))
local keepAlive = tonumber(config[4]) or 0
if keepAlive > 0 then
  for _, key in ipairs({KEYS[1], value, permits}) do
    redis.call('PEXPIRE', key, keepAlive)
  end
end
return wait
