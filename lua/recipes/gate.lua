-- SPDX-License-Identifier: GPL-3.0-or-later
-- Gate: one call passes, then the gate is closed for an interval.
--
-- KEYS    1 gate: string, the number of calls since it closed; 1: only the one that passed
-- ARGV    1 interval in ms
-- Returns 0: passes; otherwise refused: ms until the gate opens, at least 1
-- Cost    O(1)
-- More    than the well-known version: a refusal says for how long
--
-- Mistakes of the well-known version: it renews the TTL with every call, so that a caller who
-- keeps asking keeps the gate closed for ever. Here refused calls are counted and change nothing
-- else. A gate that lost its TTL gets one, for otherwise it would never open.
local interval = tonumber(ARGV[1])
if not interval or interval < 1 then
  return redis.error_reply('ERR interval must be at least 1')
end
local call, key = redis.call, KEYS[1]
if call('INCR', key) == 1 then
  call('PEXPIRE', key, math.ceil(interval))
  return 0
end
local left = call('PTTL', key)
if left < 0 then
  left = math.ceil(interval)
  call('PEXPIRE', key, left)
end
return left > 1 and left or 1
