-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adds one job to a queue of Bull 3 or 4, as Bull's own API adds one with an id of the caller's.
--
-- KEYS    1 wait  2 paused  3 meta-paused  4 id  5 the job's hash
-- ARGV    2 the job's id   3 its name   4 its data and   5 its options, as JSON
-- Refuses 'argument', 'type' (wait, paused), 'forbidden'
-- Guard   there is no job of that id; else conflict with ''
-- Cost    O(1)
local id, job = ARGV[2], KEYS[5]
if #ARGV ~= 5 or #KEYS ~= 5 or id == '' then
  return refused('argument')
end
if not_a('list', KEYS[1]) == 'type' or not_a('list', KEYS[2]) == 'type' then
  return refused('type')
end
if not may('LPUSH', KEYS[1], '1') or not may('LPUSH', KEYS[2], '1') or not may('INCR', KEYS[4])
    or not may('HSET', job, 'a', '1') or not may('PUBLISH', KEYS[1], '1') then
  return refused('forbidden')
end
if redis.call('EXISTS', job) == 1 then
  return conflict('')
end

remember()
redis.call('INCR', KEYS[4])
redis.call('HSET', job, 'name', ARGV[3], 'data', ARGV[4], 'opts', ARGV[5], 'timestamp',
  string.format('%.0f', now_ms()), 'delay', 0, 'priority', 0)
redis.call('LPUSH', redis.call('EXISTS', KEYS[3]) == 1 and KEYS[2] or KEYS[1], id)
-- Workers of Bull wait for a message that ends in the token of a queue object; any token works.
redis.call('PUBLISH', KEYS[1] .. 'ing@', id)
return done(1)
