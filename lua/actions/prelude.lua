-- SPDX-License-Identifier: GPL-3.0-or-later
-- Precedes each action's script and contains the functions that they share. An action is this file
-- and its own file, sent as one script: this, "local function act()", the file, "end", "return
-- guarded(act)".
--
-- KEYS    all keys that the action touches
-- ARGV    1 the most bytes of one key that are kept for undoing, a blank, and the deadline: the
--           last moment in ms, by the server's clock, at which the action may begin
-- Returns {status, count, text, items, keys}
--   status  'done', 'conflict' (it is no longer what was seen) or 'refused' (it must not be done)
--   count   how many things changed
--   text    with 'conflict': what it is now, at most 128 bytes; with 'refused': why, one word
--   items   with several items: '1' or '0' for each, in their order; with 'error': the server's
--           error; else ''
--   keys    with 'done', for each of KEYS:
--           {type, size in bytes, DUMP or false, expiry, fingerprint after, expiry after}
--           false: larger than ARGV 1, or not there. An expiry is a moment in milliseconds,
--           -1: it does not expire, -2: there is no key. A fingerprint is the SHA-1 of DUMP
--           without its last ten bytes, the version of its format and a checksum over that too,
--           which another version of the server writes differently; '': there is no key; false:
--           too large to be dumped.
-- Refuses, beside what the action says: 'replica', 'late' (the deadline has passed: the sender was
--         informed that nothing was done, or soon will be), 'nodump' (this user may not send DUMP),
--         'error' (a command failed before anything was written)
-- Nothing is written unless the status is 'done'. An error reply: it failed after a write.

-- Effects are replicated instead of the script: the default from Redis 5 on.
if redis.replicate_commands then
  redis.replicate_commands()
end

local limit, deadline = string.match(ARGV[1] or '', '^(%d+) (%d+)$')
limit, deadline = tonumber(limit), tonumber(deadline)

local function now_ms()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- The server's time in a unit of scores and values: 's', 'ms' or 'us', with its fraction.
local per_second = { s = 1, ms = 1000, us = 1000000 }
local function now_in(unit)
  local t = redis.call('TIME')
  return t[1] * per_second[unit] + t[2] * per_second[unit] / 1000000
end

-- The text as a whole number, at least "least". Nil if it is not one or not exact in Lua.
local function whole(text, least)
  local number = text and string.match(text, '^%-?%d+$') and tonumber(text)
  return number and number >= least and number <= 9007199254740991 and number or nil
end

-- Splits "SCORE PAYLOAD". Returns the score as a number, the payload, and the score as it was
-- written. Returns nothing if there is no score.
local function scored(text)
  local space = string.find(text, ' ', 1, true)
  local written = space and string.sub(text, 1, space - 1)
  local score = written and tonumber(written)
  if score and score == score then
    return score, string.sub(text, space + 1), written
  end
end

-- The most entries of a sorted set that one script removes: about 5 ms.
local most_removed = 10000

-- An exclusive lower limit for a range of scores.
local function above(score)
  return string.format('(%.17g', score)
end

local function type_of(key)
  return redis.call('TYPE', key).ok
end

-- Why the key does not have that type: 'missing' or 'type'. Nil if it has.
local function not_a(kind, key)
  local is = type_of(key)
  if is == 'none' then
    return 'missing'
  end
  return is ~= kind and 'type' or nil
end

-- True if this user may send that command. A denied write does not roll back a script, so that it
-- checks all writes before the first one and refuses as 'forbidden'. Needs Redis 7; always true
-- before. False for a command that the server does not have or that was renamed.
local function may(...)
  if not redis.acl_check_cmd then
    return true
  end
  local known, allowed = pcall(redis.acl_check_cmd, ...)
  return known and allowed
end

-- Publishes a message on the channel; in a cluster also on the shard channel of that name.
local function tell(channel, message)
  redis.call('PUBLISH', channel, message)
  local cluster = redis.pcall('INFO', 'cluster')
  if type(cluster) == 'string' and string.find(cluster, 'cluster_enabled:1', 1, true) then
    redis.pcall('SPUBLISH', channel, message)
  end
end

-- True if the messages in ARGV from that index on, a channel and a text each, may be sent.
local function may_tell_from(first)
  for i = first, #ARGV, 2 do
    if not may('PUBLISH', ARGV[i], ARGV[i + 1]) then
      return false
    end
  end
  return true
end

