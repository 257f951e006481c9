// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/primitive.h"
#include "backend/core/task.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/topology/router.h"

#include <QObject>
#include <QTimer>

namespace lk {

/// The state of the keys after an unknown outcome.
struct OutcomeSeen
{
    bool read = false; ///< false if reading failed; text then contains the reason
    QString text;      ///< translated, without full stop
};

/// Reads the keys of a plan again, once, over its own read-only connections. Start it only after
/// the receipt has arrived: from then on the script writes nothing more, so the result stays true
/// for that step. If another server may take over from the lost one, waits for it. Lives in the
/// thread that created it.
class OutcomeCheck final : public QObject
{
    Q_OBJECT

public:
    /// primitive: the plan's primitive; null if the plan creates one. The clock must outlive this
    /// object.
    OutcomeCheck(const ServerUrl& url, Plan plan, PrimitivePtr primitive, const Clock& clock,
                 QObject* parent);

    void start();

signals:
    /// Emitted once.
    void finished(const lk::OutcomeSeen& seen);

private:
    void readOnceReady();
    Task<Result<QString>> readAgain();
    Task<Result<QString>> findJobs(std::vector<QByteArray> jobs);
    Task<Result<QString>> readState();
    Task<Result<QString>> readKeys();
    void end(const Result<QString>& text);

    Plan m_plan;
    PrimitivePtr m_primitive;
    const Clock& m_clock;
    Router m_router;
    QTimer m_patience; ///< limits the wait for another server to take over
    Error m_lostBy{ErrorCode::Timeout, {}};
    bool m_reading = false;
    bool m_ended = false;
};

} // namespace lk
