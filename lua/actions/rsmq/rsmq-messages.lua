-- SPDX-License-Identifier: GPL-3.0-or-later
-- Makes hidden messages of an rsmq queue visible, or deletes messages, as rsmq's own API does.
--
-- KEYS    1 the sorted set of messages  2 the queue's hash, "<queue>:Q"
-- ARGV    2 'promote' (hidden) or 'remove'
--         3 the state that they are in: 'visible', 'in-flight' (hidden since a worker received it) or
--           'delayed' (hidden since it was sent)
--         4... the ids
-- Returns items: '1' where a message was as the action wants it and was changed
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each message is still in that state; else conflict with ''
-- Cost    O(log N) for each
local verb, state, first_id = ARGV[2], ARGV[3], 4
local messages, settings = KEYS[1], KEYS[2]
local known = { visible = true, ['in-flight'] = true, delayed = true }
if #ARGV < first_id or #KEYS ~= 2 or not known[state]
    or not (verb == 'remove' or (verb == 'promote' and state ~= 'visible')) then
  return refused('argument')
end
if not may('ZADD', messages, 1, '1') or not may('ZREM', messages, '1')
    or not may('HDEL', settings, '1') then
  return refused('forbidden')
end
if not_a('zset', messages) == 'type' or not_a('hash', settings) == 'type' then
  return refused('type')
end
local now = now_ms()

local function state_of(id)
  local due = tonumber(redis.call('ZSCORE', messages, id) or nil)
  if not due then
    return nil
  elseif due <= now then
    return 'visible'
  end
  return redis.call('HEXISTS', settings, id .. ':rc') == 1 and 'in-flight' or 'delayed'
end

remember()
local changed, flags = 0, {}
for i = first_id, #ARGV do
  local id = ARGV[i]
  local there = state_of(id) == state
  flags[#flags + 1] = there and '1' or '0'
  if there then
    changed = changed + 1
    if verb == 'promote' then
      redis.call('ZADD', messages, string.format('%.0f', now), id)
    else
      redis.call('ZREM', messages, id)
      redis.call('HDEL', settings, id, id .. ':rc', id .. ':fr')
    end
  end
end
if changed == 0 then
  return conflict('')
end
return done(changed, table.concat(flags))
