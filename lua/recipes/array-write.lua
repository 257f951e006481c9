-- SPDX-License-Identifier: GPL-3.0-or-later
-- Writes one record of an array.
--
-- KEYS    1 array: string, records of one size, zeros where nothing is
-- ARGV    1 bytes of a record   2 index from 0   3 record   4 how many records there may be
-- Returns how many records there are now, the empty ones counted
-- Cost    O(1), but for the first index beyond the present size: Redis fills up to it with zeros
--
-- Mistakes of the well-known version:
-- * A record shorter than the last one keeps the old one's end: "Hello World" becomes "Hello Redis"
--   only because both words have five letters. Here the rest is zeros.
-- * A longer one writes into the next record.
-- * A large index takes up to 512 MB at once. Here the array has an end.
local size, index, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
if not size or not index or not most or not ARGV[3] or size < 1 or size % 1 ~= 0 or index < 0
  or index % 1 ~= 0 then
  return redis.error_reply('ERR size must be a whole number above 0, index from 0')
end
if index >= most then
  return redis.error_reply('ERR index is beyond the last record')
end
if #ARGV[3] > size then
  return redis.error_reply('ERR record is longer than ' .. ARGV[1] .. ' bytes')
end
local record = ARGV[3] .. string.rep('\0', size - #ARGV[3])
return redis.call('SETRANGE', KEYS[1], string.format('%.0f', size * index), record) / size
