// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

namespace lk {

/// Workers that take locks, renew and release them, and now and then die while they hold one; and
/// one worker for each of some users, whose lifetime is limited. Lives in the thread that made it.
class LockWorkers final : public DemoClient
{
    Q_OBJECT

public:
    LockWorkers(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    /// A lock in a worker's hands.
    struct Hold
    {
        QByteArray key;
        QByteArray token;
        int leaseMs = 0;
        int workMs = 0;       ///< how much is left to do
        bool crashes = false; ///< dies when the work is half done
    };

    void begin() override;
    void tryToLock();
    void work(Hold hold);
    void release(const Hold& hold);
    void tryToExport();
    void tryToSpawn();
};

} // namespace lk
