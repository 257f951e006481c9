-- SPDX-License-Identifier: GPL-3.0-or-later
-- Rolling window with retry advice: each refused request gets the next place in a second, future
-- window, and is told when that place is. The last place is the horizon.
--
-- KEYS    1 window: sorted set as in rolling-window.lua
--         2 retry: sorted set, one member for each place given; member and score: when, in ms
--           (give both keys one {hash tag} on a cluster)
-- ARGV    1 limit   2 window in ms   3 cap in ms: how far ahead places are given
--         4 now in ms, empty or absent: the server's TIME
-- Returns 0: accepted; otherwise refused: whole ms to wait, at least 1 and at most the cap
-- Cost    O(log N + log M + R) for N members, M places, R of them past
--
-- What the well-known version gets wrong, besides what rolling-window.lua lists:
-- * The future window has no end: callers that retry are given a place each time, so the advice
--   grows for as long as the load lasts, and stays that long after it. Beyond the cap nothing is
--   stored here.
-- * Its first advice is one interval from now although the window may be full for longer: after a
--   burst the caller comes back into a second refusal. The first place is not before one is free.
-- * A fraction of a ms is cut off (1000/3), so that callers come a moment too early.
-- A place is advice, no reservation: a newcomer may take it first. That needs callers with names.
local limit, window, cap = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not limit or not window or not cap or limit < 1 or window < 1 or cap < 1 then
  return redis.error_reply('ERR limit, window and cap must be at least 1')
end
local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local used = redis.call('ZCARD', KEYS[1])
if used < limit then
  local stamp = string.format('%.0f', now)
  local n = redis.call('ZCOUNT', KEYS[1], stamp, stamp)
  while redis.call('ZSCORE', KEYS[1], stamp .. '-' .. n) do
    n = n + 1
  end
  redis.call('ZADD', KEYS[1], stamp, stamp .. '-' .. n)
  redis.call('PEXPIRE', KEYS[1], math.ceil(window))
  return 0
end

local interval = window / limit
local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
local place
if last[2] then
  place = last[2] + interval
else
  local leaves = redis.call('ZRANGE', KEYS[1], used - limit, used - limit, 'WITHSCORES')
  place = math.max(now + interval, leaves[2] + window)
end
local wait = math.max(1, math.ceil(place - now))
if wait > cap then
  return math.ceil(cap)
end
-- 17 digits: the shortest that gives back every fraction of a ms.
local stamp = string.format('%.17g', place)
redis.call('ZADD', KEYS[2], stamp, stamp)
redis.call('PEXPIRE', KEYS[2], wait)
return wait
