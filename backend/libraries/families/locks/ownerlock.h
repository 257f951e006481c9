// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/ownershape.h"

#include <span>
#include <string_view>

namespace lk {

/// How a library stores a lock in one string: its owner, the only one that may release it.
struct OwnerLockRule
{
    QByteArray id;
    const char* title; ///< QT_TRANSLATE_NOOP("lk::Layout", ...)
    OwnerForm form;    ///< the form of the value
    /// Texts in the names of its keys. Empty: any word for a lock; or any name at all if nameless
    /// is 0.
    std::vector<QByteArray> places;
    double named;         ///< confidence if one of places matches or any name is accepted
    double nameless = 0;  ///< confidence for other names; 0: no claim
    bool needsTtl = true; ///< the library always sets one
    /// True for further names of the library that no place matches; each contains "_cache".
    bool (*isPlaced)(const QByteArray& name) = nullptr;
};

/// A lock in one string with its owner's token, defined by a rule. Pure.
class OwnerLock final : public PlannedLayout, public KeyHints
{
public:
    explicit OwnerLock(OwnerLockRule rule)
        : m_rule(std::move(rule))
    {}

    QByteArray id() const override { return m_rule.id; }
    QString title() const override { return LayoutText::tr(m_rule.title); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::String; }
    std::vector<QByteArray> nameParts(KeyType type) const override;
    std::optional<Claim> classify(const Probe& probe) const override;
    ActionList actions() const override
    {
        return {&actions::releaseLock(), &actions::setLockTtl()};
    }

protected:
    bool readsAsProbed() const override { return true; }
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override;
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;

private:
    OwnerLockRule m_rule;
};

/// Reads a string's head and TTL as a lock with its owner, as OwnerLock does. Adds the facts in the
/// owner's token only in detail. outlivesWork: the lock may be kept after the work has ended.
std::vector<Command> ownerLockReads(const QByteArray& key);
State ownerLockState(const QByteArray& key, std::span<const Reply> replies,
                     const ReadContext& context, bool outlivesWork = false);

} // namespace lk
