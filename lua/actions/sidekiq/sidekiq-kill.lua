-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of Sidekiq to the dead ones byte for byte, as Sidekiq's own API does.
--
-- KEYS    1 the set of the dead   2... the sorted sets that hold the jobs, and the keys of locks of
--         sidekiq-unique-jobs
-- ARGV    2... for each job: which of KEYS holds it, its bytes, its lock, see drop_unique_lock()
-- Returns items: '1' where a job was there and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each job is still there byte by byte; else conflict with ''
-- Cost    O(log N) for each job
-- Only Sidekiq's processes know how many dead jobs are kept and for how long. They trim the set
-- when the next job dies.
local dead = KEYS[1]
if #ARGV < 4 or #ARGV % 3 ~= 1 or #KEYS < 2 then
  return refused('argument')
end
for i = 2, #ARGV, 3 do
  if not_a('zset', dead) == 'type' or not_a('zset', KEYS[whole(ARGV[i], 2) or 1]) == 'type' then
    return refused('type')
  end
end
if not may('ZREM', KEYS[2], '') or not may('ZADD', dead, 1, '') or not may('DEL', KEYS[2]) then
  return refused('forbidden')
end

remember()
local moved, flags = 0, {}
for i = 2, #ARGV, 3 do
  local at = whole(ARGV[i], 2)
  local there = at and KEYS[at] and redis.call('ZREM', KEYS[at], ARGV[i + 1]) == 1
  flags[#flags + 1] = there and '1' or '0'
  if there then
    moved = moved + 1
    drop_unique_lock(ARGV[i + 2])
    redis.call('ZADD', dead, string.format('%.6f', now_in('s')), ARGV[i + 1])
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
