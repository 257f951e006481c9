// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// How clearly a name indicates that its key is a limiter.
enum class LimiterHint : quint8 {
    None,
    Weak, ///< a word that also stands for prices, sizes and settings: rate, limit, quota, requests
    Strong, ///< a word with no other meaning: throttle, ratelimit, rate_limit, rl
};
LimiterHint limiterHint(const QByteArray& name);

/// True if the name is about another rate, limit or window: exchange rates, credit limits, heart
/// rates, settings, page views, statistics.
bool measuresOtherwise(const QByteArray& name);

/// True if the name is that of an event log: chats, audits, metrics, histories.
bool isEventLogName(const QByteArray& name);

} // namespace lk
