-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves items byte for byte from one list to another: back to the workers, or to the dead.
--
-- KEYS    1 from   2 to: lists whose items enter at the left end and are taken from the right end
-- ARGV    2 'next': they are taken before all others; 'back': after all others
--         3... the items, oldest first
-- Returns items: '1' where an item was there and moved
-- Refuses 'argument', 'same' (one key twice), 'missing' (from), 'type', 'forbidden'
-- Guard   at least one of the items is there; else conflict with ''
-- Cost    O(J * N) for J items in N, and DUMP of both lists
-- At either end, the oldest of them is taken first.
local at = ARGV[2]
local why = cannot_move('list', 'list')
if why then
  return refused(why)
end
local push = push_of(at)
if not may('LREM', KEYS[1], -1, ARGV[3]) or not may(push, KEYS[2], ARGV[3]) then
  return refused('forbidden')
end
remember()
local moved, flags = take_from_list(-1)
if #moved == 0 then
  return conflict('')
end
for i = 1, #moved do
  redis.call(push, KEYS[2], moved[at == 'next' and #moved + 1 - i or i])
end
return done(#moved, flags)
