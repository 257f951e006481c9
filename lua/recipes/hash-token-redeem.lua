-- SPDX-License-Identifier: GPL-3.0-or-later
-- Redeems a token of hash-token-issue.lua and counts the use.
--
-- KEYS    1 token
-- Returns {uses, field, value, ...}: {1, ...} with all fields for the first use, {2} and more for a
--         replay, {0} for a token that was never issued or has expired
-- Cost    O(F) for F fields on the first use, O(1) otherwise
-- More    than the well-known version: whether there is such a token is asked before a use is counted.
--         MULTI cannot decide that, and what could follow in it to take that away would also take a
--         key of another type. A script can decide; but its start alone takes the server three
--         quarters as long as the whole of that MULTI, and a script that does nothing but HGETALL and
--         HINCRBY 3.3 to 3.6 times as long, for Lua is handed each field. This is 3.6 to 4 times its
--         time: less than three microseconds more for a token. As a function of Redis 7 (FCALL) it
--         takes as long
-- Without a script, in plain commands that take the server 1.0 to 1.2 times as long as that MULTI, for
--         a caller that can wait for a second answer, on a connection that nobody else uses between:
--           WATCH token, HGETALL token        nothing: none was issued, then UNWATCH
--           MULTI, HINCRBY token used_by 1, EXEC    nil: it changed or has expired, all over again
--         What HINCRBY answers decides: 1 is the first use. No ghost is left (from 6.0.9 on: before, a
--         key that expires in between stays unnoticed)
--
-- Mistakes of the well-known version: HINCRBY makes the hash if it is missing, so that any word
-- is accepted once as a token ("used_by" is 1), and leaves a key behind that never expires. It
-- hands the fields out on replays too.
local call, key = redis.call, KEYS[1]
if call('HEXISTS', key, 'used_by') == 0 then
  return {0}
end
local uses = call('HINCRBY', key, 'used_by', '1')
if uses > 1 then
  return {uses}
end
local answer = call('HGETALL', key)
table.insert(answer, 1, uses)
return answer
