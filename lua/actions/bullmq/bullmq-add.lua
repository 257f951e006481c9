-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adds one job to a BullMQ queue, as BullMQ's own API adds one with an id of the caller's.
--
-- KEYS    1 meta  2 wait  3 paused  4 active  5 marker  6 events  7 id  8 the job's hash
-- ARGV    2 the major version of the library that writes this queue, '4', '5' or '6'
--         3 the job's id   4 its name   5 its data and   6 its options, as JSON
-- Refuses 'argument', 'version', 'missing' or 'type' (meta), 'type' (wait), 'forbidden'
-- Guard   there is no job of that id; else conflict with ''
-- Cost    O(1)
local version, id = tonumber(ARGV[2]), ARGV[3]
local events, job = KEYS[6], KEYS[8]
if not version or #ARGV ~= 6 or #KEYS ~= 8 or id == '' then
  return refused('argument')
end
if version < 4 or version > 6 then
  return refused('version')
end
local wrong = not_a('hash', KEYS[1])
if wrong then
  return refused(wrong)
end
if not_a('list', KEYS[2]) == 'type' or not_a('list', KEYS[3]) == 'type' then
  return refused('type')
end
if not may('LPUSH', KEYS[2], '1') or not may('LPUSH', KEYS[3], '1') or not may('INCR', KEYS[7])
    or not may('HSET', job, 'a', '1') or not may('ZADD', KEYS[5], 0, '0')
    or not may('XADD', events, '*', 'event', 'waiting') then
  return refused('forbidden')
end
if redis.call('EXISTS', job) == 1 then
  return conflict('')
end

remember()
local settings = redis.call('HMGET', KEYS[1], 'paused', 'concurrency', 'opts.maxLenEvents')
local is_maxed = settings[2] and redis.call('LLEN', KEYS[4]) >= tonumber(settings[2])
redis.call('INCR', KEYS[7])
redis.call('HSET', job, 'name', ARGV[4], 'data', ARGV[5], 'opts', ARGV[6], 'timestamp',
  string.format('%.0f', now_ms()), 'delay', 0, 'priority', 0)
redis.call('XADD', events, '*', 'event', 'added', 'jobId', id, 'name', ARGV[4])
-- Version 6 leaves the jobs of a paused queue in the waiting list.
redis.call('LPUSH', settings[1] and version < 6 and KEYS[3] or KEYS[2], id)
-- Workers of version 5 on block on the marker; those of 4 on the waiting list itself.
if version > 4 and not settings[1] and not is_maxed then
  redis.call('ZADD', KEYS[5], 0, '0')
end
redis.call('XADD', events, 'MAXLEN', '~', settings[3] or 10000, '*', 'event', 'waiting', 'jobId', id)
return done(1)
