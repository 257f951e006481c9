// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/primitive.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/topology/router.h"

#include <QObject>
#include <QTimer>

namespace lk {

/// What is there after an outcome that is not known.
struct OutcomeSeen
{
    bool read = false; ///< false: text says why it could not be
    QString text;      ///< translated, without full stop
};

/// Reads anew what a plan was about, once, over connections of its own that cannot write. Only for
/// receipts that have come: from then on the script writes nothing more, so what is seen stays true
/// of that step. Where another server may take over from the one that was lost, that is waited for.
/// Lives in the thread it was made in.
class OutcomeCheck final : public QObject
{
    Q_OBJECT

public:
    /// primitive: what the plan was made of; null where it makes something new. The clock outlives
    /// this.
    OutcomeCheck(const ServerUrl& url, Plan plan, PrimitivePtr primitive, const Clock& clock,
                 QObject* parent);

    void start();

signals:
    /// Once.
    void finished(const lk::OutcomeSeen& seen);

private:
    void readOnceReady();
    void readAgain();
    void findJobs(const std::vector<QByteArray>& jobs);
    void askForJobs(const std::vector<QByteArray>& jobs, const std::vector<Reply>& kinds);
    void readState();
    void readKeys();
    void tell(const QString& text);
    void fail(const Error& error);
    void end(const OutcomeSeen& seen);

    Plan m_plan;
    PrimitivePtr m_primitive;
    const Clock& m_clock;
    Router m_router;
    QTimer m_patience; ///< until another has taken over
    Error m_lostBy{ErrorCode::Timeout, {}};
    bool m_reading = false;
    bool m_ended = false;
};

} // namespace lk
