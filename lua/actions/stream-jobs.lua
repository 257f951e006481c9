-- SPDX-License-Identifier: GPL-3.0-or-later
-- Gives pending entries of a stream's group to another consumer, or acknowledges them unprocessed.
--
-- KEYS    1 the stream
-- ARGV    2 'claim' or 'drop' (acknowledge and delete)   3 the group   4 with 'claim': to which
--         consumer   5 with 'claim': ms that each has been with its consumer at least
--         6... each entry: the consumer that has it, its id
-- Returns items: '1' where an entry was as the action wants it
-- Refuses 'argument', 'missing', 'type', 'forbidden'
-- Guard   each entry is still pending with that consumer, and idle; else conflict with ''
-- Cost    O(log N) for each
local verb, stream, group, to, idle = ARGV[2], KEYS[1], ARGV[3], ARGV[4], whole(ARGV[5], 0)
if #ARGV < 7 or #ARGV % 2 ~= 1 or #KEYS ~= 1 or not idle or (verb ~= 'claim' and verb ~= 'drop') then
  return refused('argument')
end
local wrong = not_a('stream', stream)
if wrong then
  return refused(wrong)
end
if not may('XCLAIM', stream, group, to, 0, '0-1') or not may('XACK', stream, group, '0-1')
    or not may('XDEL', stream, '0-1') then
  return refused('forbidden')
end

-- {id, consumer, idle, deliveries}, if it is pending.
local function pending(id)
  local found = redis.pcall('XPENDING', stream, group, id, id, 1)
  return not found.err and found[1] or nil
end
local acts = {
  claim = function(id)
    return #redis.call('XCLAIM', stream, group, to, idle, id, 'JUSTID') == 1
  end,
  drop = function(id)
    local acknowledged = redis.call('XACK', stream, group, id) == 1
    redis.call('XDEL', stream, id)
    return acknowledged
  end,
}
remember()
local moved, flags = 0, {}
for i = 6, #ARGV, 2 do
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
