// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/discovery/classifier.h"
#include "backend/discovery/keyindex.h"

#include <QHash>
#include <QSet>

namespace lk {

/// All primitives of a session, each with its own handle. Merges the claims of companion keys into
/// one primitive and moves a key to the claim with higher confidence. No I/O; used by one thread.
/// Memory is proportional to the present number of primitives. Names are stored once, in the
/// primitives.
class Registry
{
public:
    /// How a claim relates to the known primitives.
    enum class Merge : quint8 {
        New,   ///< a primitive not known before
        Grown, ///< a known one with a further key or a surer claim
        Known, ///< nothing new
        Lost,  ///< its keys belong to a surer claim: not added
    };
    /// The result of adding a claim, with the primitives that lost keys to it.
    struct Added
    {
        Handle handle = noHandle;
        Merge merge = Merge::Known;
        std::vector<Handle> removed;    ///< primitives that lost their main key to this one
        std::vector<PrimitivePtr> lost; ///< the primitives behind removed
        std::vector<Handle> shrunk;     ///< primitives that lost another key to this one
    };

    /// Reserves space for that many primitives.
    void reserve(qsizetype primitives);
    Added add(const Classified& found) { return add(found.primitive, found.declared); }
    /// declared: by the operator. whole: the claim itself, shared if it is new and gets its only
    /// key; or null.
    Added add(const Primitive& claim, bool declared, const PrimitivePtr& whole = nullptr);
    void remove(Handle handle);

    /// Marks the primitive as doubted: the next claim prevails. A claim with the same name takes
    /// over the handle; any other takes the keys.
    void doubt(Handle handle);
    bool isDoubted(Handle handle) const;
    bool hasDoubted() const { return !m_doubted.isEmpty(); }
    /// Removes a key that is no longer claimed from its primitive. Returns the same as add().
    Added release(const QByteArray& key);
    /// Keeps a doubted primitive for which no claim came, with that declaration, which may be null.
    void keep(Handle handle, DeclarationPtr declaration);

    /// Null for a handle that was removed.
    const PrimitivePtr& primitive(Handle handle) const;
    /// Null also if it was not read yet.
    StatePtr state(Handle handle) const { return keptState(handle).state(); }
    const KeptState& keptState(Handle handle) const;
    void setState(Handle handle, KeptState state);
    bool contains(Handle handle) const { return m_primitives.contains(handle); }

    /// Frees the key index. After that no key can be looked up.
    void endLookups() { m_byKey.clear(); }

    /// Prefetches for a key that is about to be added or looked up.
    void expect(const QByteArray& key) const { m_byKey.expect(key); }
    Handle findKey(const QByteArray& key) const;
    /// Whether some primitive has the key. Fast, for the many known names of a scan; see KeyIndex.
    bool hasKey(const QByteArray& key) const { return m_byKey.contains(key); }
    Handle find(const PrimitiveId& id) const;

    /// All pairs {handle, primitive}. Valid until the next change.
    const HandleTable<PrimitivePtr>& all() const { return m_primitives; }
    qsizetype size() const { return m_size; }
    qsizetype keyCount() const { return qsizetype(m_byKey.size()); }
    /// Every claimed key, in no order.
    QList<QByteArray> keys() const;

private:
    bool takeKey(const KeyRole& key, Handle taker, double confidence, Added& result);
    void noteId(const Primitive& primitive, Handle handle);
    void takeFrom(Handle holder, const QByteArray& key, Added& result);
    double confidenceOf(Handle handle) const;

    Handle newHandle();

    HandleTable<PrimitivePtr> m_primitives;
    std::vector<KeptState>
        m_states;               ///< by index; empty for a snapshot, which stores no states here
    std::vector<Handle> m_free; ///< free indexes, with the next generation
    qsizetype m_size = 0;
    KeyIndex m_byKey; ///< indexes m_primitives
    /// Only primitives that have no key with their own name; m_byKey finds the others.
    QHash<PrimitiveId, Handle> m_byId;
    QSet<Handle> m_doubted;
};

} // namespace lk
