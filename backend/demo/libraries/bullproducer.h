// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/libraries/bullclient.h"

namespace lk {

/// Fills a queue as BullMQ 5 keeps it: jobs for now and for later, some that failed before we came,
/// and one whose worker was gone by then. Looks for stalled jobs, too, as one worker of a queue
/// does; seldom, so that there is one to be seen. Lives in the thread that made it.
class BullProducer final : public BullClient
{
    Q_OBJECT

public:
    BullProducer(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    void begin() override;
    QByteArray makeJob(qint64 createdMs, qint64 delayMs = 0);
    void push();
    void schedule(qint64 delayMs);
    void failBefore(qint64 agoMs);
    void stallBefore(qint64 agoMs);
    void checkStalled();
    void returnStalled(const QByteArray& id);

    qint64 m_lastId = 0;
    qint64 m_waiting = 0; ///< as the last push told
};

} // namespace lk
