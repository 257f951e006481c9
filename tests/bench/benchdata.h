// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

namespace lk::bench {

/// "rl:user:<number>": a limiter of the kind that keeps a mark for each request.
QByteArray limiterName(int number);

/// The command that gives a limiter five marks, member and score alike, in the last second.
Command limiterMarks(int number, qint64 nowMs);

/// So many limiters of five marks each; none has a TTL.
bool fillLimiters(test::RedisServer& server, int count);

/// Locks, queues with items under way and tokens: so many of each.
bool fillOthers(test::RedisServer& server, int count);

/// The kinds of keys other than limiters of marks.
enum class KeySort : quint8 {
    Lock,         ///< a string: a UUID with a TTL
    TokenBucket,  ///< a hash
    CachedString, ///< nothing that is detected
    PlainHash,    ///< nothing that is detected
};
bool fillSort(test::RedisServer& server, KeySort sort, int count);

/// Returns a number of INFO; 0 if there is none.
double infoNumber(test::RedisServer& server, const QByteArray& section, const QByteArray& name);
QString redisVersion(test::RedisServer& server);

} // namespace lk::bench
