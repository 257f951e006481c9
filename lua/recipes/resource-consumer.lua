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
-- Cost    O(log N + R) for N members of which R have left the window or are of the second that does
-- More    than the well-known version: a TTL on both keys. Less: TIME is asked for once, and only a
--         set with something to remove is told to
--
-- Mistakes of the well-known version:
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
local window, limit, consumerLimit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not window or not limit or not consumerLimit or window < 1 or window % 1 ~= 0 then
  return redis.error_reply('ERR window must be whole seconds, the limits numbers')
end
local call, now, second, micros = redis.call, tonumber(ARGV[5]), nil, nil
if now then
  second, micros = string.format('%.0f', math.floor(now / 1000000)), now % 1000000 .. ''
else
  local time = call('TIME')
  second, micros = time[1], time[2]
end
local edge = second - window .. ''

for i = 1, 2 do
  if call('ZCOUNT', KEYS[i], '-inf', edge) > 0 then
    call('ZREMRANGEBYSCORE', KEYS[i], '-inf', '(' .. edge)
    for _, member in ipairs(call('ZRANGEBYSCORE', KEYS[i], edge, edge)) do
      if (tonumber(member) or 0) <= tonumber(micros) then
        call('ZREM', KEYS[i], member)
      end
    end
  end
end
local used = call('ZCARD', KEYS[1])
if used >= limit then
  return ARGV[4] == 'text' and 'resource is full: ' .. used .. ' of ' .. limit or 0
end
local consumerUsed = call('ZCARD', KEYS[2])
if consumerUsed >= consumerLimit then
  return ARGV[4] == 'text' and 'consumer is full: ' .. consumerUsed .. ' of ' .. consumerLimit or 0
end

local ttl = window .. '001' -- one ms more than the seconds
for i = 1, 2 do
  if call('ZADD', KEYS[i], 'NX', second, micros) == 0 then
    -- Towards the middle of the second, so that the number stays within it.
    local member, step = tonumber(micros), tonumber(micros) < 500000 and 1 or -1
    repeat
      member = member + step
    until call('ZADD', KEYS[i], 'NX', second, member) == 1
  end
  call('PEXPIRE', KEYS[i], ttl)
end
if ARGV[4] ~= 'text' then
  return 1
end
return 'passes: consumer ' .. consumerUsed + 1 .. ' of ' .. consumerLimit ..
  ', resource ' .. used + 1 .. ' of ' .. limit
