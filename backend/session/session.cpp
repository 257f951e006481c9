// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/session.h"

#include "backend/findings/findings.h"
#include "backend/findings/findingtracker.h"
#include "backend/history/firstseenstore.h"
#include "backend/session/board/boardsorter.h"
#include "backend/session/deploymentkey.h"
#include "backend/session/monitor/monitor.h"
#include "backend/session/search/primitivesearch.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionhistory.h"

#include <QThread>

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 costSilenceMs = 5000;   // cost arrives every second
constexpr qint64 infoSilenceMs = 15'000; // INFO arrives every five seconds

} // namespace

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
    , m_sorter(new BoardSorter(m_setup.config.check))
    , m_search(nullptr)
    , m_findingTracker(new FindingTracker(m_setup.config.check))
    , m_journal(new JournalReader(m_setup.actionFiles.journal))
    , m_pollingIntervalMs(m_setup.limits.pollingIntervalMs)
{
    m_search = new PrimitiveSearch(m_findingTracker->states());
    if (!m_source)
        m_source = m_monitor = new Monitor(m_setup.url, m_setup.config, *m_setup.clock,
                                           m_setup.limits, m_setup.actionFiles);
    // None has a parent or sockets yet. Sockets are created in their own thread.
    m_source->moveToThread(m_setup.ioThread);
    m_sorter->moveToThread(m_setup.workerThread);
    m_search->moveToThread(m_setup.workerThread);
    m_findingTracker->moveToThread(m_setup.workerThread);
    m_journal->moveToThread(m_setup.workerThread);
    m_limits.isPast = isPast();
    connectSource();
    connect(m_journal, &JournalReader::contentsRead, this, &Session::journalRead);
    connect(m_journal, &JournalReader::failed, this, &Session::journalFailed);
    connect(m_search, &PrimitiveSearch::found, this, &Session::searched);
    if (!m_monitor)
        return;
    connectMonitor();
    connectExecutor();
    connectJobs();
    keepFirstSeen();
    if (!m_setup.alertFile.isEmpty())
        m_alerts = new SessionAlerts(*this, m_setup.alertFile, m_setup.alertThread);
    if (auto* store = qobject_cast<FirstSeenStore*>(m_store); store && m_alerts)
        connect(store, &FirstSeenStore::pastHoldsLoaded, m_alerts, &SessionAlerts::restoreHolds);
}

void Session::keepFirstSeen()
{
    if (m_setup.firstSeenPath.isEmpty())
        return;
    auto* store = new FirstSeenStore(m_setup.firstSeenPath, m_setup.url.endpoint());
    store->moveToThread(m_setup.workerThread);
    connect(store, &FirstSeenStore::loaded, m_monitor, &Monitor::restoreFirstSeen);
    connect(store, &FirstSeenStore::holdsLoaded, m_monitor, &Monitor::restoreHolds);
    connect(store, &FirstSeenStore::agesLoaded, m_monitor, &Monitor::restoreAges);
    connect(store, &FirstSeenStore::agesLoaded, m_findingTracker,
            [tracker = m_findingTracker](const RecordedAges& ages) {
                QHash<QByteArray, qint64> sinceMs;
                for (const RecordedFinding& open : ages.findings)
                    sinceMs.insert(findingIdentity(open.finding, open.finding.kind), open.sinceMs);
                tracker->goOn(sinceMs);
            });
    connect(m_monitor, &Monitor::firstSeenChanged, store, &FirstSeenStore::save);
    connect(store, &FirstSeenStore::failed, this, &Session::firstSeenFailed);
    // Deleted after the monitor, which saves until its end.
    connect(m_monitor, &QObject::destroyed, store, &QObject::deleteLater);
    m_store = store;
}

