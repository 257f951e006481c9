-- SPDX-License-Identifier: GPL-3.0-or-later
-- Removes the lock of a digest that no job has any more, with all its keys.
--
-- KEYS    1 the jobs that hold it, a hash   2 the digests, a sorted set   3 those that expire, too
--         4... the other keys of the digest
-- ARGV    2 the digest   3 and on: the jobs that were seen to hold it
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   the very jobs that were seen hold it; else conflict
-- Cost    O(N) of these jobs, and DUMP of the keys
if #KEYS < 3 or #ARGV < 3 then
  return refused('argument')
end
local wrong = not_a('hash', KEYS[1])
if not wrong and (not_a('zset', KEYS[2]) == 'type' or not_a('zset', KEYS[3]) == 'type') then
  wrong = 'type'
end
if wrong then
  return refused(wrong)
end
if redis.call('HLEN', KEYS[1]) ~= #ARGV - 2 then
  return conflict('')
end
for i = 3, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 0 then
    return conflict('')
  end
end
for i, key in ipairs(KEYS) do
  local allowed = may('DEL', key)
  if i == 2 or i == 3 then
    allowed = may('ZREM', key, ARGV[2])
  end
  if not allowed then
    return refused('forbidden')
  end
end
remember()
for i, key in ipairs(KEYS) do
  if i == 2 or i == 3 then
    redis.call('ZREM', key, ARGV[2])
  else
    redis.call('DEL', key)
  end
end
return done(1)
