// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/layouts/plannedlayout.h"

namespace lk {

/// How a library writes a lock whose value is the time of its end.
struct TimestampLockRule
{
    QByteArray id;
    const char* title;         ///< QT_TRANSLATE_NOOP("lk::Layout", ...)
    QByteArrayList places;     ///< what stands in its keys, one of them
    QByteArray end;            ///< how its keys end; empty: in any way
    bool lockWord = false;     ///< a word of the name says "lock"
    bool milliseconds = false; ///< the unit; else seconds
    bool fraction = false;     ///< always written with one
    /// The TTL runs out when the value says, by so many milliseconds more; empty: there is no TTL.
    std::optional<qint64> ttlAfterEndMs;
    qint64 playMs = 2000; ///< between both; of a client's clock, too
    double confidence = 0.95;
};

/// When such a lock ends; nothing if the value is no time in seconds or milliseconds.
std::optional<double> timestampLockEndMs(const QByteArray& value);
std::vector<Command> timestampLockReads(const QByteArray& key);
State timestampLockState(std::span<const Reply> replies, qint64 nowMs);

/// A lock whose value is the time of its end, by its rule.
class TimestampLock final : public PlannedLayout
{
public:
    explicit TimestampLock(TimestampLockRule rule)
        : m_rule(std::move(rule))
    {}

    QByteArray id() const override { return m_rule.id; }
    QString title() const override { return LayoutText::tr(m_rule.title); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::String; }
    std::optional<Claim> classify(const Probe& probe) const override;
    std::vector<QByteArray> actions() const override
    {
        return {"lock.release", "lock.clear", "lock.takeover", "lock.ttl/timestamp"};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        return timestampLockReads(primitive.key("lock"));
    }
    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        reading.state = timestampLockState(replies, context.nowMs);
        return reading;
    }

private:
    TimestampLockRule m_rule;
};

} // namespace lk
