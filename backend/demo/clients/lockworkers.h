// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

namespace lk {

/// Workers that acquire, renew and release locks, and sometimes crash while they hold one. Also one
/// worker for each of some users, with a limited lifetime. Lives in the thread that made it.
class LockWorkers final : public DemoClient
{
    Q_OBJECT

public:
    LockWorkers(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    /// A lock that a worker holds.
    struct Hold
    {
        QByteArray key;
        QByteArray token;
        int leaseMs = 0;
        int workMs = 0;       ///< remaining work
        bool crashes = false; ///< crashes when the work is half done
    };

    void begin() override;
    void tryToLock();
    void work(Hold hold);
    void release(const Hold& hold);
    void tryToExport();
    void tryToSpawn();
};

} // namespace lk
