// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QObject>
#include <QPointer>
#include <QSet>
#include <QStringList>

namespace lk {

/// Remembers which primitives are pinned, by name, and pins them again when a later session detects
/// them. Leaves out tokens, because a client that knows a token's name can redeem it. GUI thread.
class PinnedRows final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void setSession(Session* session); ///< may be null; forgets pending pins
    /// One text for each, for settings: a layout's id, a space, the name percent-encoded. Those
    /// that were not detected yet are among them.
    QStringList ids() const;
    void pin(const QStringList& ids);
    /// Pins the same primitives in the past session. They have the same handles there.
    static void carryOver(const Session& live, Session& past);

private:
    void onChanged(const DeltaPtr& delta);

    QPointer<Session> m_session;
    QSet<PrimitiveId> m_waiting; ///< for being detected
};

} // namespace lk
