-- SPDX-License-Identifier: GPL-3.0-or-later
-- Fixed window: a counter that begins with the first request and ends with its TTL.
--
-- KEYS    1 counter: string, a whole number; refused requests count as well
-- ARGV    1 limit   2 window in ms
-- Returns 0: accepted; otherwise refused: ms until the window ends, at least 1
-- Cost    O(1)
-- More    than the well-known version: it decides, where that returns the count; a refusal says for
--         how long, which is a second command. INCR and PTTL in a script that does nothing else take
--         1.25 to 1.3 times as long as its INCR alone, so that a refusal takes 1.4 times; as a
--         function of Redis 7 (FCALL) hardly less
-- Without a script, in plain commands of one round trip that take the server less time than that
--         script, for a caller that decides for itself and is sure of its window:
--           MULTI, SET counter 0 PX window NX, INCR counter, PTTL counter, EXEC
--         The second answer is the count: up to the limit it is accepted. Otherwise the third says for
--         how many ms it is refused; -1: a counter that has lost its TTL, give it one (PEXPIRE)
--
-- Mistakes of the well-known version:
-- * It sets the TTL when the count is 1 and never again: a counter that lost its TTL (PERSIST, SET,
--   a restore without one) refuses for ever. Here a counter without a TTL gets one when it refuses.
-- * With a window that is not a number it counts first and fails then, which makes just such a key.
--   Here a first request with such a window leaves nothing.
-- By its nature up to twice the limit passes around a window's end; rolling-window.lua does not.
local call, key, limit = redis.call, KEYS[1], ARGV[1] - 0 -- where it is no number it ends here
if not (limit >= 1) then
  return redis.error_reply('ERR limit and window must be at least 1')
end
local count = call('INCR', key)
if count > limit then
  local left = call('PTTL', key)
  if left >= 0 then
    return left > 0 and left or 1
  end
elseif count > 1 then
  return 0
end

-- The first request, or a counter that has lost its TTL.
local window = tonumber(ARGV[2])
if not window or not (window >= 1 and window < 1e15) then
  if count == 1 then
    call('DEL', key)
  end
  return redis.error_reply('ERR limit and window must be at least 1')
end
window = math.ceil(window)
call('PEXPIRE', key, window)
return count > limit and window or 0
