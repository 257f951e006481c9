-- SPDX-License-Identifier: GPL-3.0-or-later
-- Redeems a token of hash-token-issue.lua and counts the use.
--
-- KEYS    1 token
-- Returns {uses, field, value, ...}: {1, ...} with all fields for the first use, {2} and more for a
--         replay, {0} for a token that was never issued or has expired
-- Cost    O(F) for F fields on the first use, O(1) otherwise
--
-- What the well-known version gets wrong: HINCRBY makes the hash if it is missing, so that any word
-- is accepted once as a token ("used_by" is 1), and leaves a ghost behind that never expires. It
-- hands the fields out on replays too.
if redis.call('HEXISTS', KEYS[1], 'used_by') == 0 then
  return {0}
end
local uses = redis.call('HINCRBY', KEYS[1], 'used_by', 1)
local answer = {uses}
if uses == 1 then
  for _, part in ipairs(redis.call('HGETALL', KEYS[1])) do
    answer[#answer + 1] = part
  end
end
return answer
