-- SPDX-License-Identifier: GPL-3.0-or-later
-- Rolling window: at most "limit" requests in any "window" milliseconds.
--
-- KEYS    1 window: sorted set, one member for each accepted request; score: when, in ms since 1970
-- ARGV    1 limit   2 window in ms   3 now in ms, empty or absent: the server's TIME
-- Returns 0: accepted; otherwise refused: whole ms until the next place comes free, at least 1
-- Cost    O(log N + R) for N members of which R have left the window
--
-- What the well-known version gets wrong:
-- * The time is the client's, so clients with clocks apart push each other out of the window.
-- * The member is the time alone: two requests of the same ms are both accepted and counted once.
--   Here they are "<time>-0", "<time>-1" and so on.
-- * The key never expires, so each caller ever seen leaves one behind.
-- * It says "refused" without saying for how long.
-- * Limit and window are literals in the script: each pair is another script.
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
if not limit or not window or limit < 1 or window < 1 then
  return redis.error_reply('ERR limit and window must be at least 1')
end
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local used = redis.call('ZCARD', KEYS[1])
if used >= limit then
  -- With more than "limit" inside (it was lowered) that many have to leave first.
  local leaves = redis.call('ZRANGE', KEYS[1], used - limit, used - limit, 'WITHSCORES')
  return math.max(1, math.ceil(leaves[2] + window - now))
end

local stamp = string.format('%.0f', now)
local n = redis.call('ZCOUNT', KEYS[1], stamp, stamp)
while redis.call('ZSCORE', KEYS[1], stamp .. '-' .. n) do
  n = n + 1
end
redis.call('ZADD', KEYS[1], stamp, stamp .. '-' .. n)
redis.call('PEXPIRE', KEYS[1], math.ceil(window))
return 0
