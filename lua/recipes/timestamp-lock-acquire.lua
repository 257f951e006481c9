-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a lock whose value is the time at which it ends, or takes it over once that is past.
--
-- KEYS    1 lock: string, seconds since 1970 with six decimals; no TTL
-- ARGV    1 timeout in seconds   2 now in seconds, empty or absent: the server's TIME
-- Returns the value stored, for timestamp-lock-release.lua; nil: another client has it
-- Cost    O(1)
--
-- Mistakes of the well-known version:
-- * The time is the client's, and so a client whose clock is ahead takes over what still holds.
-- * Its take-over (GETSET and a look at the old value) writes before it knows: each loser moves
--   the winner's end, and the winner can no longer recognise its own value. Here nothing else
--   runs between the look and the write.
-- * Whole seconds: two holders may get the same value and release each other's lock.
-- lock-acquire.lua is the better lock; this one is for those that share keys with such clients.
local timeout = tonumber(ARGV[1])
if not timeout or timeout <= 0 then
  return redis.error_reply('ERR timeout must be more than 0')
end
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] + time[2] / 1000000
end
local held = redis.call('GET', KEYS[1])
if held then
  local ends = tonumber(held)
  -- A value that is not a number belongs to another kind of lock.
  if not ends or ends >= now then
    return false
  end
end
local value = string.format('%.6f', now + timeout)
redis.call('SET', KEYS[1], value)
return value
