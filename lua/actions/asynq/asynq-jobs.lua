-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves tasks of an asynq queue as asynq's inspector and its workers do.
--
-- KEYS    1 pending  2 active  3 lease  4 scheduled  5 retry  6 archived  7 completed
--         8... the hash of each task, in the order of ARGV; then the keys that ARGV names
-- ARGV    2 'retry' (archived), 'promote' (scheduled or retry), 'requeue' (active, its lease is
--           over), 'remove' (not active), 'archive' (pending, scheduled or retry), 'clean S'
--           (archived no later than that)
--         3... the ids of the tasks; then, to remove or clean them, for each the place in KEYS of
--         the key that keeps it unique, 0: it has none
-- Returns items: '1' where a task was as the action wants it and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each task is still in its state by its hash and by its key; else conflict with ''
-- Cost    O(log N) for a task in a sorted set, O(N) for one in a list
local verb, before = string.match(ARGV[2] or '', '^(%l+) ?(%d*)$')
local first_task = 8
local removes = verb == 'remove' or verb == 'clean'
local tasks = removes and (#ARGV - 2) / 2 or #ARGV - 2
local pending, active, lease = KEYS[1], KEYS[2], KEYS[3]
local set_of = { scheduled = KEYS[4], retry = KEYS[5], archived = KEYS[6], completed = KEYS[7] }
if not whole(tostring(tasks), 1) or (verb == 'clean') ~= (before ~= '' and before ~= nil)
    or #KEYS < first_task - 1 + tasks then
  return refused('argument')
end
if not_a('list', pending) == 'type' or not_a('list', active) == 'type'
    or not_a('zset', lease) == 'type' then
  return refused('type')
end
for _, set in pairs(set_of) do
  if not_a('zset', set) == 'type' then
    return refused('type')
  end
end
local sample = KEYS[first_task]
if not may('LPUSH', pending, '1') or not may('RPUSH', pending, '1') or not may('LREM', active, 0, '1')
    or not may('ZREM', lease, '1') or not may('HSET', sample, 'state', 'pending')
    or not may('DEL', sample) or not may('ZADD', set_of.archived, 1, '1') then
  return refused('forbidden')
end

-- asynq's own tolerance for differing clocks.
local expired_at = now_in('s') - 30
local function state_of(task)
  return not_a('hash', task) == nil and redis.call('HGET', task, 'state') or nil
end
local function in_list(list, id)
  for _, one in ipairs(redis.call('LRANGE', list, -1000, -1)) do
    if one == id then
      return true
    end
  end
  return false
end
local function in_set(state, id)
  return set_of[state] and redis.call('ZSCORE', set_of[state], id)
end

-- The key that keeps the task unique; '' if it has none. Nil if it has changed.
local function unique_of(task, place)
  local unique = redis.call('HGET', task, 'unique_key') or ''
  return unique == (KEYS[tonumber(place)] or '') and unique or nil
end

local fits = {
  retry = function(id, state)
    return state == 'archived' and in_set(state, id)
  end,
  promote = function(id, state)
    return (state == 'scheduled' or state == 'retry') and in_set(state, id)
  end,
  requeue = function(id, state)
    local until_s = redis.call('ZSCORE', lease, id)
    return state == 'active' and in_list(active, id) and (not until_s or tonumber(until_s) <= expired_at)
  end,
  remove = function(id, state, task)
    return in_set(state, id) or (state == 'pending' and in_list(pending, id))
  end,
}
fits.clean = function(id, state, task)
  local since = state == 'archived' and in_set(state, id)
  return since and tonumber(since) <= tonumber(before)
end
fits.archive = function(id, state)
  return fits.promote(id, state) or (state == 'pending' and in_list(pending, id))
end
local function remove(id, state, task, unique)
  if state == 'pending' then
    redis.call('LREM', pending, 0, id)
  else
    redis.call('ZREM', set_of[state], id)
  end
  if unique ~= '' and redis.call('GET', unique) == id then
    redis.call('DEL', unique)
  end
  redis.call('DEL', task)
end
local function run(id, state, task)
  redis.call('ZREM', set_of[state], id)
  redis.call('LPUSH', pending, id)
  redis.call('HSET', task, 'state', 'pending')
end
local acts = {
  retry = run,
  promote = run,
  requeue = function(id, _, task)
    redis.call('LREM', active, 0, id)
    redis.call('ZREM', lease, id)
    redis.call('RPUSH', pending, id)
    redis.call('HSET', task, 'state', 'pending')
  end,
  remove = remove,
  clean = remove,
  -- Does not trim the archive: asynq does so with its next own task.
  archive = function(id, state, task)
    if state == 'pending' then
      redis.call('LREM', pending, 1, id)
    else
      redis.call('ZREM', set_of[state], id)
    end
    redis.call('ZADD', set_of.archived, math.floor(now_in('s')), id)
    redis.call('HSET', task, 'state', 'archived')
  end,
}
if not acts[verb] then
  return refused('argument')
end

remember()
local moved, flags = 0, {}
for i = 1, tasks do
  local id, task = ARGV[2 + i], KEYS[first_task + i - 1]
  local state = state_of(task)
  local unique = not removes and '' or (state and unique_of(task, ARGV[2 + tasks + i]))
  local there = state and unique and fits[verb](id, state, task)
  flags[i] = there and '1' or '0'
  if there then
    acts[verb](id, state, task, unique)
    moved = moved + 1
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
