// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "backend/session/session.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>

namespace lk {

/// Checks plans that are on the screen: keeps reading their primitives, and plans again in the
/// background if one changes, at most a few times a second. Reports which plans would now end as a
/// conflict, and why.
class PlanFollower final : public QObject
{
    Q_OBJECT

public:
    explicit PlanFollower(Session* session, QObject* parent = nullptr);
    ~PlanFollower() override;

    /// Follows these plans from now on. request: the request that produced them.
    void follow(const PlanSet& set, const PlanRequest& request);
    void stop();

    /// The current state, by the primitive's name, without full stop. Empty if all plans still fit.
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
    QSet<QByteArray> m_undoKeys;    ///< the keys of undo plans; they need not exist
    QHash<Handle, StatePtr> m_seen; ///< as it was planned last
    QSet<Handle> m_due;
    QHash<QByteArray, QString> m_stale;
    QTimer m_soon;
    quint64 m_awaited = 0; ///< ticket of the planning in progress; 0: none
};

} // namespace lk
