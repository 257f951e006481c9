// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/libraries/bullclient.h"

namespace lk {

/// A worker as BullMQ 5 runs it, one job at a time: its connection tells the queue and its own name
/// and blocks on the marker while there is nothing to do. Some jobs fail, and are tried again
/// later; sometimes the worker dies over one and is started anew. Lives in the thread that made it.
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
