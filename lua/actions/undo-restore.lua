-- SPDX-License-Identifier: GPL-3.0-or-later
-- Restores keys as they were before an action, all or none, if they have not changed since.
--
-- KEYS    1... the keys of the action
-- ARGV    four for each key from 2 on: its DUMP, '': it was not there; its expiry, a moment in ms,
--         -1: none, -2: it was not there; its fingerprint after the action, '': it was not there;
--         its expiry after the action
-- Returns items: '1' where a key had been changed by the action and is as it was again
-- Refuses 'argument', 'expired' (a key would be gone by now), 'nothing' (all are as they were),
--         'forbidden'; answers the server's error if it does not take a DUMP
-- Guard   each key is as the action left it, expiries to within 100 ms; else conflict with ''. A
--         fingerprint may be one of earlier releases, the SHA-1 of all of DUMP
-- Cost    O(N) for N bytes of DUMP
if #KEYS == 0 or #ARGV ~= 1 + 4 * #KEYS then
  return refused('argument')
end
local function has_fingerprint(dump, fingerprint)
  return dump and (fingerprint_of_dump(dump) == fingerprint
    or (dump ~= '' and redis.sha1hex(dump) == fingerprint))
end
local wanted, changed, flags = {}, 0, {}
for i, key in ipairs(KEYS) do
  local dump, expiry = ARGV[4 * i - 2], whole(ARGV[4 * i - 1], -2)
  local after, expiry_after = ARGV[4 * i], whole(ARGV[4 * i + 1], -2)
  if not expiry or not expiry_after or (dump == '') ~= (expiry == -2)
      or (after == '') ~= (expiry_after == -2) then
    return refused('argument')
  end
  local expiry_now = expiry_of(key)
  local dump_now = redis.call('EXISTS', key) == 0 and '' or dump_of(key)
  if not has_fingerprint(dump_now, after) or not same_expiry(expiry_now, expiry_after) then
    return conflict('')
  end
  if expiry >= 0 and expiry <= now_ms() then
    return refused('expired')
  end
  local same = has_fingerprint(dump, after) and expiry_now == expiry
  flags[i] = same and '0' or '1'
  if not same then
    changed = changed + 1
    wanted[i] = { dump, expiry }
  end
end
if changed == 0 then
  return refused('nothing')
end
for _, key in ipairs(KEYS) do
  if not may('DEL', key) or not may('RESTORE', key, 0, '', 'REPLACE', 'ABSTTL') then
    return refused('forbidden')
  end
end
-- Restores one key, or deletes it if it did not exist. Returns the error reply; nil on success.
local function put(key, dump, expiry)
  if not dump or dump == '' then
    redis.call('DEL', key)
    return nil
  end
  local at = string.format('%.0f', math.max(0, expiry))
  local answer = redis.pcall('RESTORE', key, at, dump, 'REPLACE', 'ABSTTL')
  return answer.err and answer
end
remember()
for i, key in ipairs(KEYS) do
  local failed = wanted[i] and put(key, wanted[i][1], wanted[i][2])
  if failed then
    for j = 1, i - 1 do
      if wanted[j] then
        put(KEYS[j], before[j][3], before[j][4])
      end
    end
    return failed
  end
end
return done(changed, table.concat(flags))
