// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace lk {

/// The states of a session's primitives, as of the last delta. GUI thread.
class SessionStates final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Returns the state; null if there is no such primitive (any more).
    StatePtr at(Handle handle) const { return kept(handle).state(); }
    KeptState kept(Handle handle) const
    {
        const KeptState* known = m_all.find(handle);
        return known ? *known : KeptState();
    }

    /// All states as {handle, state}. Valid until the next delta.
    const HandleTable<KeptState>& all() const { return m_all; }
    qint64 count() const { return m_count; }

    /// Returns the handles of the known ones among these. Searches all primitives: do not call it
    /// for every paint.
    QHash<PrimitiveId, Handle> handlesOf(const QSet<PrimitiveId>& ids) const;
    /// Returns the primitives that have one of these keys. Searches all primitives, too.
    std::vector<Handle> handlesWith(const QSet<QByteArray>& keys) const;
    static bool hasOneOf(const Primitive& primitive, const QSet<QByteArray>& keys);

    const PossiblePtr& possible() const { return m_possible; } ///< never null

    /// generation: of the present connection. The states of another one are ignored.
    void apply(const DeltaPtr& delta, quint64 generation);

signals:
    /// States have changed. all() contains them already.
    void changed(const lk::DeltaPtr& delta);
    /// Emitted while a delta is applied, before changed().
    void forgotten(lk::Handle handle);
    void possibleChanged();

private:
    void forget(Handle handle);

    HandleTable<KeptState> m_all;
    qint64 m_count = 0;
    PossiblePtr m_possible = std::make_shared<PossiblePrimitives>();
};

} // namespace lk
