-- SPDX-License-Identifier: GPL-3.0-or-later
-- Draws a member by its weight.
--
-- KEYS    1 weights: sorted set of weighted-set-fill.lua
-- ARGV    1 random number, from 0 to below 1: the caller's, a script's is the same each time
-- Returns the member; nil: the set is empty
-- Cost    O(log N) for N members
--
-- Mistakes of the well-known version: its RAND() goes to 1 whatever the weights add up to. Above
-- 1 the members beyond are never drawn; below 1 a draw may find no member. Here it is a part of the
-- sum.
local random = tonumber(ARGV[1])
if not random or random < 0 or random >= 1 then
  return redis.error_reply('ERR a random number from 0 to below 1 is needed')
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if not last[2] then
  return false
end
-- "(": the first member's part begins with 0 itself, and each part ends before the next.
local point = string.format('(%.17g', random * last[2])
local drawn = redis.call('ZRANGEBYSCORE', KEYS[1], point, '+inf', 'LIMIT', 0, 1)
return drawn[1] or last[1]
