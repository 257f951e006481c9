// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "backend/session/session.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>

namespace lk {

/// Holds plans that are on the screen against what they were made of: what they are about stays
/// read, and what changes is planned anew in the background, at most a few times a second. Says
/// which of the plans would end as a conflict by now, and why.
class PlanFollower final : public QObject
{
    Q_OBJECT

public:
    explicit PlanFollower(Session* session, QObject* parent = nullptr);
    ~PlanFollower() override;

    /// From now on these; ask: what they were made of.
    void follow(const PlanSet& set, const PlanRequest& request);
    void stop();

    /// By the primitive's name: what is there instead, without full stop. Empty: all still fit.
    const QHash<QByteArray, QString>& stale() const { return m_stale; }

signals:
    void changed();

private:
    void onChanged(const DeltaPtr& delta);
    void planDue();
    void onPlanned(const PlanSet& set);
    void followUndo(const PlanSet& set);
    void begin(const std::vector<Handle>& handles);
    void see(Handle handle);
    void setStale(const QByteArray& name, const QString& why);

    QPointer<Session> m_session;
    PlanRequest m_request;
    QHash<QByteArray, Plan> m_plans; ///< by name
    QHash<Handle, PlanRequest::Target> m_targets;
    QSet<QByteArray> m_undoKeys;    ///< of undo plans, which may be about what is not there
    QHash<Handle, StatePtr> m_seen; ///< as it was planned last
    QSet<Handle> m_due;
    QHash<QByteArray, QString> m_stale;
    QTimer m_soon;
    quint64 m_awaited = 0; ///< ticket of the planning under way; 0: none
};

} // namespace lk
