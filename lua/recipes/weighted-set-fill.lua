-- SPDX-License-Identifier: GPL-3.0-or-later
-- Fills a set for draws by weight, in place of what it held.
--
-- KEYS    1 weights: sorted set; score: the member's weight and those before it, added up
-- ARGV    1 member   2 its weight, above 0   and so on, pair by pair
-- Returns the sum of the weights, as text
-- Cost    O(N log N) for N members
--
-- Mistakes of the well-known version: it does not say that the scores are sums. With the plain
-- weights as scores a draw takes the lightest member nearly always, and members of one weight
-- but the first never.
if #ARGV == 0 or #ARGV % 2 ~= 0 then
  return redis.error_reply('ERR members and weights come in pairs')
end
local sum, seen, scored = 0, {}, {}
for i = 1, #ARGV, 2 do
  local weight = tonumber(ARGV[i + 1])
  if not weight or weight <= 0 or weight == math.huge or seen[ARGV[i]] then
    return redis.error_reply('ERR each member is there once, with a weight above 0')
  end
  seen[ARGV[i]] = true
  sum = sum + weight
  scored[i], scored[i + 1] = string.format('%.17g', sum), ARGV[i]
end
-- ZCARD refuses a key of another type, which DEL would not.
redis.call('ZCARD', KEYS[1])
redis.call('DEL', KEYS[1])
for i = 1, #scored, 1000 do -- more than some thousands at once are too many for a call
  redis.call('ZADD', KEYS[1], unpack(scored, i, math.min(i + 999, #scored)))
end
return string.format('%.17g', sum)
