-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adds one job to a queue that is a list, and writes the further keys of its library.
--
-- KEYS    1 the list   2... what else is written, in the order of ARGV
-- ARGV    2 'LPUSH' or 'RPUSH', where the library's own jobs enter   3 the list's element
--         4... for each further key: 'hash' (a new one), 'field' (new ones of a hash), 'member' (of
--         a set) or 'wake' (elements at the right of a list); how many words follow; these
-- Refuses 'argument', 'type', 'forbidden'
-- Guard   there is no such hash or field yet; else conflict with ''
-- Cost    O(1) for each key
local how = ARGV[2]
if (how ~= 'LPUSH' and how ~= 'RPUSH') or #ARGV < 3 then
  return refused('argument')
end
local types = { hash = 'hash', field = 'hash', member = 'set', wake = 'list' }
local commands = { hash = 'HSET', field = 'HSET', member = 'SADD', wake = 'RPUSH' }
local writes, at = {}, 4
for i = 2, #KEYS do
  local kind, count = ARGV[at], whole(ARGV[at + 1], 1)
  local pairs_of_words = kind == 'hash' or kind == 'field'
  if not types[kind] or not count or at + 1 + count > #ARGV
      or (pairs_of_words and count % 2 ~= 0) then
    return refused('argument')
  end
  local words = {}
  for word = 1, count do
    words[word] = ARGV[at + 1 + word]
  end
  writes[#writes + 1] = { KEYS[i], kind, words }
  at = at + 2 + count
end
if at ~= #ARGV + 1 then
  return refused('argument')
end
if not_a('list', KEYS[1]) == 'type' then
  return refused('type')
end
for _, write in ipairs(writes) do
  if not_a(types[write[2]], write[1]) == 'type' then
    return refused('type')
  end
end
local allowed = may(how, KEYS[1], '')
for _, write in ipairs(writes) do
  allowed = allowed and may(commands[write[2]], write[1], unpack(write[3]))
end
if not allowed then
  return refused('forbidden')
end
for _, write in ipairs(writes) do
  local key, kind, words = write[1], write[2], write[3]
  local known = kind == 'hash' and redis.call('EXISTS', key) == 1
  for word = 1, kind == 'field' and #words or 0, 2 do
    known = known or redis.call('HEXISTS', key, words[word]) == 1
  end
  if known then
    return conflict('')
  end
end

remember()
-- The list comes last, so that the worker that takes the job finds the rest.
for _, write in ipairs(writes) do
  if write[2] ~= 'wake' then
    redis.call(commands[write[2]], write[1], unpack(write[3]))
  end
end
redis.call(how, KEYS[1], ARGV[3])
for _, write in ipairs(writes) do
  if write[2] == 'wake' then
    redis.call('RPUSH', write[1], unpack(write[3]))
  end
end
return done(1)
