// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/files/filelayout.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiterreading.h"

namespace lk {

/// A limiter that a file describes: where its limit and its window come from.
class LimiterFileLayout : public FileLayout
{
public:
    explicit LimiterFileLayout(LayoutFilePtr file);

    ActionList actions() const override
    {
        return {&actions::checkLimiter(), &actions::clearLimiter()};
    }

    /// All but those that it is configured by or only counts for statistics.
    std::vector<QByteArray> countingKeys(const State& state, qint64 nowMs) const override;

protected:
    /// Limit and window as far as the declaration, the file and the main key's name tell them.
    LimiterState limiterOf(const Primitive& primitive, const NameValues& values,
                           Algorithm algorithm) const;

    /// The fields to read where the main key is a hash; those that the family asks for as well.
    const std::vector<QByteArray>& fields() const { return m_fields; }
    Command readFields(const QByteArray& key) const;
    std::optional<QByteArray> field(const Reply& reply, const char* name) const;
    std::optional<double> number(const Reply& reply, const QByteArray& name) const;
    /// What the file takes from these fields.
    void takeFields(LimiterState& limiter, const Reply& reply) const;

    /// Another key whose value is the limit; empty: there is none.
    QByteArray limitKey(const Primitive& primitive) const;
    void takeLimit(LimiterState& limiter, const Reply& reply) const;

    /// Adds a field that the family itself reads.
    void readField(const QByteArray& name);

private:
    std::vector<QByteArray> m_fields;
};

/// The window that the words of a name stand for.
std::optional<qint64> windowInName(const NumberRule& rule, const NameValues& values);

/// The window of keys that are named by how many windows have passed since 1970: the roundest one
/// that fits. Nothing where only odd ones do: then the number is none of windows.
std::optional<qint64> windowOfBucket(qint64 bucket, qint64 nowMs);

/// The window whose start, in milliseconds, is part of a key's name: the longest of the windows
/// that it may be the start of and that its TTL fits. slackMs: what a library adds to a TTL at
/// most.
std::optional<qint64> windowOfStart(qint64 startMs, std::optional<qint64> ttlMs, qint64 nowMs,
                                    std::span<const qint64> windows, qint64 slackMs);

/// A time as libraries write it in lists and values: a number of seconds, milliseconds,
/// microseconds or nanoseconds, or ISO 8601. In milliseconds since 1970.
std::optional<double> timeInText(const QByteArray& text);

} // namespace lk
