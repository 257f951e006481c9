// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/democlient.h"

namespace lk {

/// Callers of the home-made limiters: rolling windows, tenants' quotas and gates. Lives in the
/// thread that made it.
class LimiterClients final : public DemoClient
{
    Q_OBJECT

public:
    LimiterClients(ServerUrl url, quint32 seed, QObject* parent = nullptr);

private:
    void begin() override;
    void beginCheckout();
    void beginSearch();
    void beginQuotas();
    void beginGates();
    void checkout();
    void search(const QByteArray& nowMs);
};

} // namespace lk
