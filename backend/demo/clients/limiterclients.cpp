// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/clients.h"

#include <QDateTime>

#include <array>

namespace lk {

namespace {

struct Tenant
{
    const char* name;
    int usedAtStart;
    int pauseMs; ///< between two of its calls, on average
};

// 2,000 calls in five minutes are one in 150 ms.
constexpr std::array tenants{
    Tenant{"acme", 1880, 160},     Tenant{"globex", 1995, 120}, Tenant{"initech", 640, 500},
    Tenant{"umbrella", 120, 2000}, Tenant{"hooli", 1310, 220},
};
constexpr int quotaLimit = 2000;
constexpr int quotaWindowMs = 300'000;
constexpr int gateIntervalMs = 20'000;
constexpr int gateUsers = 8;

// Callers of the home-made limiters: rolling windows, tenants' quotas and gates.
class LimiterClients final : public DemoClient
{
public:
    LimiterClients(ServerUrl url, quint32 seed)
        : DemoClient(std::move(url), QByteArrayLiteral("demo-api"), seed)
    {}

private:
    void begin() override
    {
        beginCheckout();
        beginSearch();
        beginQuotas();
        beginGates();
    }

    void beginCheckout()
    {
        // Reserved slots add a second of horizon for every five refusals, while one passes each
        // second. At 16 requests per second the horizon grows to the cap; at 3 it is used up.
        for (int i = 0; i < 30; ++i)
            checkout();
        every(50, 50, [this] {
            if (chance(wave(3, 16, 60'000) / 20))
                checkout();
        });
    }

    void checkout()
    {
        run("rolling-window-retry", {"checkout:rate", "checkout:retry"}, {"5", "1000", "8000"});
    }

    void beginSearch()
    {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (int i = 14; i > 0; --i)
            search(text(now - i * 650 + between(-200, 200)));
        every(250, 1250, [this] {
            const int requests = between(1, 1 + int(wave(0, 2, 90'000)));
            for (int i = 0; i < requests; ++i)
                search({});
        });
    }

    void search(const QByteArray& nowMs)
    {
        run("rolling-window", {"search:rate"}, {"20", "10000", nowMs});
    }

    void beginQuotas()
    {
        for (const Tenant& tenant : tenants) {
            const QByteArray key = QByteArrayLiteral("quota:hits:") + tenant.name;
            send({{"SET", key, text(tenant.usedAtStart), "PX",
                   text(between(40'000, quotaWindowMs))}});
            every(tenant.pauseMs / 2, tenant.pauseMs * 3 / 2, [this, key] {
                run("fixed-window", {key}, {text(quotaLimit), text(quotaWindowMs)});
            });
        }
    }

    void beginGates()
    {
        const auto call = [this] {
            const QByteArray key =
                QByteArrayLiteral("spawn:gate:user:") + text(between(1, gateUsers));
            run("gate", {key}, {text(gateIntervalMs)});
        };
        call();
        call();
        every(800, 3500, call);
    }
};

} // namespace

std::unique_ptr<DemoClient> makeLimiterClients(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<LimiterClients>(url, seed);
}

} // namespace lk
