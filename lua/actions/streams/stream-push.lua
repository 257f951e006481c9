-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adds one entry to a stream.
--
-- KEYS    1 the stream
-- ARGV    2... its fields, each with its value
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   the key is a stream
-- Cost    O(1)
if #ARGV < 3 or #ARGV % 2 == 0 then
  return refused('argument')
end
local wrong = not_a('stream', KEYS[1])
if wrong then
  return refused(wrong)
end
if not may('XADD', KEYS[1], '*', 'a', 'b') then
  return refused('forbidden')
end
remember()
redis.call('XADD', KEYS[1], '*', unpack(ARGV, 2))
return done(1)
