// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/timeunit.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/families/locks/lockactions.h"

namespace lk {

/// The meaning of the scores in a set of holders.
struct ZsetScores
{
    /// The time that a holder's score stands for.
    enum class Moment : quint8 {
        Taken,    ///< when it took or last renewed it; the TTL gives the lease of all
        Deadline, ///< when its lease ends
    };
    Moment score = Moment::Deadline;
    TimeUnit unit = TimeUnit::Milliseconds;
    std::optional<qint64> limit = {}; ///< the most holders at a time
    QByteArray exclusive = {};        ///< not a holder: marks the only other member as exclusive
    bool isLock = false;              ///< one at a time unless shared
    /// The holder of a member, if one holder has several permits, each a member. Null: the member.
    QByteArray (*holderOf)(const QByteArray& member) = nullptr;
};

/// Reads a set of holders.
std::vector<Command> zsetLockReads(const QByteArray& key);
State zsetLockState(std::span<const Reply> replies, const ZsetScores& scores,
                    const ReadContext& context);

/// How a library stores the holders of a lock or a semaphore in a sorted set: a member for each,
/// and a time as its score.
struct ZsetLockRule
{
    QByteArray id;
    const char* title; ///< QT_TRANSLATE_NOOP("lk::Layout", ...)
    ZsetScores scores;
    bool (*isMember)(QByteArrayView member); ///< true for every holder's member
    QByteArrayList places;                   ///< texts in the names of its keys; empty: any name
    bool ttlIsLastEnd = false; ///< the key expires with its last holder, which proves the layout
    double confidence = 0.95;
};

/// A lock or semaphore in one sorted set, defined by a rule. Pure.
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
