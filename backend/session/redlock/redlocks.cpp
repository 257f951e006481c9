// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlocks.h"

#include "backend/session/redlock/redlockrelease.h"
#include "backend/session/redlock/redlockwatch.h"
#include "backend/session/session.h"

#include <QThread>

namespace lk {

Redlocks::Redlocks(Session& session)
    : QObject(&session)
    , m_session(session)
    , m_ioThread(*session.setup().ioThread)
    , m_clock(*session.setup().clock)
    , m_files(session.setup().actionFiles)
{
    connect(&session, &Session::pausedChanged, this, &Redlocks::pace);
}

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
    m_findings.assign(m_groups.size(), {});
    m_paceMs = 0;
    QByteArrayList names;
    for (const RedlockGroup& group : m_groups)
        names << group.match;
    m_session.setRedlockNames(names);
    if (!m_groups.empty()) {
        m_watch = new RedlockWatch(m_groups, m_clock);
        m_watch->moveToThread(&m_ioThread);
        connect(m_watch, &RedlockWatch::read, this, &Redlocks::onRead);
        pace();
    }
    publishFindings();
    emit groupsChanged();
}

void Redlocks::onRead(int group, const RedlockReportPtr& report,
                      const std::vector<Finding>& lasting)
{
    m_reports[size_t(group)] = report;
    m_findings[size_t(group)] = lasting;
    publishFindings();
    emit changed(group);
}

void Redlocks::publishFindings()
{
    if (!m_isFollowed)
        return;
    std::vector<Finding> all;
    for (const std::vector<Finding>& its : m_findings)
        all.insert(all.end(), its.begin(), its.end());
    m_session.setRedlockFindings(all);
}

void Redlocks::follow()
{
    m_isFollowed = true;
    publishFindings();
    pace();
}

void Redlocks::watch(int intervalMs)
{
    m_watchMs = intervalMs;
    pace();
}

void Redlocks::pace()
{
    const int unwatchedMs = m_isFollowed ? backgroundMs : 0;
    const int ms = m_session.paused() ? 0 : m_watchMs > 0 ? m_watchMs : unwatchedMs;
    if (!m_watch || std::exchange(m_paceMs, ms) == ms)
        return;
    QMetaObject::invokeMethod(m_watch, [watch = m_watch, ms] {
        if (ms > 0)
            watch->watch(ms);
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
