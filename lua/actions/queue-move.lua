-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves items, each as the bytes it is, from one list to another: back to the workers, to the dead.
--
-- KEYS    1 from   2 to: lists whose items enter at the left end and are taken from the right end
-- ARGV    2 'next': they are taken before all others; 'back': after all others
--         3... the items, oldest first
-- Returns items: '1' where an item was there and moved
-- Refuses 'argument', 'same' (one key twice), 'missing' (from), 'type', 'forbidden'
-- Guard   at least one of the items is there; else conflict with ''
-- Cost    O(J * N) for J items in N, and DUMP of both lists
-- Whichever way they go, the oldest of them is taken first.
local at, count = ARGV[2], #ARGV - 2
if (at ~= 'next' and at ~= 'back') or count < 1 then
  return refused('argument')
end
if KEYS[1] == KEYS[2] then
  return refused('same')
end
local wrong = not_a('list', KEYS[1])
if wrong then
  return refused(wrong)
end
if not_a('list', KEYS[2]) == 'type' then
  return refused('type')
end
local push = at == 'next' and 'RPUSH' or 'LPUSH'
if not may('LREM', KEYS[1], -1, ARGV[3]) or not may(push, KEYS[2], ARGV[3]) then
  return refused('forbidden')
end
remember()
local moved, flags = {}, {}
for i = 1, count do
  local there = redis.call('LREM', KEYS[1], -1, ARGV[i + 2]) == 1
  flags[i] = there and '1' or '0'
  if there then
    moved[#moved + 1] = ARGV[i + 2]
  end
end
if #moved == 0 then
  return conflict('')
end
for i = 1, #moved do
  redis.call(push, KEYS[2], moved[at == 'next' and #moved + 1 - i or i])
end
return done(#moved, table.concat(flags))
