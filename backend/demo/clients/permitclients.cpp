// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/clients.h"

#include <QDateTime>

#include <array>

namespace lk {

namespace {

struct Rate
{
    const char* name;
    int rate;
    int intervalMs;
    bool perClient;
    int keepAliveMs; ///< 0: forever
};

constexpr Rate signUp{"my-rate-limiter", 3, 60'000, false, 0};
constexpr Rate orders{"{orders}:api", 40, 10'000, false, 0};
constexpr Rate partner{"partner-api", 10, 30'000, true, 600'000};

// The ids of Redisson clients.
constexpr std::array clients{
    "62556984-2963-4021-a640-1f556ae9948d",
    "0b9a7c51-88d1-4f0e-9a3c-5f2b6d7e1c34",
    "d1c2f7aa-5e0b-4c86-b7d9-3a41e90f6b22",
};

/// Redisson's rule: "{name}:suffix", unless the name has its own hash tag.
QByteArray suffixed(const QByteArray& name, const QByteArray& suffix)
{
    if (name.contains('{'))
        return name + ':' + suffix;
    return '{' + name + "}:" + suffix;
}

// Callers of shared limiters: Redisson's, and resources with consumers.
class PermitClients final : public DemoClient
{
public:
    PermitClients(ServerUrl url, quint32 seed)
        : DemoClient(std::move(url), QByteArrayLiteral("demo-orders"), seed)
    {}

private:
    void begin() override
    {
        beginRedisson();

        const QByteArray twelve = QByteArrayLiteral("z:rl:resource:12{12}");
        every(1000, 1000, [=, this] { use(twelve, "1", 5, 3); });
        every(2000, 2000, [=, this] { use(twelve, "2", 5, 3); });
        every(7000, 15'000, [=, this] {
            for (int i = 0; i < 3; ++i)
                use(twelve, "3", 5, 3);
        });

        static constexpr std::array ducks{"alice", "bob", "carol", "dave"};
        const auto duck = [this] {
            use(QByteArrayLiteral("z:rl:resource:myduck{myduck}"), oneOf(ducks), 8, 4);
        };
        for (int i = 0; i < 5; ++i)
            duck();
        every(900, 2600, duck);
        use(twelve, "1", 5, 3);
        use(twelve, "2", 5, 3);
    }

    void beginRedisson()
    {
        setRates();
        // The user may have removed a limiter; a real service sets it again at its start.
        every(30'000, 30'000, [this] { setRates(); });

        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        acquire(signUp.name, clients[0], 1, text(now - 41'000));
        acquire(signUp.name, clients[0], 1, text(now - 17'000));
        every(10'000, 32'000, [this] { acquire(signUp.name, clients[0], 1); });

        for (int i = 20; i > 0; --i)
            acquire(orders.name, clients[0], 1, text(now - i * 450));
        every(120, 380, [this] {
            if (chance(wave(0.3, 1, 75'000)))
                acquire(orders.name, oneOf(clients), oneIn(6) ? between(2, 3) : 1);
        });

        for (const char* client : clients)
            acquire(partner.name, client, between(1, 4));
        every(700, 1800, [this] {
            // The first client acquires the most.
            acquire(partner.name, oneIn(2) ? clients[0] : oneOf(clients), 1);
        });
    }

    void setRates()
    {
        for (const Rate& rate : {signUp, orders, partner}) {
            const QByteArray name = rate.name;
            run("redisson-rate-limiter-set-rate",
                {name, suffixed(name, "value"), suffixed(name, "permits")},
                {text(rate.rate), text(rate.intervalMs), text(rate.perClient),
                 text(rate.keepAliveMs), "try"});
        }
    }

    void acquire(const QByteArray& name, const QByteArray& client, int permits,
                 const QByteArray& nowMs = {})
    {
        run("redisson-rate-limiter-acquire",
            {name, suffixed(name, "value"), suffixed(name, "value:" + client),
             suffixed(name, "permits"), suffixed(name, "permits:" + client)},
            {text(permits), bytes(16), nowMs});
    }

    void use(const QByteArray& resource, const QByteArray& consumer, int limit, int consumerLimit)
    {
        run("resource-consumer", {resource, resource + ":consumer:" + consumer},
            {"10", text(limit), text(consumerLimit)});
    }
};

} // namespace

std::unique_ptr<DemoClient> makePermitClients(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<PermitClients>(url, seed);
}

} // namespace lk
