// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QObject>
#include <QPointer>
#include <QSet>
#include <QStringList>

namespace lk {

/// Remembers which primitives are pinned, by what they are called, and pins them again once they
/// are detected in a later session. Tokens are left out: whoever reads a token's name can redeem
/// it. GUI thread.
class PinnedRows final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void setSession(Session* session); ///< null: none; what was to be pinned is forgotten
    /// One text for each, for settings: a layout's id, a space, the name percent-encoded. Those
    /// that were not detected yet are among them.
    QStringList ids() const;
    void pin(const QStringList& ids);
    /// What is pinned is so in the past, too: there the same primitives have the same handles.
    static void carryOver(const Session& live, Session& past);

private:
    void onChanged(const DeltaPtr& delta);

    QPointer<Session> m_session;
    QSet<PrimitiveId> m_waiting; ///< for being detected
};

} // namespace lk
