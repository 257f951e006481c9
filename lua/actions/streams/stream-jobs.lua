-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adds pending entries of a stream's only group anew, or acknowledges them unprocessed.
--
-- KEYS    1 the stream
-- ARGV    2 'again' or 'drop' (acknowledge and delete)   3 the group
--         4 with 'again': ms that each has been with its consumer at least
--         5... each entry: the consumer that has it, its id
-- Returns items: '1' where an entry was as the action wants it
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   each entry is still pending with that consumer, and idle; else conflict with ''
-- Cost    O(log N) for each, and its size
-- All consumers read new entries, but not all of them claim entries of others that are pending for
-- long. The next reader takes a copy at the end of the stream. An entry claimed for a consumer
-- would wait until that one restarts, and no other would take it, since it would not be idle any
-- more.
local verb, stream, group, idle = ARGV[2], KEYS[1], ARGV[3], whole(ARGV[4], 0)
if #ARGV < 6 or #ARGV % 2 ~= 0 or #KEYS ~= 1 or not idle or (verb ~= 'again' and verb ~= 'drop') then
  return refused('argument')
end
local wrong = not_a('stream', stream)
if wrong then
  return refused(wrong)
end
if not may('XADD', stream, '*', 'a', '1') or not may('XACK', stream, group, '0-1')
    or not may('XDEL', stream, '0-1') then
  return refused('forbidden')
end

-- {id, consumer, idle, deliveries}, if it is pending.
local function pending(id)
  local found = redis.pcall('XPENDING', stream, group, id, id, 1)
  return not found.err and found[1] or nil
end
local function drop(id)
  local acknowledged = redis.call('XACK', stream, group, id) == 1
  redis.call('XDEL', stream, id)
  return acknowledged
end
local acts = {
  again = function(id)
    local entry = redis.call('XRANGE', stream, id, id)[1]
    return entry and redis.call('XADD', stream, '*', unpack(entry[2])) and drop(id)
  end,
  drop = drop,
}
remember()
local moved, flags = 0, {}
for i = 5, #ARGV, 2 do
  local consumer, id = ARGV[i], ARGV[i + 1]
  local entry = pending(id)
  local there = entry and entry[2] == consumer and (verb == 'drop' or entry[3] >= idle)
    and acts[verb](id)
  flags[#flags + 1] = there and '1' or '0'
  moved = moved + (there and 1 or 0)
end
if moved == 0 then
  return conflict('')
end
return done(moved, table.concat(flags))
