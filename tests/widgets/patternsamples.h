// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

namespace lk::test {

inline constexpr auto patternConfig = R"(
[[pattern]]
key = "pagewviews.*"
layout = "navigation-session"
ttl = "60s"
[[pattern]]
key = "seats:*"
layout = "array"
record = 8
[[queue]]
key = "events:pending"
layout = "event-queue"
helper = "{name}:helper"
)";

/// One of each layout that the pattern document has, as its own commands leave them, and an array
/// of which nobody declared the record: eight patterns. Besides, an event queue.
inline void fillWithPatterns(RedisServer& server)
{
    server.lines({"RPUSH sites:rotation c b a", "RPUSH pagewviews.user:17 /first /second /third",
                  "PEXPIRE pagewviews.user:17 49000", "RPUSH ids 3 1 2",
                  "SORT ids STORE sorted:ids", "EXPIRE sorted:ids 300", "DEL ids",
                  "SET sorted:ids:lock ef1f63c PX 200000",
                  "ZADD markov:the 0.5 cat 0.75 dog 1 house", "INCRBY mycounter 42",
                  "SETRANGE seats:main 0 parzival", "SETRANGE seats:main 16 aech",
                  "SETRANGE plain:array 99 x", "SADD events:pending e1 e2 e3",
                  "LPUSH events:pending:helper x x"});
    for (const char* bit : {"3", "17", "40", "511"})
        server.line(QByteArray("SETBIT users:active:2026-11-21 ") + bit + " 1");
    for (const char* bit : {"3", "99"})
        server.line(QByteArray("SETBIT users:active:2026-11-20 ") + bit + " 1");
}
inline constexpr int patternCount = 8;
inline constexpr int patternPrimitives = patternCount + 1;

} // namespace lk::test
