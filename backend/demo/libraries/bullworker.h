// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/libraries/bullclient.h"

namespace lk {

/// A worker of BullMQ 5 that runs one job at a time. The name of its connection contains the queue
/// and the worker, and it blocks on the marker while there is no job. Some jobs fail and are
/// retried later; sometimes the worker crashes and restarts. Lives in the thread that made it.
class BullWorker final : public BullClient
{
    Q_OBJECT

public:
    BullWorker(ServerUrl url, int number, quint32 seed, QObject* parent = nullptr);

private:
    void begin() override;
    void take();
    void promote(const QByteArray& id);
    void work(const QByteArray& id);
    void finish(const QByteArray& id);
    void fail(const QByteArray& id);

    int m_number;
};

} // namespace lk
