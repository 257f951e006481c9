-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of a Laravel queue byte for byte, as the framework's own migration does.
--
-- KEYS    1 the queue's list   2 delayed   3 reserved   4 notify
-- ARGV    2 'promote' (delayed ones, to the list), 'requeue' (reserved ones whose moment has passed,
--         to the list) or 'remove' (out of whatever holds them)   3... the jobs
-- Returns items: '1' where a job was there and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each job is still there byte by byte, and a reserved one overdue; else conflict with ''
-- Cost    O(log N) for a job in a sorted set, O(N) for one in the list
local verb, list, delayed, reserved, notify = ARGV[2], KEYS[1], KEYS[2], KEYS[3], KEYS[4]
if #ARGV < 3 or #KEYS ~= 4 or (verb ~= 'promote' and verb ~= 'requeue' and verb ~= 'remove') then
  return refused('argument')
end
if not_a('list', list) == 'type' or not_a('zset', delayed) == 'type'
    or not_a('zset', reserved) == 'type' or not_a('list', notify) == 'type' then
  return refused('type')
end
if not may('RPUSH', list, '') or not may('LREM', list, 1, '') or not may('ZREM', delayed, '')
    or not may('ZREM', reserved, '') or not may('RPUSH', notify, '1') then
  return refused('forbidden')
end

local takes = {
  promote = function(job)
    return redis.call('ZREM', delayed, job) == 1
  end,
  requeue = function(job)
    local trusted = tonumber(redis.call('ZSCORE', reserved, job) or 'inf')
    return trusted <= now_in('s') and redis.call('ZREM', reserved, job) == 1
  end,
  remove = function(job)
    return redis.call('ZREM', delayed, job) == 1 or redis.call('LREM', list, 1, job) == 1
  end,
}
remember()
local moved, flags = 0, {}
for i = 3, #ARGV do
  local there = takes[verb](ARGV[i])
  flags[i - 2] = there and '1' or '0'
  if there then
    moved = moved + 1
    if verb ~= 'remove' then
      redis.call('RPUSH', list, ARGV[i])
      redis.call('RPUSH', notify, '1') -- wakes a waiting worker
    end
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
