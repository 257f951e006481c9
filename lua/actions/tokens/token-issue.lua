-- SPDX-License-Identifier: GPL-3.0-or-later
-- Issues a one-time token.
--
-- KEYS    1 token: string, the payload
-- ARGV    2 payload   3 lifetime in ms, at least 1
-- Refuses 'argument', 'exists', 'forbidden'
-- Guard   there is no key of that name, of whatever type
-- Cost    O(1)
local lifetime = whole(ARGV[3], 1)
if not lifetime then
  return refused('argument')
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  return refused('exists')
end
if not may('SET', KEYS[1], ARGV[2], 'NX', 'PX', lifetime) then
  return refused('forbidden')
end
remember()
redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', lifetime)
return done(1)
