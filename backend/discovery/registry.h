// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/discovery/classifier.h"

#include <QHash>

#include <deque>

namespace lk {

/// All primitives of a session, each under a dense handle. Merges the claims of companion keys
/// into one primitive and moves a key to the surer claim. No I/O; used by one thread. Memory
/// follows the number of primitives at a time, however many come and go.
class Registry
{
public:
    enum class Merge : quint8 {
        New,   ///< a primitive not known before
        Grown, ///< a known one with a further key or a surer claim
        Known, ///< nothing new
        Lost,  ///< its keys belong to a surer claim: not taken in
    };
    struct Added
    {
        Handle handle = noHandle;
        Merge merge = Merge::Known;
        std::vector<Handle> removed; ///< primitives that lost their main key to this one
        std::vector<PrimitivePtr> lost; ///< what these were
        std::vector<Handle> shrunk;  ///< primitives that lost another key to this one
    };

    /// So many are to come: spares the tables their growing.
    void reserve(qsizetype primitives);
    Added add(const Classified& found);
    void remove(Handle handle);

    /// What is known of it counts for nothing beside the next claim: that of its own name takes it
    /// over under its handle, one of another takes its keys.
    void doubt(Handle handle) { m_entries[handle].doubted = true; }
    bool isDoubted(Handle handle) const { return m_entries[handle].doubted; }
    /// A key that is not claimed any more: gone from who held it. Answers as add() does.
    Added release(const QByteArray& key);
    /// No claim came: it is what it was, with that declaration, which may be null.
    void settle(Handle handle, DeclarationPtr declaration);

    /// Null for a handle that was removed.
    const PrimitivePtr& primitive(Handle handle) const { return m_entries[handle].primitive; }
    const StatePtr& state(Handle handle) const { return m_entries[handle].state; }
    void setState(Handle handle, StatePtr state) { m_entries[handle].state = std::move(state); }

    /// Whether the handle still names that one: it may have been given to another since.
    bool isOf(Handle handle, const PrimitiveId& id) const
    {
        return handle < end() && m_entries[handle].primitive
               && m_entries[handle].primitive->id == id;
    }

    Handle findKey(const QByteArray& key) const { return m_byKey.value(key, noHandle); }
    Handle find(const PrimitiveId& id) const { return m_byId.value(id, noHandle); }

    /// One more than the largest handle ever given out.
    Handle end() const { return Handle(m_entries.size()); }
    qsizetype size() const { return m_byId.size(); }
    qsizetype keyCount() const { return m_byKey.size(); }
    /// Every claimed key, in no order.
    QList<QByteArray> keys() const { return m_byKey.keys(); }

private:
    struct Entry
    {
        PrimitivePtr primitive;
        StatePtr state;
        bool doubted = false;
    };

    bool takeKey(const KeyRole& key, Handle taker, double confidence, Added& result);
    void takeFrom(Handle holder, const QByteArray& key, Added& result);
    double confidenceOf(Handle handle) const;

    Handle newHandle();

    std::vector<Entry> m_entries;
    std::deque<Handle> m_free; ///< used again only after many others; see newHandle()
    QHash<PrimitiveId, Handle> m_byId;
    QHash<QByteArray, Handle> m_byKey;
};

} // namespace lk
