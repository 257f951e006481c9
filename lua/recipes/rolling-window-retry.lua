-- SPDX-License-Identifier: GPL-3.0-or-later
-- Rolling window with retry advice: each refused request gets the next place in a second, future
-- window, and is told when that place is. The last place is the horizon.
--
-- KEYS    1 window: sorted set as in rolling-window.lua
--         2 retry: sorted set, one member for each place given; member and score: when, in ms
--           (give both keys one {hash tag} on a cluster)
-- ARGV    1 limit, a whole number   2 window in whole ms   3 cap in whole ms: how far ahead places are given
--         4 now in whole ms, empty or absent: the server's TIME
-- Returns 0: accepted; otherwise refused: whole ms to wait, at least 1 and at most the cap
-- Cost    O(log N + log M + R) for N members, which are never more than the limit, M places, R of
--         them past; a request that has left the window is removed once, when its place is needed
-- More    than the well-known version: TIME, a member for each request, TTLs on both keys, a cap.
--         Less: it looks at the one request whose leaving makes room, in place of removing and
--         counting on every call
--
-- Mistakes of the well-known version, besides what rolling-window.lua lists:
-- * The future window has no end: callers that retry are given a place each time, so the advice
--   grows for as long as the load lasts, and stays that long after it. Beyond the cap nothing is
--   stored here.
-- * Its first advice is one interval from now although the window may be full for longer: after a
--   burst the caller comes back into a second refusal. The first place is not before one is free.
-- * A fraction of a ms is cut off (1000/3), so that callers come a moment too early.
-- A place is advice, no reservation: a newcomer may take it first. That needs callers with names.
local cap = ARGV[3] - 0 -- where it is no number it ends here
if cap < 1 or ARGV[1] == '0' or not string.find(ARGV[2], '^[1-9]%d*$') then
  return redis.error_reply('ERR limit, window and cap must be whole numbers, at least 1')
end
local call, key, retry, stamp = redis.call, KEYS[1], KEYS[2], ARGV[4]
if not stamp or stamp == '' then
  local time = call('TIME')
  stamp = time[1] .. string.sub('00000' .. time[2], -6, -4)
end

if call('ZCARD', retry) > 0 then
  call('ZREMRANGEBYSCORE', retry, '-inf', stamp)
end
-- The limit-th newest request. While it is inside, the window is full, also if more requests than
-- the limit are inside because the limit was lowered. ZRANGE refuses a limit that is not a whole
-- number.
local place, free = '-' .. ARGV[1], nil
local leaves = call('ZRANGE', key, place, place)[1]
if leaves then
  -- The score, taken from the member: cheaper than WITHSCORES.
  free = (string.match(leaves, '^(%d+)-%d+$') or call('ZSCORE', key, leaves)) + ARGV[2]
end
if not free or free <= stamp - 0 then
  if free then
    call('ZREMRANGEBYSCORE', key, '-inf', stamp - ARGV[2])
  end
  if call('ZADD', key, 'NX', stamp, stamp .. '-0') == 0 then
    local n = call('ZCOUNT', key, stamp, stamp)
    while call('ZADD', key, 'NX', stamp, stamp .. '-' .. n) == 0 do
      n = n + 1
    end
  end
  call('PEXPIRE', key, ARGV[2])
  return 0
end

local share = ARGV[2] / ARGV[1]
local last = call('ZRANGE', retry, '-1', '-1', 'WITHSCORES')[2]
local given = last and last + share or math.max(stamp + share, free)
local wait = math.max(1, math.ceil(given - stamp))
if wait > cap then
  return cap
end
-- A whole ms as it is, else with 17 digits, the fewest that preserve every fraction of a ms.
local at = given % 1 == 0 and given .. '' or string.format('%.17g', given)
call('ZADD', retry, at, at)
call('PEXPIRE', retry, wait)
return wait
