-- SPDX-License-Identifier: GPL-3.0-or-later
-- Restores or drops messages that a worker of Celery has taken and not acknowledged, as Kombu does.
--
-- KEYS    1 unacked   2 unacked_index   3... the lists that messages are restored to
-- ARGV    2 'restore' (to the end of the lists from which the next is taken) or 'drop' (as if it had
--         been acknowledged)   3... for each: its tag, the message as it is stored, as it is queued,
--         and the places in KEYS of its lists: that of its priority in each queue of its route
-- Returns items: '1' where a message was there and was moved
-- Refuses 'argument', 'missing' (unacked), 'type', 'forbidden'
-- Guard   each tag still has that message; else conflict with ''
-- Cost    O(log N) for each
-- The stored value is [message, exchange, routing key].
local verb, unacked, index = ARGV[2], KEYS[1], KEYS[2]
if #ARGV < 6 or (#ARGV - 2) % 4 ~= 0 or (verb ~= 'restore' and verb ~= 'drop') then
  return refused('argument')
end
local lists = {}
for i = 3, #ARGV, 4 do
  lists[i] = {}
  for place in string.gmatch(ARGV[i + 3], '%d+') do
    lists[i][#lists[i] + 1] = KEYS[whole(place, 3) or 0]
  end
  -- Without a list, the message would be lost.
  if verb == 'restore' and #lists[i] == 0 then
    return refused('argument')
  end
end
local wrong = not_a('hash', unacked)
if wrong then
  return refused(wrong)
end
if not_a('zset', index) == 'type' then
  return refused('type')
end
for i = 3, #KEYS do
  if not_a('list', KEYS[i]) == 'type' then
    return refused('type')
  elseif not may('RPUSH', KEYS[i], '') then
    return refused('forbidden')
  end
end
if not may('HDEL', unacked, '') or not may('ZREM', index, '') then
  return refused('forbidden')
end
remember()
local moved, flags = 0, {}
for i = 3, #ARGV, 4 do
  local tag, message = ARGV[i], ARGV[i + 1]
  local stored = redis.call('HGET', unacked, tag)
  local there = stored and string.sub(stored, 1, 1 + #message) == '[' .. message
  flags[#flags + 1] = there and '1' or '0'
  if there then
    moved = moved + 1
    redis.call('ZREM', index, tag)
    redis.call('HDEL', unacked, tag)
    if verb == 'restore' then
      for _, list in ipairs(lists[i]) do
        redis.call('RPUSH', list, ARGV[i + 2])
      end
    end
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
