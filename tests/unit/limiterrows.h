// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fakekeys.h"

namespace lk::test {

constexpr qint64 now = 1795223350117; // FakeKeys::nowMs
using Known = std::optional<qint64>;

/// Keys as a library writes them, and the limiter that has to be found in them.
struct Row
{
    const char* title;
    QByteArray layout; ///< empty: no layout file claims anything
    QByteArray name;
    std::function<void(FakeKeys&)> write;
    Known used = {};
    Known limit = {};
    Known window = {};
    Known remaining = {};
    Known nextFree = {};
};

inline std::vector<ScoredMember> marks(std::initializer_list<qint64> agesMs, double unitsPerMs,
                                       const std::function<QByteArray(double, int)>& member)
{
    std::vector<ScoredMember> all;
    for (const qint64 age : agesMs) {
        const double score = double(now - age) * unitsPerMs;
        all.push_back({member(score, int(all.size())), score});
    }
    return all;
}

inline QByteArray asScore(double score, int)
{
    return QByteArray::number(score, 'f', 0);
}
inline QByteArray asUuid(double, int index)
{
    return "0d9a3a39-1d2c-4d6e-9b55-0a1b2c3d4e" + QByteArray::number(10 + index);
}
inline QByteArray seconds(qint64 ageMs)
{
    return QByteArray::number(double(now - ageMs) / 1000, 'f', 4);
}
inline QByteArray number(double value, int digits = 0)
{
    return QByteArray::number(value, 'f', digits);
}

inline const QByteArray key = "u7";
inline const QByteArray nest = "{" + QByteArray(64, 'c') + ":default}";
constexpr qint64 minute = 60'000;
inline const QByteArray bucket = QByteArray::number(now / minute);
constexpr qint64 left = minute - now % minute; // of this minute

} // namespace lk::test
