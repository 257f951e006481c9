// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/ownershape.h"

#include <span>
#include <string_view>

namespace lk {

/// How a library writes a lock that is one string: its owner, who alone may release it.
struct OwnerLockRule
{
    QByteArray id;
    const char* title; ///< QT_TRANSLATE_NOOP("lk::Layout", ...)
    OwnerForm form;    ///< of the value
    /// What stands in its keys; empty: any word for a lock, or without a confidence of its own for
    /// others any name at all.
    std::vector<QByteArray> places;
    double named;         ///< confidence where one of these does, or any name will do
    double nameless = 0;  ///< where none does; 0: it is none
    bool needsTtl = true; ///< the library always sets one
    /// Tells further names that are the library's, where no place does: each contains "_cache".
    bool (*isPlaced)(const QByteArray& name) = nullptr;
};

/// A lock that is one string with its owner's token. Pure; its rule is all that it is made of.
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

/// Reads a string's head and TTL as a lock with its owner; what OwnerLock does, for others. What
/// the owner tells of itself is for a detail pane alone. outlivesWork: it is kept for a time after
/// the work has ended.
std::vector<Command> ownerLockReads(const QByteArray& key);
State ownerLockState(const QByteArray& key, std::span<const Reply> replies,
                     const ReadContext& context, bool outlivesWork = false);

} // namespace lk
