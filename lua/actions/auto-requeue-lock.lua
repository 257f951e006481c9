-- SPDX-License-Identifier: GPL-3.0-or-later
-- Acquires the lock of a queue's watcher, or renews it while it is still ours. lock-release
-- releases it.
--
-- KEYS    1 lock
-- ARGV    2 our token: random, another one for each watcher   3 the lease from now in ms, at least 1
--         4 'take': a free one is taken; 'keep': it has to be ours already
-- Refuses 'argument', 'missing' (with keep), 'type', 'forbidden'
-- Guard   no other client has it; else conflict with the present value
-- Cost    O(1) and DUMP of the key
local lease, way = whole(ARGV[3], 1), ARGV[4]
if not lease or ARGV[2] == '' or (way ~= 'take' and way ~= 'keep') then
  return refused('argument')
end
local wrong = not_a('string', KEYS[1])
if wrong == 'type' or (wrong and way == 'keep') then
  return refused(wrong)
end
local value = redis.call('GET', KEYS[1])
if value and value ~= ARGV[2] then
  return conflict(value)
end
if not may('SET', KEYS[1], ARGV[2], 'PX', lease) then
  return refused('forbidden')
end
remember()
redis.call('SET', KEYS[1], ARGV[2], 'PX', lease)
return done(1)
