-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves jobs of Resque byte for byte, as the APIs of Resque, resque-scheduler and
-- node-resque do.
--
-- KEYS    1 the queue's list  2 the set of all queues  3 failed  4 delayed_queue_schedule  5 workers
--         6 workers:heartbeat  7 stat:failed
--         8... of each job, in the order of ARGV. Delayed: delayed:<second>, timestamps:<job>.
--         Working: worker:<worker>, the same with :started, worker:ping:<name>, and stat:processed
--         and stat:failed of the worker and of the name. Else none
-- ARGV    2 'retry' (failed), 'promote' (delayed), 'requeue' (working, its worker is gone: as the
--           check for such workers fails it and the retry of what that failed) or 'remove'
--         3 their state: 'failed', 'delayed', 'working' or 'waiting'   4 the queue's name
--         5... of each job its second or worker ('' in other states), its bytes, and those to queue
-- Returns items: '1' where a job was as the action wants it and was moved
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   each job is still there, byte for byte; its worker gave no sign of life for five minutes;
--         else conflict with ''
-- Cost    O(N) for each
local verb, state, queue_name, first_arg, first_key = ARGV[2], ARGV[3], ARGV[4], 5, 8
local queue, queues, failed, schedule, workers = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local heartbeats, failures, silence_s = KEYS[6], KEYS[7], 300
local wanted = { retry = 'failed', promote = 'delayed', requeue = 'working' }
local each = ({ failed = 0, waiting = 0, delayed = 2, working = 7 })[state]
local count = (#ARGV - first_arg + 1) / 3
if not each or count < 1 or count % 1 ~= 0 or #KEYS ~= first_key - 1 + count * each
    or not (wanted[verb] == state or (verb == 'remove' and state ~= 'working')) then
  return refused('argument')
end
local kinds = { 'list', 'set', 'list', 'zset', 'set', 'hash', 'string' }
local own_kinds = { delayed = { 'list', 'set' }, working = {} }
for i, key in ipairs(KEYS) do
  local kind = kinds[i] or own_kinds[state][(i - first_key) % each + 1] or 'string'
  if not_a(kind, key) == 'type' then
    return refused('type')
  end
end
if not may('RPUSH', queue, '') or not may('SADD', queues, '') or not may('LREM', failed, 1, '')
    or not may('ZREM', schedule, '1') or not may('SREM', workers, '') or not may('HDEL', heartbeats, '')
    or not may('INCR', failures) or (each > 0 and not may('DEL', KEYS[first_key])) then
  return refused('forbidden')
end

-- Seconds since 1970 for an ISO 8601 time with its zone. Nil for anything else.
local function seconds_of(text)
  local y, mo, d, h, mi, s, zone = string.match(text or '', '^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)[.%d]*(.*)$')
  local sign, zone_h, zone_m = string.match(zone or '', '^([+-])(%d%d):?(%d%d)$')
  if not y or not (sign or zone == 'Z') then
    return nil
  end
  local offset = sign and (zone_h * 3600 + zone_m * 60) * (sign == '+' and 1 or -1) or 0
  local year, month = mo > '02' and y - 0 or y - 1, (mo + 9) % 12
  local days = 365 * year + math.floor(year / 4) - math.floor(year / 100) + math.floor(year / 400)
    + math.floor((153 * month + 2) / 5) + d - 1 - 719468
  return days * 86400 + h * 3600 + mi * 60 + s - offset
end
-- A worker without any heartbeat may be of a version that writes none.
local function is_silent(worker, ping)
  local seen = seconds_of(redis.call('HGET', heartbeats, worker) or nil)
  local said, written = pcall(cjson.decode, redis.call('GET', ping) or '')
  if not seen and said and type(written) == 'table' then
    seen = tonumber(written.time)
  end
  return seen and seen + silence_s < now_in('s')
end
local function is_there_again(list, job)
  for _, one in ipairs(redis.call('LRANGE', list, 0, 999)) do
    if one == job then
      return true
    end
  end
  return false
end

local take = {
  failed = function(_, job)
    return redis.call('LREM', failed, 1, job) == 1
  end,
  waiting = function(_, job)
    return redis.call('LREM', queue, 1, job) == 1
  end,
  delayed = function(second, job, list, stamps)
    if redis.call('LREM', list, 1, job) == 0 then
      return false
    end
    if not is_there_again(list, job) then
      redis.call('SREM', stamps, 'delayed:' .. second)
    end
    if redis.call('EXISTS', list) == 0 then
      redis.call('ZREM', schedule, second)
    end
    return true
  end,
  working = function(worker, job, held, started, ping, ...)
    if redis.call('GET', held) ~= job or not is_silent(worker, ping) then
      return false
    end
    redis.call('DEL', held, started, ping, ...)
    redis.call('SREM', workers, worker)
    redis.call('HDEL', heartbeats, worker)
    redis.call('INCR', failures)
    return true
  end,
}

remember()
local moved, flags = 0, {}
for n = 1, count do
  local at, key = first_arg + (n - 1) * 3, first_key + (n - 1) * each
  local there = take[state](ARGV[at], ARGV[at + 1], unpack(KEYS, key, key + each - 1))
  flags[n] = there and '1' or '0'
  if there then
    moved = moved + 1
    if verb ~= 'remove' then
      redis.call('SADD', queues, queue_name)
      redis.call('RPUSH', queue, ARGV[at + 2])
    end
  end
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
