-- SPDX-License-Identifier: GPL-3.0-or-later
-- Removes items from a list for good: for each one named, the one nearest to the right end.
--
-- KEYS    1 list
-- ARGV    2... the items
-- Returns items: '1' where an item was there and dropped
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   at least one of the items is there; else conflict with ''
-- Cost    O(J * N) for J items in N, and DUMP of the list
if #ARGV < 2 then
  return refused('argument')
end
local wrong = not_a('list', KEYS[1])
if wrong then
  return refused(wrong)
end
if not may('LREM', KEYS[1], -1, ARGV[2]) then
  return refused('forbidden')
end
remember()
local dropped, flags = 0, {}
for i = 2, #ARGV do
  local there = redis.call('LREM', KEYS[1], -1, ARGV[i])
  flags[i - 1] = tostring(there)
  dropped = dropped + there
end
if dropped == 0 then
  return conflict('')
end
return done(dropped, table.concat(flags))
