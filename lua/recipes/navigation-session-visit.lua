-- SPDX-License-Identifier: GPL-3.0-or-later
-- Navigation session: records a page that a user visits. The session ends by itself when no further
-- page comes for a while.
--
-- KEYS    1 session: list of pages, the newest at its right end
-- ARGV    1 page   2 how long until the session ends, in ms   3 how many pages are kept
-- Returns how many are kept now
-- Cost    O(1)
--
-- Mistakes of the well-known version: it wants the latest N pages and keeps all of them: the
-- list of a user who never pauses for a minute, such as a crawler, grows without end. Sent without
-- MULTI, a client that dies between its two commands leaves a session that never ends.
local ttl, keep = tonumber(ARGV[2]), tonumber(ARGV[3])
if not ttl or not keep or ttl < 1 or keep < 1 or keep % 1 ~= 0 then
  return redis.error_reply('ERR the time must be at least 1, the number of pages a whole one above 0')
end
local length = redis.call('RPUSH', KEYS[1], ARGV[1])
if length > keep then
  redis.call('LTRIM', KEYS[1], -keep, -1)
  length = keep
end
redis.call('PEXPIRE', KEYS[1], math.ceil(ttl))
return length
