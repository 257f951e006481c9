-- SPDX-License-Identifier: GPL-3.0-or-later
-- Reads one record of an array of array-write.lua.
--
-- KEYS    1 array
-- ARGV    1 bytes of a record   2 index from 0
-- Returns the record without the zeros at its end; nil: nothing was written there
-- Cost    O(1)
--
-- Mistakes of the well-known version: GETRANGE with the index where the offset belongs, or with
-- the end one too far (it is included), reads across records; and beyond the end it answers an
-- empty text, which a record may be.
local size, index = tonumber(ARGV[1]), tonumber(ARGV[2])
if not size or not index or size < 1 or size % 1 ~= 0 or index < 0 or index % 1 ~= 0 then
  return redis.error_reply('ERR size must be a whole number above 0, index from 0')
end
local first = string.format('%.0f', size * index)
local last = string.format('%.0f', size * (index + 1) - 1)
local record = redis.call('GETRANGE', KEYS[1], first, last)
local length = #record
while length > 0 and string.byte(record, length) == 0 do
  length = length - 1
end
return length > 0 and string.sub(record, 1, length) or false
