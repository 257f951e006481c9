-- SPDX-License-Identifier: GPL-3.0-or-later
-- Undoes queue-move.lua: moves back the items that are still where it put them.
--
-- KEYS    1 where they are   2 where they came from; it may be missing
-- ARGV    2 how they were pushed: 'next' (right end) or 'back' (left end)   3... oldest first
-- Returns items: '1' where an item was there and went back
-- Refuses 'argument', 'same' (one key twice), 'missing' (1), 'type', 'forbidden'
-- Guard   at least one of the items is there; else conflict with ''
-- Cost    O(J * N) for J items in N, and DUMP of both lists
-- The items go to the right end in their old order. Their former positions between other items are
-- not known.
local why = cannot_move('list', 'list')
if why then
  return refused(why)
end
local nearest = nearest_to(ARGV[2])
if not may('LREM', KEYS[1], nearest, ARGV[3]) or not may('RPUSH', KEYS[2], ARGV[3]) then
  return refused('forbidden')
end
remember()
local taken, flags = take_from_list(nearest)
if #taken == 0 then
  return conflict('')
end
for i = #taken, 1, -1 do
  redis.call('RPUSH', KEYS[2], taken[i])
end
return done(#taken, flags)
