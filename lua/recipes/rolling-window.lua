-- SPDX-License-Identifier: GPL-3.0-or-later
-- Rolling window: at most "limit" requests in any "window" milliseconds.
--
-- KEYS    1 window: sorted set, one member for each accepted request; score: when, in ms since 1970
-- ARGV    1 limit, a whole number   2 window in whole ms
--         3 now in whole ms, empty or absent: the server's TIME
-- Returns 0: accepted; otherwise refused: whole ms until the next place comes free, at least 1
-- Cost    O(log N) for N members, which are never more than the limit; a request that has left the
--         window is removed once, together with all others that have, when its place is needed
-- More    than the well-known version: TIME, a member for each request, a TTL, how long to wait.
--         Less: it looks at the one request whose leaving makes room, in place of removing and
--         counting on every call
--
-- Mistakes of the well-known version:
-- * The time is the client's, so clients with clocks apart push each other out of the window.
-- * The member is the time alone: two requests of the same ms are both accepted and counted once.
--   Here they are "<time>-0", "<time>-1" and so on.
-- * The key never expires, so each caller ever seen leaves one behind.
-- * It says "refused" without saying for how long.
-- * Limit and window are literals in the script: each pair is another script.
local call, key, argv, time = redis.call, KEYS[1], ARGV, nil
local now, window = argv[3], argv[2]
if not now or now == '' then
  time = call('TIME')
  now = time[1] * 1000 + time[2] / 1000
end

-- The limit-th newest request. While it is inside, the window is full, also if more requests than
-- the limit are inside because the limit was lowered. A limit that is not a whole number is refused
-- here.
local place = '-' .. argv[1]
local leaves = call('ZRANGE', key, place, place)[1]
if leaves then
  -- The score, taken from the member: cheaper than WITHSCORES.
  local wait = (string.match(leaves, '^(%d+)-%d+$') or call('ZSCORE', key, leaves)) + window - now
  if wait > 0 and place ~= '-0' then
    return wait - wait % -1 -- up to a whole ms
  end
end
if place == '-0' or not string.find(window, '^[1-9]%d*$') then
  return redis.error_reply('ERR limit and window must be whole numbers, at least 1')
end
if leaves then
  call('ZREMRANGEBYSCORE', key, '-inf', now - window)
end

local stamp = time and time[1] .. string.sub('00000' .. time[2], -6, -4) or now
if call('ZADD', key, 'NX', stamp, stamp .. '-0') == 0 then
  local n = call('ZCOUNT', key, stamp, stamp)
  while call('ZADD', key, 'NX', stamp, stamp .. '-' .. n) == 0 do
    n = n + 1
  end
end
call('PEXPIRE', key, window)
return 0
