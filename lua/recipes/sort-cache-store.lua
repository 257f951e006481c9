-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sorts into the cache, if the rebuild lock of sort-cache-claim.lua is still ours, and releases it.
--
-- KEYS    1 source: list, set or sorted set   2 cache   3 lock (one {hash tag} on a cluster)
-- ARGV    1 token   2 how long the cache lasts, in ms   3 how many at most
--         4 "asc" or "desc"   5 "alpha" to sort texts, empty or absent: numbers
-- Returns how many are in the cache; -1: the lock is not ours any more
-- Cost    O(N + M log M) for N in the source and M in the cache; SORT holds up the server for that
--
-- Mistakes of the well-known version:
-- * SORT ... STORE and then EXPIRE: a client that dies between the two leaves a list that is never
--   sorted anew.
-- * A client that was too slow to keep its lock still writes, and releases the next client's lock.
-- * An empty result is no list at all, so that every client sorts on each request. Here the lock
--   stays for its lease in that case and means that there is nothing.
if redis.call('GET', KEYS[3]) ~= ARGV[1] then
  return -1
end
local ttl, most = tonumber(ARGV[2]), tonumber(ARGV[3])
if not ttl or not most or ttl < 1 or most < 1 then
  return redis.error_reply('ERR the time and how many must be at least 1')
end
local command = {'SORT', KEYS[1], 'LIMIT', 0, ARGV[3], ARGV[4] == 'desc' and 'DESC' or 'ASC'}
if ARGV[5] == 'alpha' then
  command[#command + 1] = 'ALPHA'
end
command[#command + 1] = 'STORE'
command[#command + 1] = KEYS[2]
local stored = redis.call(unpack(command))
if stored > 0 then
  redis.call('PEXPIRE', KEYS[2], math.ceil(ttl))
  redis.call('DEL', KEYS[3])
end
return stored
