// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/demotraffic.h"

#include "backend/demo/clients/clients.h"
#include "backend/demo/libraries/libraryclients.h"

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
    m_clients.push_back(makeOrdinaryKeys(m_url, m_seed));
    m_clients.push_back(makeLimiterClients(m_url, m_seed + 1));
    m_clients.push_back(makePermitClients(m_url, m_seed + 2));
    m_clients.push_back(makeLockWorkers(m_url, m_seed + 3));
    m_clients.push_back(makeQueueWorkers(m_url, m_seed + 4));
    m_clients.push_back(makeTokenIssuer(m_url, m_seed + 5));
    m_clients.push_back(makePatternClients(m_url, m_seed + 6));
    m_clients.push_back(makeBullProducer(m_url, m_seed + 7));
    for (int number = 1; number <= bullWorkers; ++number)
        m_clients.push_back(makeBullWorker(m_url, number, m_seed + 10 + number));
    // These libraries' names have no hash tags: they do not run on a cluster.
    if (m_url.deployment != ServerUrl::Deployment::Cluster) {
        m_clients.push_back(makeSidekiqProcess(m_url, m_seed + 8));
        m_clients.push_back(makeCeleryProducer(m_url, m_seed + 9));
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