local function tell_from(first)
  for i = first, #ARGV, 2 do
    tell(ARGV[i], ARGV[i + 1])
  end
end

-- Why jobs cannot move from KEYS 1, of type "from", to KEYS 2, of type "to" or missing: one word.
-- Nil if they can. ARGV 2 is the end where they enter; ARGV 3 and on are the jobs.
local function cannot_move(from, to)
  if (ARGV[2] ~= 'next' and ARGV[2] ~= 'back') or #ARGV < 3 then
    return 'argument'
  end
  if KEYS[1] == KEYS[2] then
    return 'same'
  end
  return not_a(from, KEYS[1]) or (not_a(to, KEYS[2]) == 'type' and 'type' or nil)
end

-- A list's jobs enter at the left end and are taken from the right end.
local function push_of(at)
  return at == 'next' and 'RPUSH' or 'LPUSH'
end

-- The count for LREM that removes the one of equal jobs nearest to the end where they were pushed.
local function nearest_to(at)
  return at == 'next' and -1 or 1
end

-- Removes jobs, ARGV 3 and on, from the list KEYS 1. Returns those that were there, in order, and
-- '1' or '0' for each job.
local function take_from_list(nearest)
  local taken, flags = {}, {}
  for i = 3, #ARGV do
    local there = redis.call('LREM', KEYS[1], nearest, ARGV[i]) == 1
    flags[i - 2] = there and '1' or '0'
    if there then
      taken[#taken + 1] = ARGV[i]
    end
  end
  return taken, table.concat(flags)
end

-- Finds the jobs, "SCORE PAYLOAD" from that index in ARGV on, that are in the sorted set KEYS 1
-- with their score. Returns their payloads, each once, and '1' or '0' for each job. Returns nothing
-- if one has another form.
local function with_their_score(first)
  local found, flags = {}, {}
  for i = first, #ARGV do
    local score, job = scored(ARGV[i])
    if not score then
      return nil
    end
    local is = redis.call('ZSCORE', KEYS[1], job)
    local there = is and tonumber(is) == score and not found[job]
    flags[i - first + 1] = there and '1' or '0'
    if there then
      found[#found + 1] = job
      found[job] = true
    end
  end
  return found, table.concat(flags)
end

-- PEXPIRETIME needs Redis 7. Before, the result is exact to a millisecond or two.
local function expiry_of(key)
  local at = redis.pcall('PEXPIRETIME', key)
  if type(at) == 'number' then
    return at
  end
  local left = redis.call('PTTL', key)
  return left < 0 and left or now_ms() + left
end

-- Without PEXPIRETIME, two reads of one expiry differ a little.
local function same_expiry(a, b)
  if a < 0 or b < 0 then
    return a == b
  end
  return math.abs(a - b) <= 100
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

-- '' for '', which stands for a missing key.
local function fingerprint_of_dump(dump)
  return dump == '' and '' or redis.sha1hex(string.sub(dump, 1, -11))
end

local function fingerprint_of(key)
  if redis.call('EXISTS', key) == 0 then
    return ''
  end
  local dump = dump_of(key)
  return dump and fingerprint_of_dump(dump)
end

local before, remembered = {}, false

-- Call it after all checks and before the first write.
local function remember()
  for i, key in ipairs(KEYS) do
    before[i] = { type_of(key), size_of(key) or 0, dump_of(key), expiry_of(key) }
    -- Before Redis 7, only this shows whether DUMP is allowed. It must fail before the write.
    if before[i][1] == 'none' then
      redis.call('DUMP', key)
    end
  end
  remembered = true
end

local function done(count, items)
  for i, key in ipairs(KEYS) do
    local known, fingerprint = pcall(fingerprint_of, key)
    before[i][5] = known and fingerprint
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

-- True if all keys are as remember() saw them: a command that failed has written nothing.
local function untouched()
  for i, key in ipairs(KEYS) do
    local was = before[i]
    local missing = was[1] == 'none'
    if not missing and not was[3] then
      return false
    end
    if fingerprint_of(key) ~= fingerprint_of_dump(missing and '' or was[3])
        or not same_expiry(expiry_of(key), was[4]) then
      return false
    end
  end
  return true
end

-- A write to a replica, if the replica allows it at all, does not change the master. If the user
-- may not send INFO, the server itself refuses the write, unless the replica is writable.
local function is_replica()
  local replication = redis.pcall('INFO', 'replication')
  return type(replication) == 'string' and string.find(replication, 'role:slave', 1, true)
end

-- Runs the action unless its deadline has passed. Distinguishes failures before the first write
-- from later ones.
local function guarded(act)
  local ran, answer = pcall(function()
    if not limit or not deadline then
      return refused('argument')
    end
    if is_replica() then
      return refused('replica')
    end
    if now_ms() > deadline then
      return refused('late')
    end
    for _, key in ipairs(KEYS) do
      if not may('DUMP', key) then
        return refused('nodump')
      end
    end
    return act()
  end)
  if ran and not answer.err then
    return answer
  end
  local message = type(answer) == 'table' and answer.err or tostring(answer)
  local compared, same = true, true
  if remembered then
    compared, same = pcall(untouched)
  end
  if compared and same then
    return { 'refused', 0, 'error', message, {} }
  end
  return redis.error_reply(message)
end

-- Removes the lock of sidekiq-unique-jobs that a job holds, as the library does when it deletes the
-- job. A lock that another job holds by now stays. text: "PLACE DIGESTS JID DIGEST". KEYS from
-- PLACE on are the digest's own, its QUEUED, PRIMED, LOCKED and INFO; DIGESTS is the index of the
-- key with all digests. '' if the job has no lock.
local function drop_unique_lock(text)
  local at, digests, jid, digest = string.match(text, '^(%d+) (%d+) (%S+) (.+)$')
  at, digests = tonumber(at), KEYS[tonumber(digests)]
  local locked = at and KEYS[at + 3]
  if not locked or (redis.call('EXISTS', locked) == 1 and redis.call('HEXISTS', locked, jid) == 0) then
    return
  end
  redis.call('ZREM', digests, digest)
  redis.call('DEL', KEYS[at], KEYS[at + 1], KEYS[at + 2], locked, KEYS[at + 4])
end

-- The number of permits in a member of a Redisson limiter's set: the last four bytes, low byte
-- first, after random bytes that each version packs differently. Nil if the packing is unknown.
local function redisson_permits(member)
  local size, first = #member, string.byte(member)
  local known = size == 8 or (size == 13 and first == 8) or (size == 21 and first == 16)
    or (size == 20 and string.sub(member, 1, 8) == '\8\0\0\0\0\0\0\0')
  return known and struct.unpack('<I4', member, size - 3) or nil
end

-- Reads a Redisson limiter: KEYS 1 config, 2 value, 3 permits. Returns nil and the reason, or
-- {rate, past, inside, used}. past: the score up to which permits have expired. inside: the permits
-- of the other members, oldest first. used: their sum. Scores use the clients' clocks, past the
-- server's.
local redisson_most = 10000
local function redisson_limiter()
  local wrong = not_a('hash', KEYS[1])
  if wrong then
    return nil, wrong
  end
  if not_a('string', KEYS[2]) == 'type' or not_a('zset', KEYS[3]) == 'type' then
    return nil, 'type'
  end
  local config = redis.call('HMGET', KEYS[1], 'rate', 'interval')
  local rate, interval = whole(config[1], 1), whole(config[2], 1)
  if not rate or not interval then
    return nil, 'value'
  end
  local limiter = { rate = rate, past = now_ms() - interval, inside = {}, used = 0 }
  if redis.call('ZCOUNT', KEYS[3], above(limiter.past), '+inf') > redisson_most then
    return nil, 'toomany'
  end
  for i, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], above(limiter.past), '+inf')) do
    local permits = redisson_permits(member)
    if not permits then
      return nil, 'value'
    end
    limiter.inside[i] = permits
    limiter.used = limiter.used + permits
  end
  return limiter
end

-- The number for "value" if that many permits are used.
local function redisson_free(limiter, used)
  return math.max(0, limiter.rate - used)
end

local function redisson_may()
  return may('ZREMRANGEBYSCORE', KEYS[3], '-inf', 0) and may('SET', KEYS[2], '1')
    and may('PEXPIRE', KEYS[2], 1)
end

-- Sets "value" and removes expired permits, which Redisson would otherwise credit to the new value
-- once more. The TTL of "value" stays; a new key gets that of the config, as in the library.
local function redisson_write(limiter, value)
  local ttl = redis.call('PTTL', KEYS[2])
  if ttl == -2 then
    ttl = redis.call('PTTL', KEYS[1])
  end
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', limiter.past)
  redis.call('SET', KEYS[2], string.format('%.0f', value))
  if ttl > 0 then
    redis.call('PEXPIRE', KEYS[2], ttl)
  end
end
