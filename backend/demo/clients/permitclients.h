// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

namespace lk {

/// Callers of shared limiters: Redisson's, and resources with consumers. Lives in the thread that
/// made it.
class PermitClients final : public DemoClient
{
    Q_OBJECT

public:
    PermitClients(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    void begin() override;
    void beginRedisson();
    void setRates();
    void acquire(const QByteArray& name, const QByteArray& client, int permits,
                 const QByteArray& nowMs = {});
    void use(const QByteArray& resource, const QByteArray& consumer, int limit, int consumerLimit);
};

} // namespace lk
