-- SPDX-License-Identifier: GPL-3.0-or-later
-- Redeems a one-time token: gives its payload to the first who asks.
--
-- KEYS    1 token
-- Returns the payload; nil: never issued, redeemed or expired
-- Cost    O(1)
--
-- What the well-known version gets wrong: GET and DEL sent one after the other let two callers in.
-- In MULTI they do not, and GETDEL (6.2 and later) is the same in one command; this is for both.
local payload = redis.call('GET', KEYS[1])
if payload then
  redis.call('DEL', KEYS[1])
end
return payload
