-- SPDX-License-Identifier: GPL-3.0-or-later
-- Acquires permits of a limiter laid out as Redisson's RRateLimiter (3.21 and later).
--
-- KEYS    1 name: the hash of redisson-rate-limiter-set-rate.lua
--         2 {name}:value   3 {name}:value:<client>: how many permits are left
--         4 {name}:permits   5 {name}:permits:<client>: sorted set; score: when, in ms; member: a
--           length byte, that many random bytes, the number of permits as four bytes, low first
--         3 and 5 are used for type 1 (per client), 2 and 4 otherwise
-- ARGV    1 permits wanted   2 16 random bytes
--         3 now in whole ms, empty or absent: the server's TIME
-- Returns 0: acquired; otherwise refused: whole ms until as many are free, at least 1
-- Errors  no rate is set; more wanted than the rate
-- Cost    O(log N + W) for N acquires in the interval and W permits wanted, not the rate: "value" is
--         the running total beside the log, so that the log is read only where an acquire has left
--         it, each once, and whole only where the two disagree
-- More    than the well-known version: TIME, and the log's size, which tells a total that is wrong.
--         Less: one HMGET in place of three HGET, nothing looked for while "value" has enough
--
-- Mistakes of the well-known version:
-- * The time is the client's.
-- * It trusts the number in "value" and believes in a full one if that key is missing, whatever
--   the permits say. Here a missing one, and one that with a permit for each acquire in the log
--   is more than the rate or with an empty log less, is counted anew.
-- * A caller who wants several is told to wait for the first permit to leave, not for enough.
-- * The article's version keeps a 32-bit random float in the member: the same float in the same
--   interval replaces a permit. 16 random bytes do not meet again.
-- No TTL unless keepAliveTime asks for it: a Redisson client that finds permits expired before
-- they were credited to "value" would never credit them.
local call = redis.call
local config = call('HMGET', KEYS[1], 'rate', 'interval', 'type', 'keepAliveTime')
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
local stamp = ARGV[3]
if not stamp or stamp == '' then
  local time = call('TIME')
  stamp = time[1] .. string.sub('00000' .. time[2], -6, -4)
end

-- In every version of the member, the last four bytes are the number of permits.
local function amount(member)
  return #member >= 4 and struct.unpack('<I4', member, #member - 3) or 1
end
local function total(members)
  local sum = 0
  for _, member in ipairs(members) do
    sum = sum + amount(member)
  end
  return sum
end

local known = tonumber(call('GET', value))
local logged = call('ZCARD', permits)
local free = known
if free and (free + logged > rate or (logged == 0 and free < rate)) then
  free = nil
end
if not free or free < wanted then
  local over = stamp - interval
  if not free then
    call('ZREMRANGEBYSCORE', permits, '-inf', over)
    free = math.max(0, rate - total(call('ZRANGE', permits, 0, -1)))
  else
    local left = call('ZRANGEBYSCORE', permits, '-inf', over)
    if #left > 0 then
      free = free + total(left)
      call('ZREMRANGEBYSCORE', permits, '-inf', over)
    end
  end
end

local wait = 0
if free >= wanted then
  free = free - wanted
  call('ZADD', permits, stamp, struct.pack('<Bc0I4', 16, ARGV[2], wanted))
else
  -- Each acquire has at least one permit, so that these are enough.
  local first = call('ZRANGE', permits, 0, wanted - free - 1, 'WITHSCORES')
  local leaving = free
  for i = 1, #first, 2 do
    leaving = leaving + amount(first[i])
    if leaving >= wanted then
      wait = math.max(1, math.ceil(first[i + 1] + interval - stamp))
      break
    end
  end
end
if free ~= known then
  call('SET', value, free .. '')
end
local keepAlive = tonumber(config[4]) or 0
if keepAlive > 0 then
  for _, key in ipairs({KEYS[1], value, permits}) do
    call('PEXPIRE', key, keepAlive)
  end
end
return wait
