-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a lock in a majority of several keys from its owner: deletes the keys that the owner holds.
--
-- KEYS    1... all keys of the lock
-- ARGV    2 the owner that was seen
-- Returns items: '1' where a key was the owner's
-- Refuses 'missing', 'type', 'forbidden'
-- Guard   one of the keys at least is the owner's; else conflict
-- Cost    O(1) a key and their DUMP
local flags, count, there = {}, 0, false
for i, key in ipairs(KEYS) do
  local wrong = not_a('string', key)
  if wrong == 'type' then
    return refused(wrong)
  end
  there = there or not wrong
  local its = not wrong and redis.call('GET', key) == ARGV[2]
  flags[i] = its and '1' or '0'
  count = count + (its and 1 or 0)
end
if not there then
  return refused('missing')
end
if count == 0 then
  return conflict('')
end
for _, key in ipairs(KEYS) do
  if not may('DEL', key) then
    return refused('forbidden')
  end
end
remember()
for i, key in ipairs(KEYS) do
  if flags[i] == '1' then
    redis.call('DEL', key)
  end
end
return done(count, table.concat(flags))
