-- SPDX-License-Identifier: GPL-3.0-or-later
-- Deletes keys, all or none.
--
-- KEYS    1... keys, of any type
-- ARGV    two for each key from 2 on: the type that was seen, '': any; the fingerprint that was
--         seen, '': it is not compared
-- Returns items: '1' where a key was there
-- Refuses 'argument', 'missing' (none of them is there), 'forbidden'
-- Guard   type and fingerprint of each that is there are what was seen; else conflict with its type,
--         or with '' where the fingerprint differs or is too large to have
-- Cost    O(N) for N elements where UNLINK is not known, and DUMP of each key
if #KEYS == 0 or #ARGV ~= 1 + 2 * #KEYS then
  return refused('argument')
end
local flags, there = {}, 0
for i, key in ipairs(KEYS) do
  local kind, seen_kind, seen = type_of(key), ARGV[2 * i], ARGV[2 * i + 1]
  flags[i] = kind == 'none' and '0' or '1'
  if kind ~= 'none' then
    there = there + 1
    if seen_kind ~= '' and kind ~= seen_kind then
      return conflict(kind)
    end
    if seen ~= '' and fingerprint_of(key) ~= seen then
      return conflict('')
    end
  end
end
if there == 0 then
  return refused('missing')
end
for _, key in ipairs(KEYS) do
  if not may('UNLINK', key) and not may('DEL', key) then
    return refused('forbidden')
  end
end
remember()
for _, key in ipairs(KEYS) do
  -- UNLINK is there from Redis 4 on, and may be denied where DEL is not.
  if type(redis.pcall('UNLINK', key)) == 'table' then
    redis.call('DEL', key)
  end
end
return done(there, table.concat(flags))
