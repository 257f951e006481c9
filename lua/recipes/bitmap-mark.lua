-- SPDX-License-Identifier: GPL-3.0-or-later
-- Marks an id as seen in a period: one bit for each id. BITCOUNT counts those that were seen.
--
-- KEYS    1 bitmap: string, a key for each day or hour
-- ARGV    1 id, a whole number from 0   2 largest id that is taken   3 how long to keep it, in ms
-- Returns 1: seen for the first time in the period; 0: seen before
-- Cost    O(1), but for the first id beyond the present size: Redis fills up to it with zeros
--
-- Mistakes of the well-known version:
-- * The id is the offset: one of 4,294,967,295 takes 512 MB at once, for a single bit. Here ids end.
-- * The keys never expire, though there is another one each day.
local id, largest, keep = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not id or not largest or not keep or id < 0 or id % 1 ~= 0 or keep < 1 then
  return redis.error_reply('ERR id must be a whole number from 0, the time at least 1')
end
if id > largest then
  return redis.error_reply('ERR id is above the largest one taken')
end
local before = redis.call('SETBIT', KEYS[1], string.format('%.0f', id), 1)
if redis.call('PTTL', KEYS[1]) < 0 then
  redis.call('PEXPIRE', KEYS[1], math.ceil(keep))
end
return 1 - before
