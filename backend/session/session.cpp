// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/session.h"

#include "backend/history/firstseenstore.h"
#include "backend/session/ask.h"
#include "backend/session/deploymentkey.h"
#include "backend/session/monitor/monitor.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionhistory.h"
#include "backend/session/sessionjobs.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionsearch.h"
#include "backend/session/sessionseries.h"
#include "backend/session/sessionstates.h"

#include <QThread>

namespace lk {

Session::Session(Setup setup, QObject* parent)
    : Session(std::move(setup), nullptr, nullptr, nullptr, parent)
{}

Session::Session(Setup setup, SessionSource* source, Session& live, QObject* parent)
    : Session(std::move(setup), source, nullptr, &live, parent)
{}

Session::Session(Setup setup, SessionSource* source, Monitor* monitor, Session* live,
                 QObject* parent)
    : QObject(parent)
    , m_setup(std::move(setup))
    , m_source(source)
    , m_monitor(monitor)
    , m_live(live ? live : this)
{
    if (!m_source)
        m_source = m_monitor = new Monitor(m_setup.url, m_setup.config, *m_setup.clock,
                                           m_setup.limits, m_setup.actionFiles);
    // It has no parent or sockets yet. Sockets are created in their own thread.
    m_source->moveToThread(m_setup.ioThread);
    QThread* workerThread = m_setup.workerThread;
    m_states = std::make_unique<SessionStates>();
    m_polling =
        std::make_unique<SessionPolling>(*m_states, m_monitor, m_setup.limits.pollingIntervalMs);
    m_board =
        std::make_unique<SessionBoard>(*m_source, m_setup.config.check, workerThread, isPast());
    m_findings = std::make_unique<SessionFindings>(*this, *m_source);
    m_series = std::make_unique<SessionSeries>(*this);
    m_jobs = std::make_unique<SessionJobs>(*m_states, *m_polling, m_monitor);
    m_acting = std::make_unique<SessionActing>(*m_states, m_monitor, m_setup.actionFiles.journal,
                                               workerThread);
    m_search = std::make_unique<SessionSearch>(*m_states, m_monitor, m_findings->trackedStates(),
                                               workerThread);
    connectSource();
    if (!m_monitor)
        return;
    connect(m_monitor, &Monitor::demoted, this, &Session::demoted);
    if (!m_setup.alertFile.isEmpty())
        m_alerts = new SessionAlerts(*this, m_setup.alertFile, m_setup.alertThread);
    if (!m_setup.firstSeenPath.isEmpty())
        keepFirstSeen();
}

void Session::keepFirstSeen()
{
    m_store = new FirstSeenStore(m_setup.firstSeenPath, m_setup.url.endpoint());
    m_store->moveToThread(m_setup.workerThread);
    connect(m_store, &FirstSeenStore::loaded, m_monitor, &Monitor::restoreFirstSeen);
    connect(m_store, &FirstSeenStore::holdsLoaded, m_monitor, &Monitor::restoreHolds);
    connect(m_store, &FirstSeenStore::agesLoaded, m_monitor, &Monitor::restoreAges);
    m_findings->continueFrom(*m_store);
    connect(m_monitor, &Monitor::firstSeenChanged, m_store, &FirstSeenStore::save);
    connect(m_store, &FirstSeenStore::failed, this, &Session::firstSeenFailed);
    if (m_alerts)
        connect(m_store, &FirstSeenStore::pastHoldsLoaded, m_alerts, &SessionAlerts::restoreHolds);
    // Deleted after the monitor, which saves until its end.
    connect(m_monitor, &QObject::destroyed, m_store, &QObject::deleteLater);
}

Session::~Session()
{
    m_source->disconnect(this);
    QMetaObject::invokeMethod(m_source, &SessionSource::stop);
    m_source->deleteLater();
}

SessionHistory* Session::history() const
{
    return m_history;
}

void Session::setHistory(SessionHistory* history)
{
    m_history = history;
    emit historyChanged();
}

void Session::disconnectAll(const QObject* receiver)
{
    for (const QObject* sender : std::initializer_list<const QObject*>{
             this, &*m_states, &*m_polling, &*m_board, &*m_findings, &*m_series, &*m_jobs,
             &*m_acting, &*m_search})
        sender->disconnect(receiver);
}

void Session::connectSource()
{
    connect(m_source, &SessionSource::statusChanged, this, [this](const ConnectionStatus& status) {
        m_status = status;
        emit statusChanged(m_status);
    });
    connect(m_source, &SessionSource::deltaReady, this, [this](const DeltaPtr& delta) {
        m_states->apply(delta, m_status.generation);
        QMetaObject::invokeMethod(m_source, &SessionSource::consumed);
    });
    connect(m_source, &SessionSource::reported, this, [this](const MonitorReport& report) {
        m_report = report;
        emit reported(m_report);
    });
    connect(m_source, &SessionSource::infoReady, this, [this](const ServerInfo& info) {
        m_info = info;
        emit infoChanged(m_info);
    });
}

QString Session::title() const
{
    const QString endpoint = m_setup.url.endpoint();
    return name() == endpoint ? endpoint : QStringLiteral("%1 (%2)").arg(name(), endpoint);
}

void Session::start()
{
    m_board->start();
    m_findings->start();
    ask(m_store, [names = deploymentNames(m_setup.url)](FirstSeenStore& store) {
        store.load();
        store.loadRecorded(names);
    });
    if (m_alerts)
        m_alerts->start();
    QMetaObject::invokeMethod(m_source, &SessionSource::start);
}

bool Session::isLive() const
{
    return m_status.phase == ConnectionStatus::Phase::Ready && !m_polling->isPaused() && !isPast();
}

qint64 Session::serverNowMs() const
{
    if (isPast())
        return m_report.atMs;
    const qint64 localMs = m_setup.clock->nowMs();
    // The server has not answered yet, but its clock is known from the recording.
    if (!m_report.clock.known() && history())
        return localMs + history()->offsetMs();
    return m_report.clock.serverMs(localMs);
}

void Session::applyConfig(const Config& config)
{
    m_setup.config = config;
    m_board->setCheck(config.check);
    m_findings->applySettings();
    ask(m_monitor, [config](Monitor& m) { m.setConfig(config); });
    if (m_alerts)
        m_alerts->applySettings();
}

void Session::setRedlockNames(const QByteArrayList& globs)
{
    ask(m_monitor, [globs](Monitor& m) { m.setRedlocks(globs); });
}

void Session::retryNow()
{
    ask(m_monitor, [](Monitor& m) { m.retryNow(); });
}

void Session::setPassword(const QString& user, const QString& password)
{
    ask(m_monitor, [user, password](Monitor& m) { m.setPassword(user, password); });
}

void Session::setSentinelPassword(const QString& user, const QString& password)
{
    ask(m_monitor, [user, password](Monitor& m) { m.setSentinelPassword(user, password); });
}

} // namespace lk
