// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/files/filelayout.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiterreading.h"

namespace lk {

/// A limiter that a file describes, with the sources of its limit and window.
class LimiterFileLayout : public FileLayout
{
public:
    explicit LimiterFileLayout(LayoutFilePtr file);

    ActionList actions() const override
    {
        return {&actions::checkLimiter(), &actions::clearLimiter()};
    }

    /// All keys except those with its configuration or with statistics only.
    std::vector<QByteArray> countingKeys(const State& state, qint64 nowMs) const override;

protected:
    /// Limit and window as far as the declaration, the file and the main key's name define them.
    LimiterState limiterOf(const Primitive& primitive, const NameValues& values,
                           Algorithm algorithm) const;

    /// The fields to read if the main key is a hash, including those of readField().
    const std::vector<QByteArray>& fields() const { return m_fields; }
    Command readFields(const QByteArray& key) const;
    std::optional<QByteArray> field(const Reply& reply, const char* name) const;
    std::optional<double> number(const Reply& reply, const QByteArray& name) const;
    /// Takes limit and window from these fields as the file defines.
    void takeFields(LimiterState& limiter, const Reply& reply) const;

    /// Another key whose value is the limit. Empty if there is none.
    QByteArray limitKey(const Primitive& primitive) const;
    void takeLimit(LimiterState& limiter, const Reply& reply) const;

    /// Adds a field that the family reads.
    void readField(const QByteArray& name);

private:
    std::vector<QByteArray> m_fields;
};

/// The window from the values in a name.
std::optional<qint64> windowInName(const NumberRule& rule, const NameValues& values);

/// The window of keys whose name has the number of windows since 1970: the roundest window that
/// fits. Nothing if only odd ones fit; the number is then not a count of windows.
std::optional<qint64> windowOfBucket(qint64 bucket, qint64 nowMs);

/// The window whose start, in milliseconds, is part of a key's name: the longest of windows that
/// can start then and that fits the key's TTL. slackMs: the most that a library adds to a TTL.
std::optional<qint64> windowOfStart(qint64 startMs, std::optional<qint64> ttlMs, qint64 nowMs,
                                    std::span<const qint64> windows, qint64 slackMs);

/// Parses a time as libraries write it in lists and values: a number of seconds, milliseconds,
/// microseconds or nanoseconds, or ISO 8601. In milliseconds since 1970.
std::optional<double> timeInText(const QByteArray& text);

} // namespace lk
