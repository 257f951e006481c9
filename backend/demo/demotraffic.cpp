// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/demotraffic.h"

#include "backend/demo/clients/limiterclients.h"
#include "backend/demo/clients/lockworkers.h"
#include "backend/demo/clients/ordinarykeys.h"
#include "backend/demo/clients/patternclients.h"
#include "backend/demo/clients/permitclients.h"
#include "backend/demo/clients/queueworkers.h"
#include "backend/demo/clients/tokenissuer.h"
#include "backend/demo/libraries/bullproducer.h"
#include "backend/demo/libraries/bullworker.h"
#include "backend/demo/libraries/celeryproducer.h"
#include "backend/demo/libraries/sidekiqprocess.h"

#include <QThread>

namespace lk {

namespace {
constexpr int bullWorkers = 3;
} // namespace

DemoTraffic::DemoTraffic(ServerUrl url, quint32 seed, QObject* parent)
    : QObject(parent)
    , m_url(std::move(url))
    , m_seed(seed)
{}

DemoTraffic::~DemoTraffic() = default;

void DemoTraffic::start()
{
    if (!m_clients.empty())
        return;
    // Emitted in that thread: the last moment at which the sockets can be closed there.
    connect(thread(), &QThread::finished, this, &DemoTraffic::stop, Qt::UniqueConnection);
    m_clients.push_back(std::make_unique<OrdinaryKeys>(m_url, m_seed));
    m_clients.push_back(std::make_unique<LimiterClients>(m_url, m_seed + 1));
    m_clients.push_back(std::make_unique<PermitClients>(m_url, m_seed + 2));
    m_clients.push_back(std::make_unique<LockWorkers>(m_url, m_seed + 3));
    m_clients.push_back(std::make_unique<QueueWorkers>(m_url, m_seed + 4));
    m_clients.push_back(std::make_unique<TokenIssuer>(m_url, m_seed + 5));
    m_clients.push_back(std::make_unique<PatternClients>(m_url, m_seed + 6));
    m_clients.push_back(std::make_unique<BullProducer>(m_url, m_seed + 7));
    for (int number = 1; number <= bullWorkers; ++number)
        m_clients.push_back(std::make_unique<BullWorker>(m_url, number, m_seed + 10 + number));
    // These libraries' names have no hash tags: they do not run on a cluster.
    if (m_url.deployment != ServerUrl::Deployment::Cluster) {
        m_clients.push_back(std::make_unique<SidekiqProcess>(m_url, m_seed + 8));
        m_clients.push_back(std::make_unique<CeleryProducer>(m_url, m_seed + 9));
    }
    for (const std::unique_ptr<DemoClient>& client : m_clients) {
        connect(client.get(), &DemoClient::problem, this, &DemoTraffic::problem);
        client->open();
    }
}

void DemoTraffic::stop()
{
    m_clients.clear();
}

} // namespace lk
