-- SPDX-License-Identifier: GPL-3.0-or-later
-- Frees places of a counter: takes something off, never below 0. Its TTL stays.
--
-- KEYS    1 counter: string
-- ARGV    2 how many places, at least 1
-- Returns count: the places freed, fewer than asked for if no more were taken
-- Refuses 'argument', 'missing', 'type', 'value' (no whole number), 'nothing' (it is 0 already),
--         'forbidden'
-- Guard   none: sent twice, it frees twice as many
-- Cost    O(1) and DUMP of the key
local places = whole(ARGV[2], 1)
if not places then
  return refused('argument')
end
local wrong = not_a('string', KEYS[1])
if wrong then
  return refused(wrong)
end
-- The form that DECRBY accepts: no leading zeros, no plus, no blanks.
local value = redis.call('GET', KEYS[1])
local taken = (value == '0' or string.match(value, '^%-?[1-9]%d*$')) and whole(value, -1e15)
if not taken then
  return refused('value')
end
if taken <= 0 then
  return refused('nothing')
end
local freed = math.min(places, taken)
if not may('DECRBY', KEYS[1], '1') then
  return refused('forbidden')
end
remember()
redis.call('DECRBY', KEYS[1], string.format('%.0f', freed))
return done(freed)
