-- SPDX-License-Identifier: GPL-3.0-or-later
-- Fixed window: a counter that begins with the first request and ends with its TTL.
--
-- KEYS    1 counter: string, a whole number; refused requests count as well
-- ARGV    1 limit   2 window in ms
-- Returns 0: accepted; otherwise refused: ms until the window ends, at least 1
-- Cost    O(1)
-- More    than the well-known version: limit and window are looked at before anything is counted; a
--         refusal says for how long, which is a second command (half as much again)
--
-- What the well-known version gets wrong:
-- * It arms the TTL when the count is 1 and never again: a counter that lost its TTL (PERSIST, SET,
--   a restore without one) refuses for ever. Here a counter without a TTL gets one when it refuses.
-- * With a window that is not a number it counts first and fails then, which makes just such a key.
-- By its nature up to twice the limit passes around a window's end; rolling-window.lua does not.
local limit, window = ARGV[1] - 0, ARGV[2] - 0 -- where one is no number it ends here
if limit < 1 or window < 1 then
  return redis.error_reply('ERR limit and window must be at least 1')
end
local count = redis.call('INCR', KEYS[1])
if count == 1 then
  redis.call('PEXPIRE', KEYS[1], math.ceil(window))
  return 0
end
if count <= limit then
  return 0
end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = math.ceil(window)
  redis.call('PEXPIRE', KEYS[1], left)
end
return left > 1 and left or 1