Session::~Session()
{
    m_source->disconnect(this);
    if (m_monitor) {
        m_monitor->executor().disconnect(this);
        m_monitor->autoRequeues().disconnect(this);
        m_monitor->jobs().disconnect(this);
        m_monitor->jobSearch().disconnect(this);
        m_monitor->failureCount().disconnect(this);
        m_monitor->jobLookup().disconnect(this);
    }
    m_sorter->disconnect(this);
    m_search->disconnect(this);
    m_search->deleteLater(); // before the tracker, whose states it reads
    m_findingTracker->disconnect(this);
    m_journal->disconnect(this);
    m_journal->deleteLater();
    QMetaObject::invokeMethod(m_source, &SessionSource::stop);
    m_source->deleteLater();
    QMetaObject::invokeMethod(m_sorter, &BoardSorter::stop);
    m_sorter->deleteLater();
    QMetaObject::invokeMethod(m_findingTracker, &FindingTracker::stop);
    m_findingTracker->deleteLater();
}

SessionHistory* Session::history() const
{
    return static_cast<SessionHistory*>(m_history.data());
}

void Session::setHistory(SessionHistory* history)
{
    m_history = history;
    emit historyChanged();
}

void Session::connectSource()
{
    connect(m_source, &SessionSource::statusChanged, this, &Session::onStatus);
    connect(m_source, &SessionSource::deltaReady, m_sorter, &BoardSorter::apply);
    connect(m_source, &SessionSource::findingsRecorded, m_findingTracker, &FindingTracker::setPast);
    connect(m_source, &SessionSource::deltaReady, m_findingTracker, &FindingTracker::apply);
    connect(m_source, &SessionSource::deltaReady, this, &Session::onDelta);
    if (isPast()) // a moment arrives at once and is shown at once
        connect(m_source, &SessionSource::deltaReady, m_sorter, &BoardSorter::everySecond);
    connect(m_source, &SessionSource::reported, this, [this](const MonitorReport& report) {
        m_report = report;
        if (!isPast()) {
            m_series.append(serverTotals, OwnCommands, serverNowMs(), report.cost.commandsPerSecond,
                            costSilenceMs);
            recordTotals();
        }
        emit reported(m_report);
    });
    connect(m_source, &SessionSource::reported, m_sorter,
            [sorter = m_sorter](const MonitorReport& report) {
                sorter->setNow(report.atMs);
                if (report.scan.complete)
                    sorter->setScanned();
            });
    connect(m_source, &SessionSource::infoReady, this, &Session::onInfo);
    connect(m_sorter, &BoardSorter::sorted, this, &Session::sorted);
    connect(m_sorter, &BoardSorter::summarized, this, &Session::onSummary);
    connect(m_findingTracker, &FindingTracker::reported, this,
            [this](const LiveFindingsPtr& findings) {
                m_findings = findings;
                emit findingsChanged(m_findings);
            });
}

void Session::connectMonitor()
{
    connect(m_monitor, &Monitor::demoted, this, &Session::demoted);
    connect(m_monitor, &Monitor::waitingReady, this, [this](const WaitingWorkersPtr& waiting) {
        m_waiting = waiting;
        emit waitingWorkersChanged();
    });
}

void Session::onInfo(const ServerInfo& info)
{
    m_info = info;
    const auto append = [&](ServerTotal metric, const char* name, double unit) {
        const auto value = info.number(name);
        if (value && isLive())
            m_series.append(serverTotals, metric, serverNowMs(), double(*value) / unit,
                            infoSilenceMs);
    };
    append(ServerCommands, "instantaneous_ops_per_sec", 1);
    append(ServerMegabytes, "used_memory", 1e6);
    ServerFacts facts = info.facts(m_setup.url.endpoint());
    facts.timeMs = serverNowMs();
    facts.nodes = m_report.nodes;
    if (m_report.map) {
        facts.unserved = m_report.map->unserved();
        facts.openSlots = m_report.map->openSlots();
    }
    QMetaObject::invokeMethod(m_findingTracker,
                              [tracker = m_findingTracker, facts] { tracker->setServer(facts); });
    emit infoChanged(m_info);
}

