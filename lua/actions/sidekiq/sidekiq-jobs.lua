-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of Sidekiq byte for byte, as Sidekiq's own API and reliable fetchers do.
--
-- KEYS    1 the queue's list   2 the set of all queues   3... the sorted sets or lists that hold
--         the jobs, and for a list of a fetcher the key that its process has while it lives after it;
--         for a job with a lock of sidekiq-unique-jobs its keys, see drop_unique_lock()
-- ARGV    2 'push' (out of a sorted set, to the queue), 'remove' (out of whatever holds them) or
--         'requeue' (out of a fetcher's list, whose process has no heartbeat any more)
--         3 the queue's name
--         4... for each job: which of KEYS holds it, its bytes, and the bytes to be queued; with
--         'remove' its lock, see drop_unique_lock()
-- Returns items: '1' where a job was there and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each job is still there byte by byte, and its process is silent; else conflict with ''
-- Cost    O(log N) for a job in a sorted set, O(N) for one in a list
-- A requeued job goes to the back, as after the fetcher's own cleanup: the job that crashed its
-- process may crash the next one.
local verb, queue = ARGV[2], KEYS[1]
if #ARGV < 6 or #ARGV % 3 ~= 0 or #KEYS < 3
    or (verb ~= 'push' and verb ~= 'remove' and verb ~= 'requeue') then
  return refused('argument')
end
if not_a('list', queue) == 'type' or not_a('set', KEYS[2]) == 'type' then
  return refused('type')
end
if not may('LPUSH', queue, '') or not may('SADD', KEYS[2], '') or not may('ZREM', KEYS[3], '')
    or not may('LREM', KEYS[3], 1, '') or not may('DEL', KEYS[3]) then
  return refused('forbidden')
end

local function take(holder, job)
  if type_of(holder) == 'zset' then
    return redis.call('ZREM', holder, job) == 1
  end
  return type_of(holder) == 'list' and redis.call('LREM', holder, -1, job) == 1
end

remember()
local moved, flags = 0, {}
for i = 4, #ARGV, 3 do
  local at = whole(ARGV[i], 1)
  local holder = at and KEYS[at]
  local there = holder ~= nil
  if there and verb == 'push' then
    there = type_of(holder) == 'zset'
  elseif there and verb == 'requeue' then
    there = KEYS[at + 1] and type_of(holder) == 'list' and redis.call('EXISTS', KEYS[at + 1]) == 0
  end
  there = there and take(holder, ARGV[i + 1])
  flags[#flags + 1] = there and '1' or '0'
  if there then
    moved = moved + 1
    if verb == 'remove' then
      drop_unique_lock(ARGV[i + 2])
    else
      redis.call('SADD', KEYS[2], ARGV[3])
      redis.call('LPUSH', queue, ARGV[i + 2])
    end
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
