// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/timeunit.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/families/locks/lockactions.h"

namespace lk {

/// What the scores of a set of holders are.
struct ZsetScores
{
    /// Which moment of a holder its score is.
    enum class Moment : quint8 {
        Taken,    ///< when it took or last renewed it; all have one lease, which the TTL tells
        Deadline, ///< when it ends
    };
    Moment score = Moment::Deadline;
    TimeUnit unit = TimeUnit::Milliseconds;
    std::optional<qint64> limit = {}; ///< how many may hold it at a time
    QByteArray exclusive = {}; ///< a member that is no holder: whoever else is there is alone
    bool isLock = false;       ///< one at a time unless shared
    /// The holder of a member: several permits of one are members of their own. Null: the member.
    QByteArray (*holderOf)(const QByteArray& member) = nullptr;
};

/// Reads such a set.
std::vector<Command> zsetLockReads(const QByteArray& key);
State zsetLockState(std::span<const Reply> replies, const ZsetScores& scores,
                    const ReadContext& context);

/// How a library keeps those who hold a lock or a semaphore in a sorted set: a member for each, and
/// a time as its score.
struct ZsetLockRule
{
    QByteArray id;
    const char* title; ///< QT_TRANSLATE_NOOP("lk::Layout", ...)
    ZsetScores scores;
    bool (*isMember)(QByteArrayView member); ///< true of every holder's
    QByteArrayList places;     ///< what stands in its keys; empty: they may be called anything
    bool ttlIsLastEnd = false; ///< the key ends with the last of its holders, which proves it
    double confidence = 0.95;
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
    ActionList actions() const override { return {&actions::releaseMembers()}; }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override;
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;

private:
    bool isNamed(const QByteArray& name) const;
    double msOf(const ScoredMember& member) const { return toMs(member.score, m_rule.scores.unit); }

    ZsetLockRule m_rule;
};

} // namespace lk
