// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk::bench {

// The documents' scripts as they print them; only the limit, which is a literal in the talk's, can
// be another.

/// The talk's rolling window.
inline QByteArray talkWindow(const QByteArray& limit)
{
    return "local rateLimit = " + limit + R"(

local rateKey = KEYS[1]
local ts = tonumber(ARGV[1])

redis.call('ZREMRANGEBYSCORE', rateKey, '-inf', ts - 1000)

if redis.call('ZCARD', rateKey) < rateLimit then
    redis.call('ZADD', rateKey, ts, ts)
    return 0;
else
    return 1;
end
)";
}

/// The talk's window with retry advice.
inline QByteArray talkRetry(const QByteArray& limit)
{
    return "local rateLimit = " + limit + R"(

local rateKey = KEYS[1]
local retryKey = KEYS[2]
local ts = tonumber(ARGV[1])

redis.call('ZREMRANGEBYSCORE', rateKey, '-inf', ts - 1000)
redis.call('ZREMRANGEBYSCORE', retryKey, '-inf', ts)

if redis.call('ZCARD', rateKey) < rateLimit then
    redis.call('ZADD', rateKey, ts, ts)
    return 0;
else
    local interval = 1000 / rateLimit

    local next = ts + interval;
    local last = redis.call('ZRANGE', retryKey, -1, -1, 'WITHSCORES')

    if type(last) == 'table' and #last > 0 then
        next = tonumber(last[#last]) + interval
    end

    redis.call('ZADD', retryKey, next, next);

    return next - ts;
end
)";
}

/// The talk's release of a lock.
inline QByteArray talkRelease()
{
    return R"(if redis.call('get', KEYS[1]) == ARGV[1]
then return redis.call('del', KEYS[1])
else return 0 end
)";
}

/// The blog's 2,000 calls in an interval.
inline QByteArray blogWindow()
{
    return R"(  local call_counter
  call_counter = redis.call("incr", KEYS[1])
  if tonumber(call_counter) == 1 then
    redis.call("pexpire", KEYS[1], ARGV[1])
  end
  return call_counter
)";
}

/// A resource and its consumers.
inline QByteArray resourceConsumers()
{
    return "local rlimit = 0+ARGV[2] local climit = 0+ARGV[3] "
           "local t = (redis.call('TIME'))[1] local t2 = (redis.call('TIME'))[2] "
           "redis.call('ZREMRANGEBYSCORE',KEYS[1],'0',(t-ARGV[1])) "
           "local rcount = (redis.call('ZCARD',KEYS[1])) if (rcount == rlimit) "
           "then return 'RESOURCE OVERLIMIT: '..redis.call('ZCARD',KEYS[1]) "
           "elseif (((redis.call('ZREMRANGEBYSCORE',KEYS[2],'0',(t-ARGV[1]))) < 1000000) "
           "and (redis.call('ZCARD',KEYS[2]) < climit)) "
           "then return 'Adding '..(redis.call('ZADD',KEYS[2],t,t2))..' point to your count and '.."
           "(redis.call('ZADD',KEYS[1],t,t2))..' point to the resource count' "
           "else return KEYS[2]..' CONSUMER OVERLIMIT: '..redis.call('ZCARD',KEYS[2]) end";
}

/// The article on Redisson's rate limiter; its comments left out.
inline QByteArray redissonAcquire()
{
    return R"(local rate = redis.call('hget', KEYS[1], 'rate');
local interval = redis.call('hget', KEYS[1], 'interval');
local type = redis.call('hget', KEYS[1], 'type');
assert(rate ~= false and interval ~= false and type ~= false, 'RateLimiter is not initialized')
local valueName = KEYS[2];
local permitsName = KEYS[4];
if type == '1' then valueName = KEYS[3];
permitsName = KEYS[5];
end;
assert(tonumber(rate) >= tonumber(ARGV[1]), 'Requested permits amount could not exceed defined rate');
local currentValue = redis.call('get', valueName);
if currentValue ~= false
then local expiredValues = redis.call('zrangebyscore', permitsName, 0, tonumber(ARGV[2]) - interval);
local released = 0;
for i, v in ipairs(expiredValues)
do local random, permits = struct.unpack('fI', v);
released = released + permits;
end;
if released > 0
then
redis.call('zremrangebyscore', permitsName, 0, tonumber(ARGV[2]) - interval);
currentValue = tonumber(currentValue) + released;
redis.call('set', valueName, currentValue);
end;
if tonumber(currentValue) < tonumber(ARGV[1])
then local nearest = redis.call('zrangebyscore', permitsName, '(' .. (tonumber(ARGV[2]) - interval), '+inf', 'withscores', 'limit', 0, 1); return tonumber(nearest[2]) - (tonumber(ARGV[2]) - interval);
else
redis.call('zadd', permitsName, ARGV[2], struct.pack('fI', ARGV[3], ARGV[1]));
redis.call('decrby', valueName, ARGV[1]); return nil;
end;
else
redis.call('set', valueName, rate);
redis.call('zadd', permitsName, ARGV[2], struct.pack('fI', ARGV[3], ARGV[1]));
redis.call('decrby', valueName, ARGV[1]); return nil;
end;
)";
}

} // namespace lk::bench
