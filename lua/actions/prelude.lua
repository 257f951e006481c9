-- SPDX-License-Identifier: GPL-3.0-or-later
-- Stands before each action's script: what they share. An action is this and its own file, sent
-- as one script.
--
-- KEYS    all keys that the action touches
-- ARGV    1 the most bytes of one key that are kept for undoing
-- Returns {status, count, text, items, keys}
--   status  'done', 'conflict' (it is no longer what was seen) or 'refused' (it must not be done)
--   count   how many things changed
--   text    with 'conflict': what it is now, at most 128 bytes; with 'refused': why, one word
--   items   with several items: '1' or '0' for each, in their order; else ''
--   keys    with 'done', for each of KEYS:
--           {type, size in bytes, DUMP or false, expiry, fingerprint after, expiry after}
--           false: larger than ARGV 1, or not there. An expiry is a moment in milliseconds,
--           -1: it does not expire, -2: there is no key. A fingerprint is the SHA-1 of DUMP;
--           '': there is no key; false: too large to be dumped.
-- Nothing is written unless the status is 'done'.

-- Effects are replicated instead of the script: the default from Redis 5 on.
if redis.replicate_commands then
  redis.replicate_commands()
end

local limit = tonumber(ARGV[1])

local function now_ms()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

local function type_of(key)
  return redis.call('TYPE', key).ok
end

-- PEXPIRETIME is there from Redis 7 on; before, the moment is right to a millisecond or two.
local function expiry_of(key)
  local at = redis.pcall('PEXPIRETIME', key)
  if type(at) == 'number' then
    return at
  end
  local left = redis.call('PTTL', key)
  return left < 0 and left or now_ms() + left
end

local function size_of(key)
  local size = redis.pcall('MEMORY', 'USAGE', key, 'SAMPLES', '5')
  return type(size) == 'number' and size or nil
end

local function dump_of(key)
  local size = size_of(key)
  if not size or size > limit then
    return false
  end
  return redis.call('DUMP', key)
end

local function fingerprint_of(key)
  if redis.call('EXISTS', key) == 0 then
    return ''
  end
  local dump = dump_of(key)
  return dump and redis.sha1hex(dump)
end

local before = {}

-- To be called after all checks and before the first write.
local function remember()
  for i, key in ipairs(KEYS) do
    before[i] = { type_of(key), size_of(key) or 0, dump_of(key), expiry_of(key) }
  end
end

local function done(count, items)
  for i, key in ipairs(KEYS) do
    before[i][5] = fingerprint_of(key)
    before[i][6] = expiry_of(key)
  end
  return { 'done', count, '', items or '', before }
end

local function conflict(now)
  return { 'conflict', 0, string.sub(tostring(now or ''), 1, 128), '', {} }
end

local function refused(why)
  return { 'refused', 0, why, '', {} }
end
