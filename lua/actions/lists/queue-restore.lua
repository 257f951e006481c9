-- SPDX-License-Identifier: GPL-3.0-or-later
-- Restores dropped items at the right end of their list, the oldest outermost.
--
-- KEYS    1 list; it may be missing
-- ARGV    2... the items, oldest first
-- Returns items: '1' for each
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   none: sent twice, the items are there twice
-- Cost    O(J) for J items, and DUMP of the list
if #ARGV < 2 then
  return refused('argument')
end
if not_a('list', KEYS[1]) == 'type' then
  return refused('type')
end
if not may('RPUSH', KEYS[1], ARGV[2]) then
  return refused('forbidden')
end
remember()
for i = #ARGV, 2, -1 do
  redis.call('RPUSH', KEYS[1], ARGV[i])
end
return done(#ARGV - 1, string.rep('1', #ARGV - 1))
