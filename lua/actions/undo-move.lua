-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes back what queue-move.lua did: the items that are still where it put them go back.
--
-- KEYS    1 where they are   2 where they came from; it may be missing
-- ARGV    2 how they were pushed: 'next' (right end) or 'back' (left end)   3... oldest first
-- Returns items: '1' where an item was there and went back
-- Refuses 'argument', 'same' (one key twice), 'missing' (1), 'type', 'forbidden'
-- Guard   at least one of the items is there; else conflict with ''
-- Cost    O(J * N) for J items in N, and DUMP of both lists
-- They come to stand at the right end, in their old order. What stood between them in the meantime
-- is not known any more.
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
-- Of equal items the one nearest to the end where they were pushed.
local nearest = at == 'next' and -1 or 1
if not may('LREM', KEYS[1], nearest, ARGV[3]) or not may('RPUSH', KEYS[2], ARGV[3]) then
  return refused('forbidden')
end
remember()
local taken, flags = {}, {}
for i = 1, count do
  local there = redis.call('LREM', KEYS[1], nearest, ARGV[i + 2]) == 1
  flags[i] = there and '1' or '0'
  if there then
    taken[#taken + 1] = ARGV[i + 2]
  end
end
if #taken == 0 then
  return conflict('')
end
for i = #taken, 1, -1 do
  redis.call('RPUSH', KEYS[2], taken[i])
end
return done(#taken, table.concat(flags))
