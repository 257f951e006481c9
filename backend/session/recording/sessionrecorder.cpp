// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/sessionrecorder.h"

#include "backend/session/ask.h"
#include "backend/session/deploymentof.h"
#include "backend/session/recording/recordednumbers.h"
#include "backend/session/session.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"

#include <QFileInfo>

namespace lk {

namespace {

constexpr int mostInFlight = 4;                      // deltas; later ones are merged
constexpr const char* recorderProperty = "recorder"; // a property of the session

} // namespace

SessionRecorder::SessionRecorder(Session& session, RecordWriter& writer, const QString& journal,
                                 QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_feed(new RecordFeed(&writer))
    , m_journalPath(journal)
{
    session.setProperty(recorderProperty, QVariant::fromValue<QObject*>(this));
    connect(this, &QObject::destroyed, &session,
            [&session] { session.setProperty(recorderProperty, QVariant()); });
    m_feed->moveToThread(writer.thread());
    connect(m_feed, &RecordFeed::taken, this, [this] {
        --m_inFlight;
        sendChanges();
    });
    connect(&writer, &RecordWriter::recordingChanged, this,
            [this](const QByteArray& deployment, bool here) {
                if (deployment != m_status.deployment)
                    return;
                m_status.here = here;
                m_status.elsewhere = !here;
                m_journalMs = -1;
                emit statusChanged();
            });
    connect(&writer, &RecordWriter::problem, this, [this](const Error& error) {
        m_status.problem = error;
        emit statusChanged();
    });
    connect(&writer, &RecordWriter::recovered, this, [this] {
        m_status.problem.reset();
        emit statusChanged();
    });
    connect(&writer, &RecordWriter::measured, this, [this](const RecordingSize& size) {
        m_status.size = size;
        emit statusChanged();
    });
    if (!journal.isEmpty()) {
        m_journal = new JournalReader(journal);
        m_journal->moveToThread(writer.thread());
        connect(m_journal, &JournalReader::contentsRead, this, [this](const JournalPtr& contents) {
            ask(m_feed, [contents, places = journalPlacesOf(m_session)](RecordFeed& feed) {
                feed.takeJournal(contents, places);
            });
        });
    }
    connect(&session.states(), &SessionStates::changed, this, &SessionRecorder::onChanged);
    connect(&session, &Session::statusChanged, this, &SessionRecorder::onStatus);
    connect(&session.polling(), &SessionPolling::pausedChanged, this, &SessionRecorder::onStatus);
    connect(&session, &Session::reported, this, &SessionRecorder::onReport);
    connect(&session, &Session::infoChanged, this, [this](const ServerInfo& info) {
        const bool byNodes =
            m_session.report().map || m_session.url().deployment == ServerUrl::Deployment::Sentinel;
        sendEvents(m_events.onInfo(info, m_session.serverNowMs(), byNodes));
    });
    connect(&session.findings(), &SessionFindings::changed, this,
            [this](const LiveFindingsPtr& findings) {
                ask(m_feed, [findings](RecordFeed& feed) { feed.takeFindings(findings); });
            });
    connect(&session.board(), &SessionBoard::summaryChanged, this, &SessionRecorder::sendTotals);
    connect(&session, &Session::configEdited, this, [this] {
        RecordedEvent event;
        event.type = EventType::ConfigChanged;
        event.code = configFileChanged;
        event.text = m_session.configFile();
        addEvent(event);
    });
    // For a session that already runs. Unpacking a million states takes a while, so it happens in
    // the feed's thread.
    if (session.states().all().begin() != session.states().all().end()) {
        ++m_inFlight;
        ask(m_feed,
            [states = session.states().all(), nowMs = session.serverNowMs()](RecordFeed& feed) {
                auto known = std::make_shared<std::vector<StateChange>>();
                for (const auto& [handle, state] : states)
                    known->push_back({handle, state.state(), state});
                feed.takeChanges(known, nowMs);
            });
    }
    if (session.findings().latest())
        ask(m_feed, [findings = session.findings().latest()](RecordFeed& feed) {
            feed.takeFindings(findings);
        });
    connect(&m_second, &QTimer::timeout, this, &SessionRecorder::everySecond);
    m_second.start(1000);
    onStatus();
}

SessionRecorder::~SessionRecorder()
{
    end(GapReason::Stopped);
    m_feed->deleteLater();
    if (m_journal)
        m_journal->deleteLater();
}

SessionRecorder* recorderOf(const Session& session)
{
    return qobject_cast<SessionRecorder*>(
        session.live()->property(recorderProperty).value<QObject*>());
}

void SessionRecorder::addEvent(RecordedEvent event)
{
    addEvents({std::move(event)});
}

void SessionRecorder::addEvents(std::vector<RecordedEvent> events)
{
    for (RecordedEvent& event : events) {
        if (event.tMs == 0)
            event.tMs = m_session.serverNowMs();
    }
    sendEvents(std::move(events));
}

void SessionRecorder::sendEvents(std::vector<RecordedEvent> events)
{
    if (!events.empty())
        ask(m_feed, [events = std::move(events)](RecordFeed& feed) { feed.takeEvents(events); });
}

void SessionRecorder::begin()
{
    const auto known = m_begun ? std::nullopt : deploymentOf(m_session, m_reports);
    if (!known)
        return;
    const RecordedDeployment deployment = *known;
    m_begun = true;
    m_status.deployment = deployment.key;
    ask(m_feed, [deployment, nowMs = m_session.serverNowMs()](RecordFeed& feed) {
        feed.begin(deployment, nowMs);
    });
    emit statusChanged();
}

void SessionRecorder::end(GapReason reason)
{
    if (!std::exchange(m_begun, false))
        return;
    ask(m_feed, [reason](RecordFeed& feed) { feed.end(reason); });
    m_status.here = m_status.elsewhere = false;
}

void SessionRecorder::onStatus()
{
    sendEvents(m_events.onStatus(m_session.status(), m_session.serverNowMs()));
    if (m_session.isLive())
        begin();
    else if (m_reports = 0; m_begun)
        end(m_session.polling().isPaused() ? GapReason::Paused : GapReason::Lost);
}

void SessionRecorder::onChanged(const DeltaPtr& delta)
{
    for (const StateChange& change : delta->changes)
        m_waiting[change.handle] = change;
    sendChanges();
}

void SessionRecorder::sendChanges()
{
    if (m_waiting.empty() || m_inFlight >= mostInFlight)
        return;
    auto changes = std::make_shared<std::vector<StateChange>>();
    changes->reserve(m_waiting.size());
    for (auto& [handle, change] : m_waiting)
        changes->push_back(std::move(change));
    m_waiting.clear();
    // A handle comes before the one that reuses its place.
    std::sort(changes->begin(), changes->end(),
              [](const StateChange& a, const StateChange& b) { return a.handle < b.handle; });
    ++m_inFlight;
    ask(m_feed, [changes = StateChangesPtr(changes), nowMs = m_session.serverNowMs()](
                    RecordFeed& feed) { feed.takeChanges(changes, nowMs); });
}

void SessionRecorder::onReport()
{
    ++m_reports;
    begin();
    const MonitorReport& report = m_session.report();
    sendEvents(m_events.onReport(report));
    ServerFacts facts = m_session.info().facts(m_session.url().endpoint());
    facts.timeMs = m_session.serverNowMs();
    facts.nodes = report.nodes;
    facts.leavesKeysUntouched = report.leavesKeysUntouched;
    if (m_begun)
        ask(m_feed,
            [facts, scan = report.scan](RecordFeed& feed) { feed.takeServer(facts, scan); });
}

void SessionRecorder::sendTotals()
{
    const SummaryPtr& summary = m_session.board().summary();
    if (!m_begun || !summary || !summary->scanned)
        return;
    using End = TokenState::End;
    const auto ends = [&](End end) { return double(summary->tokenEnds[size_t(end)]); };
    std::vector<std::pair<QByteArray, double>> totals{
        {"tokens.live", double(summary->tokensLive)},
        {"tokens.used", double(summary->tokensUsed)},
        {"tokens.never-issued", double(summary->tokensNeverIssued)},
        {"tokens.expired", ends(End::Expired)},
        {"tokens.consumed", ends(End::Consumed)},
        {"tokens.revoked", ends(End::Revoked)},
        {"tokens.gone", ends(End::Gone)}};
    for (const char* field : {"instantaneous_ops_per_sec", "used_memory", "connected_clients"}) {
        const auto value = m_session.info().number(field);
        if (!value)
            continue;
        const QByteArray metric = "server." + QByteArray(field);
        const auto last = m_steady.constFind(metric);
        const double now =
            last == m_steady.cend() ? double(*value) : steadyNumber(metric, *last, double(*value));
        m_steady.insert(metric, now);
        totals.emplace_back(metric, now);
    }
    ask(m_feed,
        [totals, nowMs = summary->atMs](RecordFeed& feed) { feed.takeTotals(totals, nowMs); });
}

void SessionRecorder::everySecond()
{
    if (!m_begun || !m_session.isLive())
        return;
    ask(m_feed, [nowMs = m_session.serverNowMs()](RecordFeed& feed) { feed.tick(nowMs); });
    // Other programs also act and write to the same journal.
    if (!m_journal || !m_status.here)
        return;
    const QDateTime written = QFileInfo(m_journalPath).lastModified();
    const qint64 writtenMs = written.isValid() ? written.toMSecsSinceEpoch() : 0;
    if (std::exchange(m_journalMs, writtenMs) != writtenMs)
        QMetaObject::invokeMethod(m_journal, &JournalReader::read);
}

} // namespace lk
