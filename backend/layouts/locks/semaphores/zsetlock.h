// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/timeunit.h"
#include "backend/layouts/plannedlayout.h"

namespace lk {

/// How a library keeps those who hold a lock or a semaphore in a sorted set: a member for each, and
/// a time as its score.
struct ZsetLockRule
{
    /// Which moment of a holder its score is.
    enum class Score : quint8 {
        Taken,    ///< when it took or last renewed it; all have one lease, which the TTL tells
        Deadline, ///< when it ends
    };
    QByteArray id;
    const char* title; ///< QT_TRANSLATE_NOOP("lk::Layout", ...)
    Score score = Score::Deadline;
    TimeUnit unit = TimeUnit::Milliseconds;
    bool (*isMember)(QByteArrayView member); ///< true of every holder's
    QByteArrayList places;     ///< what stands in its keys; empty: they may be called anything
    bool ttlIsLastEnd = false; ///< the key ends with the last of its holders, which proves it
    double confidence = 0.95;
    QByteArray exclusive; ///< a member that is no holder: whoever else is there is alone
    bool isLock = false;  ///< one at a time unless shared; else a semaphore whose limit the
                          ///< program has and Redis has not
    /// The holder of a member: several permits of one are members of their own. Null: the member.
    QByteArray (*holderOf)(const QByteArray& member) = nullptr;
};

/// A lock or semaphore in one sorted set. Pure; its rule is all that it is made of.
class ZsetLock final : public PlannedLayout
{
public:
    explicit ZsetLock(ZsetLockRule rule)
        : m_rule(std::move(rule))
    {}

    QByteArray id() const override { return m_rule.id; }
    QString title() const override { return LayoutText::tr(m_rule.title); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::ZSet; }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::ZSet; }
    std::optional<Claim> classify(const Probe& probe) const override;
    std::vector<ConfigField> configFields() const override;
    std::vector<QByteArray> actions() const override { return {"lock.release/members"}; }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override;
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;

private:
    bool isNamed(const QByteArray& name) const;
    double msOf(const ScoredMember& member) const { return toMs(member.score, m_rule.unit); }

    ZsetLockRule m_rule;
};

} // namespace lk
