// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockrelease.h"

#include "backend/actions/execution/runner.h"
#include "backend/session/redlock/redlockseat.h"

namespace lk {

RedlockRelease::RedlockRelease(RedlockGroup group, const Clock& clock, ActionExecutor::Files files,
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
        auto* seat = new RedlockSeat(url, m_clock, m_files, this);
        connect(seat, &RedlockSeat::planEnded, this, &RedlockRelease::onPlanEnded);
        // Not from within what has just told it.
        connect(
            seat, &RedlockSeat::ran, this,
            [this](const Receipt& receipt) {
                emit receiptReady(receipt);
                runNext();
            },
            Qt::QueuedConnection);
        m_seats.push_back(seat);
    }
    m_planning = m_seats.size();
    for (RedlockSeat* seat : m_seats)
        seat->plan(request);
}

void RedlockRelease::onPlanEnded()
{
    if (--m_planning > 0)
        return;
    RedlockPlan plan;
    plan.set.action = QByteArrayLiteral("lock.release");
    for (const RedlockSeat* seat : m_seats) {
        if (const Plan* its = seat->planned()) {
            plan.set.action = its->action;
            plan.set.plans.push_back(*its);
            plan.endpoints << seat->endpoint();
        } else {
            plan.left.push_back(seat->left());
            plan.set.refused.emplace_back(seat->endpoint().toUtf8(), seat->left().why);
        }
    }
    emit planned(plan);
}

void RedlockRelease::run(const QString& reason)
{
    m_reason = reason;
    m_run = newGroupId();
    for (auto seat = m_seats.rbegin(); seat != m_seats.rend(); ++seat) {
        if ((*seat)->planned())
            m_waiting.push_back(*seat);
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
    RedlockSeat* seat = m_waiting.back();
    m_waiting.pop_back();
    seat->run(m_reason, m_run);
}

} // namespace lk
