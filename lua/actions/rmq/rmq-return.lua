-- SPDX-License-Identifier: GPL-3.0-or-later
-- Returns deliveries that a connection of adjust/rmq left unacknowledged when it died, as the
-- library's cleaner does.
--
-- KEYS    1 ready   2... of each connection in turn: its list of unacknowledged ones, its heartbeat
-- ARGV    2... the deliveries, each "N DELIVERY": which of KEYS its list is
-- Returns items: '1' where a delivery was there and was returned
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each delivery is still there, and its connection has no heartbeat; else conflict with ''
-- Cost    O(N) for each delivery
local ready, count = KEYS[1], #ARGV - 1
if count < 1 or #KEYS < 3 or #KEYS % 2 == 0 then
  return refused('argument')
end
if not_a('list', ready) == 'type' then
  return refused('type')
end
for i = 2, #KEYS, 2 do
  if not_a('list', KEYS[i]) == 'type' then
    return refused('type')
  end
end
if not may('LREM', KEYS[2], -1, '1') or not may('LPUSH', ready, '1') then
  return refused('forbidden')
end
local function in_list(list, delivery)
  for _, one in ipairs(redis.call('LRANGE', list, -1000, -1)) do
    if one == delivery then
      return true
    end
  end
  return false
end

remember()
local moved, flags = 0, {}
for i = 1, count do
  local at, delivery = scored(ARGV[1 + i])
  local unacked, heartbeat = KEYS[at or 0], KEYS[(at or 0) + 1]
  local there = unacked and heartbeat and redis.call('EXISTS', heartbeat) == 0 and in_list(unacked, delivery)
  flags[i] = there and '1' or '0'
  if there then
    redis.call('LREM', unacked, -1, delivery)
    redis.call('LPUSH', ready, delivery)
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
