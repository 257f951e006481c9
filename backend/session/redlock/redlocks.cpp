// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlocks.h"

#include "backend/session/redlock/redlockrelease.h"
#include "backend/session/redlock/redlockwatch.h"

#include <QThread>

namespace lk {

Redlocks::Redlocks(QThread& ioThread, const Clock& clock, ActionExecutor::Files files,
                   QObject* parent)
    : QObject(parent)
    , m_ioThread(ioThread)
    , m_clock(clock)
    , m_files(std::move(files))
{}

Redlocks::~Redlocks()
{
    endAll();
}

Redlocks* Redlocks::of(const QObject& session)
{
    return session.findChild<Redlocks*>(QString(), Qt::FindDirectChildrenOnly);
}

void Redlocks::endAll()
{
    if (m_watch) {
        m_watch->disconnect(this);
        m_watch->deleteLater();
    }
    m_watch = nullptr;
    const QList<quint64> tickets = m_releases.keys();
    for (const quint64 ticket : tickets)
        discard(ticket);
}

void Redlocks::setGroups(std::vector<RedlockGroup> groups)
{
    endAll();
    m_groups = std::move(groups);
    m_reports.assign(m_groups.size(), nullptr);
    m_intervalMs = 0;
    if (!m_groups.empty()) {
        m_watch = new RedlockWatch(m_groups, m_clock);
        m_watch->moveToThread(&m_ioThread);
        connect(m_watch, &RedlockWatch::read, this,
                [this](int group, const RedlockReportPtr& report) {
                    m_reports[size_t(group)] = report;
                    emit changed(group);
                });
    }
    emit groupsChanged();
}

void Redlocks::watch(int intervalMs)
{
    if (intervalMs == m_intervalMs || !m_watch)
        return;
    m_intervalMs = intervalMs;
    QMetaObject::invokeMethod(m_watch, [watch = m_watch, intervalMs] {
        if (intervalMs > 0)
            watch->watch(intervalMs);
        else
            watch->stop();
    });
}

void Redlocks::readNow()
{
    if (m_watch)
        QMetaObject::invokeMethod(m_watch, &RedlockWatch::readNow);
}

template<typename Function> void Redlocks::ask(quint64 ticket, Function function)
{
    if (RedlockRelease* release = m_releases.value(ticket))
        QMetaObject::invokeMethod(release, [release, function] { function(*release); });
}

quint64 Redlocks::plan(size_t group, const RedlockRequest& request)
{
    const quint64 ticket = ++m_lastTicket;
    auto* release = new RedlockRelease(m_groups[group], m_clock, m_files);
    release->moveToThread(&m_ioThread);
    m_releases.insert(ticket, release);
    connect(release, &RedlockRelease::planned, this,
            [this, ticket](const RedlockPlan& plan) { emit planned(ticket, plan); });
    connect(release, &RedlockRelease::receiptReady, this,
            [this, ticket](const Receipt& receipt) { emit receiptReady(ticket, receipt); });
    connect(release, &RedlockRelease::finished, this, [this, ticket] {
        readNow();
        emit finished(ticket);
    });
    ask(ticket, [request](RedlockRelease& its) { its.plan(request); });
    return ticket;
}

void Redlocks::run(quint64 ticket, const QString& reason)
{
    ask(ticket, [reason](RedlockRelease& release) { release.run(reason); });
}

void Redlocks::stop(quint64 ticket)
{
    ask(ticket, [](RedlockRelease& release) { release.stop(); });
}

void Redlocks::discard(quint64 ticket)
{
    if (RedlockRelease* release = m_releases.take(ticket)) {
        release->disconnect(this);
        release->deleteLater();
    }
}

} // namespace lk
