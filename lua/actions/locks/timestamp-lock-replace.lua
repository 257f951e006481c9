-- SPDX-License-Identifier: GPL-3.0-or-later
-- Changes the end of a lock whose value is the time of its end, or removes the lock.
--
-- KEYS    1 lock
-- ARGV    2 the value that was seen   3 the new value, a moment ahead; '': remove the lock
--         4 the unit of both: 's' or 'ms'
--         5 '1': only if the lock has expired by the server's time
-- Refuses 'argument', 'missing', 'type', 'value' (it is no moment), 'held' (it has not expired),
--         'forbidden'
-- Guard   the value is what was seen; else conflict with the present value
-- Cost    O(1) and DUMP of the key
-- Such locks have no TTL. A lock that has one gets the new end as its TTL, since SET would remove
-- it.
local function moment(text)
  return string.match(text, '^%d+%.?%d*$') and tonumber(text)
end
local seen, replacement, unit = ARGV[2], ARGV[3], ARGV[4]
if not seen or not replacement or (unit ~= 's' and unit ~= 'ms') then
  return refused('argument')
end
local now, ends = now_in(unit), nil
if replacement ~= '' then
  ends = moment(replacement)
  if not ends or ends <= now or ends > 1e15 then
    return refused('argument')
  end
end
local wrong = not_a('string', KEYS[1])
if wrong then
  return refused(wrong)
end
local value = redis.call('GET', KEYS[1])
if value ~= seen then
  return conflict(value)
end
local held_until = moment(value)
if not held_until then
  return refused('value')
end
if ARGV[5] == '1' and held_until >= now then
  return refused('held')
end
if not ends then
  if not may('DEL', KEYS[1]) then
    return refused('forbidden')
  end
  remember()
  redis.call('DEL', KEYS[1])
  return done(1)
end
local expires = redis.call('PTTL', KEYS[1]) >= 0
local expiry = string.format('%.0f', math.ceil(ends * 1000 / per_second[unit]))
if not may('SET', KEYS[1], replacement)
    or (expires and not may('PEXPIREAT', KEYS[1], expiry)) then
  return refused('forbidden')
end
remember()
redis.call('SET', KEYS[1], replacement)
if expires then
  redis.call('PEXPIREAT', KEYS[1], expiry)
end
return done(1)
