// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/discovery/classifier.h"
#include "backend/discovery/keyindex.h"

#include <QHash>
#include <QSet>

namespace lk {

/// All primitives of a session, each under a handle of its own. Merges the claims of companion keys
/// into one primitive and moves a key to the surer claim. No I/O; used by one thread. Memory
/// follows the number of primitives at a time, however many come and go; names are kept once, by
/// the primitives themselves.
class Registry
{
public:
    /// What a claim was to what is known already.
    enum class Merge : quint8 {
        New,   ///< a primitive not known before
        Grown, ///< a known one with a further key or a surer claim
        Known, ///< nothing new
        Lost,  ///< its keys belong to a surer claim: not taken in
    };
    /// What became of a claim, and of those that lost keys to it.
    struct Added
    {
        Handle handle = noHandle;
        Merge merge = Merge::Known;
        std::vector<Handle> removed;    ///< primitives that lost their main key to this one
        std::vector<PrimitivePtr> lost; ///< what these were
        std::vector<Handle> shrunk;     ///< primitives that lost another key to this one
    };

    /// So many are to come: spares the tables their growing.
    void reserve(qsizetype primitives);
    Added add(const Classified& found) { return add(found.primitive, found.declared); }
    /// declared: by the operator. whole: the claim itself, to be shared if it is new and gets its
    /// only key; or null.
    Added add(const Primitive& claim, bool declared, const PrimitivePtr& whole = nullptr);
    void remove(Handle handle);

    /// What is known of it counts for nothing beside the next claim: that of its own name takes it
    /// over under its handle, one of another takes its keys.
    void doubt(Handle handle);
    bool isDoubted(Handle handle) const;
    bool hasDoubted() const { return !m_doubted.isEmpty(); }
    /// A key that is not claimed any more: gone from who held it. Answers as add() does.
    Added release(const QByteArray& key);
    /// No claim came: it is what it was, with that declaration, which may be null.
    void keep(Handle handle, DeclarationPtr declaration);

    /// Null for a handle that was removed.
    const PrimitivePtr& primitive(Handle handle) const;
    /// Null, too, for one that was not read yet.
    StatePtr state(Handle handle) const { return keptState(handle).state(); }
    const KeptState& keptState(Handle handle) const;
    void setState(Handle handle, KeptState state);
    bool contains(Handle handle) const { return m_primitives.contains(handle); }

    /// The last key has come in: none is looked for by its name from now on, and what that took is
    /// given back.
    void endLookups() { m_byKey.clear(); }

    /// The key is about to be added or looked for.
    void expect(const QByteArray& key) const { m_byKey.expect(key); }
    Handle findKey(const QByteArray& key) const;
    /// Whether some primitive has it: for the many names of a scan that are known. See KeyIndex.
    bool hasKey(const QByteArray& key) const { return m_byKey.contains(key); }
    Handle find(const PrimitiveId& id) const;

    /// All of them: {handle, primitive}. Ends with the next change.
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
    std::vector<KeptState> m_states; ///< by place; a snapshot keeps none here, and has no room made
    std::vector<Handle> m_free;      ///< of removed ones' places, with the next generation
    qsizetype m_size = 0;
    KeyIndex m_byKey; ///< of m_primitives
    /// Of those alone that do not have the key that they are called by: the rest is found by that.
    QHash<PrimitiveId, Handle> m_byId;
    QSet<Handle> m_doubted;
};

} // namespace lk