QString Session::title() const
{
    const QString endpoint = m_setup.url.endpoint();
    return name() == endpoint ? endpoint : QStringLiteral("%1 (%2)").arg(name(), endpoint);
}

void Session::ask(std::function<void(Monitor&)> question)
{
    if (!m_monitor)
        return;
    QMetaObject::invokeMethod(
        m_monitor, [monitor = m_monitor, question = std::move(question)] { question(*monitor); });
}

void Session::start()
{
    QMetaObject::invokeMethod(m_sorter, &BoardSorter::start);
    QMetaObject::invokeMethod(m_findingTracker, &FindingTracker::start);
    if (auto* store = qobject_cast<FirstSeenStore*>(m_store)) {
        QMetaObject::invokeMethod(store, &FirstSeenStore::load);
        QMetaObject::invokeMethod(
            store, [store, names = deploymentNames(m_setup.url)] { store->loadRecorded(names); });
    }
    if (m_alerts)
        m_alerts->start();
    QMetaObject::invokeMethod(m_source, &SessionSource::start);
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

std::vector<LiveFindingPtr> Session::findingsOf(Handle handle) const
{
    if (!m_findings || !m_findings->worstOf(handle))
        return {};
    std::vector<LiveFindingPtr> found = m_findings->of(handle);
    std::erase_if(found, [](const LiveFindingPtr& live) { return live->finding.silenced; });
    // In the past only recorded findings exist.
    if (const StatePtr s = found.empty() && !isPast() ? state(handle) : nullptr) {
        // Too many findings to keep all: derive them from the state.
        const CheckSettings& check = m_setup.config.check;
        for (Finding& finding : lk::findingsOf(*s, check.thresholds)) {
            if (!check.isSilenced(finding))
                found.push_back(std::make_shared<LiveFinding>(
                    LiveFinding{0, handle, s->kind(), s->asOfMs, std::move(finding)}));
        }
    }
    return found;
}

void Session::onStatus(const ConnectionStatus& status)
{
    const bool wasReady = m_status.phase == ConnectionStatus::Phase::Ready;
    m_status = status;
    if (wasReady && status.phase != ConnectionStatus::Phase::Ready)
        gapAll();
    emit statusChanged(m_status);
}

void Session::onDelta(const DeltaPtr& delta)
{
    if (delta->generation == m_status.generation) {
        for (const StateChange& change : delta->changes) {
            // A primitive that was forgotten during an outage was not reported here.
            if (const Handle last = m_states.at(change.handle.index); last != change.handle)
                forget(last);
            if (!change.state) {
                forget(change.handle);
                continue;
            }
            KeptState& place = m_states[change.handle];
            m_present += place ? 0 : 1;
            place = change.keep();
            record(change.handle, *change.state);
        }
        emit changed(delta);
    }
    if (delta->possible) {
        m_possible = delta->possible;
        emit possibleChanged();
    }
    QMetaObject::invokeMethod(m_source, &SessionSource::consumed);
}

void Session::onSummary(const SummaryPtr& summary)
{
    m_summary = summary;
    emit summaryChanged(m_summary);
}

void Session::setAttention(const std::vector<Handle>& visible, Handle selected)
{
    m_visible = visible;
    if (m_selected != selected)
        m_waiting.reset(); // it belongs to another queue
    m_selected = selected;
    if (selected != m_jobsWanted.first)
        wantJobs(noHandle, {});
    ask([visible, selected](Monitor& m) { m.setAttention(visible, selected); });
}

void Session::setPinned(Handle handle, bool pinned)
{
    if (pinned)
        m_pinned.insert(handle);
    else
        m_pinned.remove(handle);
    sendPinned();
    emit pinnedChanged();
}

void Session::setPlanned(const std::vector<Handle>& handles)
{
    m_planned = QSet<Handle>(handles.begin(), handles.end());
    sendPinned();
}

void Session::sendPinned()
{
    std::vector<Handle> handles(m_pinned.begin(), m_pinned.end());
    for (const Handle handle : m_planned) {
        if (!m_pinned.contains(handle))
            handles.push_back(handle);
    }
    ask([handles = std::move(handles)](Monitor& m) { m.setPinned(handles); });
}

QHash<PrimitiveId, Handle> Session::handlesOf(const QSet<PrimitiveId>& ids) const
{
    QHash<PrimitiveId, Handle> handles;
    for (const auto& [handle, state] : m_states) {
        if (ids.contains(state.primitive()->id))
            handles.insert(state.primitive()->id, handle);
    }
    return handles;
}

bool Session::hasOneOf(const Primitive& primitive, const QSet<QByteArray>& keys)
{
    return std::any_of(primitive.keys.begin(), primitive.keys.end(),
                       [&](const KeyRole& role) { return keys.contains(role.key); });
}

std::vector<Handle> Session::handlesWith(const QSet<QByteArray>& keys) const
{
    std::vector<Handle> handles;
    for (const auto& [handle, state] : m_states) {
        if (hasOneOf(*state.primitive(), keys))
            handles.push_back(handle);
    }
    return handles;
}

void Session::setBoard(const BoardQuery& query)
{
    QMetaObject::invokeMethod(m_sorter, [sorter = m_sorter, query] { sorter->setQuery(query); });
}

void Session::setFrozen(bool frozen)
{
    QMetaObject::invokeMethod(m_sorter, [sorter = m_sorter, frozen] { sorter->setFrozen(frozen); });
}

void Session::setPaused(bool paused)
{
    if (m_paused == paused)
        return;
    m_paused = paused;
    if (paused)
        gapAll();
    ask([paused](Monitor& m) { m.setPaused(paused); });
    emit pausedChanged(paused);
}

void Session::setPollingInterval(int ms)
{
    m_pollingIntervalMs = ms;
    ask([ms](Monitor& m) { m.setPollingInterval(ms); });
}

void Session::setScanPace(ScanPace pace)
{
    ask([pace](Monitor& m) { m.setScanPace(pace); });
}

void Session::setMemoryLimit(qint64 bytes)
{
    m_memoryLimit = bytes;
    ask([bytes](Monitor& m) { m.setMemoryLimit(bytes); });
}

void Session::applyConfig(const Config& config)
{
    m_setup.config = config;
    const CheckSettings& check = config.check;
    QMetaObject::invokeMethod(m_sorter, [sorter = m_sorter, check] { sorter->setCheck(check); });
    QMetaObject::invokeMethod(m_findingTracker,
                              [tracker = m_findingTracker, check] { tracker->setSettings(check); });
    ask([config](Monitor& m) { m.setConfig(config); });
    if (m_alerts)
        m_alerts->applySettings();
}

void Session::setRedlockFindings(const std::vector<Finding>& findings)
{
    QMetaObject::invokeMethod(m_findingTracker, [tracker = m_findingTracker, findings] {
        tracker->setRedlock(findings);
    });
}

void Session::setRedlockNames(const QByteArrayList& globs)
{
    ask([globs](Monitor& m) { m.setRedlocks(globs); });
}

void Session::stopScan()
{
    ask([](Monitor& m) { m.stopScan(); });
}

void Session::rescan()
{
    ask([](Monitor& m) { m.rescan(); });
}

void Session::retryNow()
{
    ask([](Monitor& m) { m.retryNow(); });
}

void Session::setPassword(const QString& user, const QString& password)
{
    ask([user, password](Monitor& m) { m.setPassword(user, password); });
}

void Session::setSentinelPassword(const QString& user, const QString& password)
{
    ask([user, password](Monitor& m) { m.setSentinelPassword(user, password); });
}

} // namespace lk
