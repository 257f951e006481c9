-- SPDX-License-Identifier: GPL-3.0-or-later
-- Moves a job from the processing list to where it is to go on: back to ready, or to the dead.
--
-- KEYS    1 processing   2 destination: lists (one {hash tag} on a cluster)
-- ARGV    1 the job, byte for byte as it was taken
--         2 "next": it is taken next; "last" or empty: it enters at the head, behind all others
-- Returns 1: moved; 0: it is not in processing, nothing was changed
-- Cost    O(N) for N jobs in processing
--
-- Mistakes of the well-known version: it pushes and then removes, or the other way round, in two
-- steps: a worker that finishes in between makes the job run twice, a crash loses it.
-- A destination that is no list fails here, before anything is removed.
redis.call('LLEN', KEYS[2])
if redis.call('LREM', KEYS[1], -1, ARGV[1]) == 0 then
  return 0
end
redis.call(ARGV[2] == 'next' and 'RPUSH' or 'LPUSH', KEYS[2], ARGV[1])
return 1
