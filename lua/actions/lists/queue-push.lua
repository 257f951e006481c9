-- SPDX-License-Identifier: GPL-3.0-or-later
-- Puts an item into a list whose items are taken from the right end.
--
-- KEYS    1 list; it may be missing
-- ARGV    2 'next': it is taken before all others; 'back': after all others   3 the item
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   none: sent twice, the item is there twice
-- Cost    O(1) and DUMP of the list
if (ARGV[2] ~= 'next' and ARGV[2] ~= 'back') or #ARGV ~= 3 then
  return refused('argument')
end
if not_a('list', KEYS[1]) == 'type' then
  return refused('type')
end
local push = ARGV[2] == 'next' and 'RPUSH' or 'LPUSH'
if not may(push, KEYS[1], ARGV[3]) then
  return refused('forbidden')
end
remember()
redis.call(push, KEYS[1], ARGV[3])
return done(1)
