-- SPDX-License-Identifier: GPL-3.0-or-later
-- A shared resource and its consumers: a request passes if neither the resource nor its consumer
-- has reached its limit in the last "window" seconds, and is then counted against both.
--
-- KEYS    1 resource   2 consumer: sorted sets, one member for each request; score: the second
--         since 1970, member: the microseconds within it (one {hash tag} on a cluster)
-- ARGV    1 window in whole seconds   2 the resource's limit   3 the consumer's limit
--         4 form of the answer: "text" or empty
--         5 now in microseconds, empty or absent: the server's TIME
-- Returns 1: passes, 0: refused; with "text" a sentence that says which limit and how full
-- Cost    O(log N + R) for N members of which R have left the window
--
-- What the well-known version gets wrong:
-- * It compares the resource's count with "==": a limit that is lowered below what is inside is no
--   limit at all from then on.
-- * It cleans the consumer's set only after the resource has passed, so a full resource leaves old
--   requests in it for everyone who counts them. Here both are cleaned first.
-- * It compares whole seconds: a request leaves up to a second early. Score and member together
--   tell the microsecond, and are compared so.
-- * The member is only the microseconds: the same ones in another second replace the earlier
--   request. Here the nearest free number is taken.
-- * It asks for the time twice, and the second may turn in between.
-- * Consumers that never come back stay for ever: no TTL.
local window, resourceLimit, consumerLimit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not window or not resourceLimit or not consumerLimit or window < 1 or window % 1 ~= 0 then
  return redis.error_reply('ERR window must be whole seconds, the limits numbers')
end
local now, second, micros = tonumber(ARGV[5]), nil, nil
if now then
  second, micros = math.floor(now / 1000000), now % 1000000
else
  local time = redis.call('TIME')
  second, micros = tonumber(time[1]), tonumber(time[2])
end

local function count(key)
  local edge = string.format('%.0f', second - window)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', '(' .. edge)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', key, edge, edge)) do
    if (tonumber(member) or 0) <= micros then
      redis.call('ZREM', key, member)
    end
  end
  return redis.call('ZCARD', key)
end

local function answer(passes, text)
  if ARGV[4] == 'text' then
    return text
  end
  return passes
end

local resourceUsed, consumerUsed = count(KEYS[1]), count(KEYS[2])
if resourceUsed >= resourceLimit then
  return answer(0, 'resource is full: ' .. resourceUsed .. ' of ' .. resourceLimit)
end
if consumerUsed >= consumerLimit then
  return answer(0, 'consumer is full: ' .. consumerUsed .. ' of ' .. consumerLimit)
end

-- Towards the middle of the second, so that the number never leaves it.
local member, step = micros, micros < 500000 and 1 or -1
while redis.call('ZSCORE', KEYS[1], member) or redis.call('ZSCORE', KEYS[2], member) do
  member = member + step
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, string.format('%.0f', second), member)
  redis.call('PEXPIRE', key, window * 1000 + 1)
end
return answer(1, 'passes: consumer ' .. consumerUsed + 1 .. ' of ' .. consumerLimit ..
  ', resource ' .. resourceUsed + 1 .. ' of ' .. resourceLimit)
