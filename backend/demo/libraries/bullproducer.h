// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/libraries/bullclient.h"

namespace lk {

/// Fills a queue in the format of BullMQ 5: waiting and delayed jobs, some that failed before the
/// demo began, and one whose worker was gone by then. Also looks for stalled jobs, as one worker of
/// a queue does; rarely, so that one can be seen. Lives in the thread that made it.
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
    qint64 m_waiting = 0; ///< from the last push
};

} // namespace lk
