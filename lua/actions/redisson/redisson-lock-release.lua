-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a Redisson lock, or one hold of a shared one, from its holder, and notifies waiters: the
-- first in the queue of a fair lock, all of them otherwise.
--
-- KEYS    1 lock   then, of a lock: 2 queue   3 timeouts of those in the queue
--         of a read-write lock: the keys that end the holder's holds, then those of other readers'
-- ARGV    2 the holder's field   3 how often it holds it, as it was seen   4 the channel
--         5 'lock', 'read' or 'write'   6 with 'read' and 'write': how many of KEYS are the holder's
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   the holder has it as often as was seen; else conflict
-- Cost    O(N) of the fields of the lock, and DUMP of the keys
local holder, holds, channel, mode = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local own = mode == 'lock' and 0 or whole(ARGV[6], 0)
local known = mode == 'lock' or mode == 'read' or mode == 'write'
if not known or not own or own > #KEYS - 1 or (mode == 'lock' and #KEYS ~= 3) then
  return refused('argument')
end
local wrong = not_a('hash', KEYS[1])
if not wrong and mode == 'lock'
    and (not_a('list', KEYS[2]) == 'type' or not_a('zset', KEYS[3]) == 'type') then
  wrong = 'type'
end
if wrong then
  return refused(wrong)
end
local now = redis.call('HGET', KEYS[1], holder)
if now ~= holds then
  return conflict(now)
end
local allowed = may('DEL', KEYS[1]) and may('HDEL', KEYS[1], holder)
  and may('PUBLISH', channel, '0') and may('PEXPIRE', KEYS[1], 1)
  and may('HSET', KEYS[1], 'mode', 'read')
if mode == 'lock' then
  allowed = allowed and may('LPOP', KEYS[2]) and may('ZREM', KEYS[3], holder)
    and may('PUBLISH', channel .. ':' .. holder, '0')
end
for i = 2, own + 1 do
  allowed = allowed and may('DEL', KEYS[i])
end
if not allowed then
  return refused('forbidden')
end
remember()

if mode == 'lock' then
  -- Skips waiters whose time has run out.
  local past = now_ms()
  local first = redis.call('LINDEX', KEYS[2], 0)
  while first do
    local ends = redis.call('ZSCORE', KEYS[3], first)
    if ends and tonumber(ends) > past then
      break
    end
    redis.call('ZREM', KEYS[3], first)
    redis.call('LPOP', KEYS[2])
    first = redis.call('LINDEX', KEYS[2], 0)
  end
  redis.call('DEL', KEYS[1])
  tell(first and channel .. ':' .. first or channel, '0')
  return done(1)
end

redis.call('HDEL', KEYS[1], holder)
for i = 2, own + 1 do
  redis.call('DEL', KEYS[i])
end
local others = redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], 'mode')
if others > 0 and mode == 'write' then
  -- It also holds the lock as a reader.
  redis.call('HSET', KEYS[1], 'mode', 'read')
  return done(1)
end
-- The lock keeps the longest time that the other readers have left.
local left = 0
for i = own + 2, #KEYS do
  left = math.max(left, redis.call('PTTL', KEYS[i]))
end
if others > 0 and left > 0 then
  redis.call('PEXPIRE', KEYS[1], left)
elseif others == 0 or redis.call('HGET', KEYS[1], 'mode') ~= 'write' then
  redis.call('DEL', KEYS[1])
  tell(channel, mode == 'write' and '1' or '0')
end
return done(1)
