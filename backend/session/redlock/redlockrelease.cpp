// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockrelease.h"

#include "backend/acting/execution/runner.h"
#include "backend/session/redlock/redlockserverrelease.h"

namespace lk {

RedlockRelease::RedlockRelease(RedlockGroup group, const Clock& clock, ActionFiles files,
                               QObject* parent)
    : QObject(parent)
    , m_group(std::move(group))
    , m_clock(clock)
    , m_files(std::move(files))
{}

RedlockRelease::~RedlockRelease() = default;

void RedlockRelease::plan(const RedlockRequest& request)
{
    for (const ServerUrl& url : m_group.servers) {
        auto* server = new RedlockServerRelease(url, m_clock, m_files, this);
        connect(server, &RedlockServerRelease::planEnded, this, &RedlockRelease::onPlanEnded);
        // Queued, so as not to run inside the signal's sender.
        connect(
            server, &RedlockServerRelease::ran, this,
            [this](const Receipt& receipt) {
                emit receiptReady(receipt);
                runNext();
            },
            Qt::QueuedConnection);
        m_servers.push_back(server);
    }
    m_planning = m_servers.size();
    for (RedlockServerRelease* server : m_servers)
        server->plan(request);
}

void RedlockRelease::onPlanEnded()
{
    if (--m_planning > 0)
        return;
    RedlockPlan plan;
    plan.set.action = QByteArrayLiteral("lock.release");
    for (const RedlockServerRelease* server : m_servers) {
        if (const Plan* its = server->planned()) {
            plan.set.action = its->action;
            plan.set.plans.push_back(*its);
            plan.endpoints << server->endpoint();
        } else {
            plan.left.push_back(server->left());
            plan.set.refused.emplace_back(server->endpoint().toUtf8(), server->left().why);
        }
    }
    emit planned(plan);
}

void RedlockRelease::run(const QString& reason)
{
    m_reason = reason;
    m_run = newGroupId();
    for (auto server = m_servers.rbegin(); server != m_servers.rend(); ++server) {
        if ((*server)->planned())
            m_waiting.push_back(*server);
    }
    runNext();
}

void RedlockRelease::stop()
{
    m_waiting.clear();
}

void RedlockRelease::runNext()
{
    if (m_waiting.empty())
        return emit finished();
    RedlockServerRelease* server = m_waiting.back();
    m_waiting.pop_back();
    server->run(m_reason, m_run);
}

} // namespace lk
