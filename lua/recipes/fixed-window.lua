-- SPDX-License-Identifier: GPL-3.0-or-later
-- Fixed window: a counter that begins with the first request and ends with its TTL.
--
-- KEYS    1 counter: string, a whole number; refused requests count as well
-- ARGV    1 limit   2 window in ms
-- Returns 0: accepted; otherwise refused: ms until the window ends, at least 1
-- Cost    O(1)
--
-- What the well-known version gets wrong:
-- * It arms the TTL when the count is 1 and never again: a counter that lost its TTL (PERSIST, SET,
--   a restore without one) refuses for ever. Here a counter without a TTL gets one.
-- * With a window that is not a number it counts first and fails then, which makes just such a key.
-- By its nature up to twice the limit passes around a window's end; rolling-window.lua does not.
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
if not limit or not window or limit < 1 or window < 1 then
  return redis.error_reply('ERR limit and window must be at least 1')
end
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = math.ceil(window)
  redis.call('PEXPIRE', KEYS[1], left)
end
if count <= limit then
  return 0
end
return math.max(1, left)
