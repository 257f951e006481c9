// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/record/recordrun.h"

#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/acting/journal/journal.h"
#include "backend/alerts/alertfile.h"
#include "backend/history/historypath.h"
#include "backend/redis/redlock/redlock.h"
#include "backend/session/masterelsewhere.h"
#include "backend/session/redlock/redlocks.h"
#include "backend/session/sessionpolling.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace lk {

namespace {

// Beside the recording, where that is a file of one's own.
QString alertFile(const Invocation& invocation)
{
    if (invocation.storeFile.isEmpty())
        return alertDatabasePath();
    return QFileInfo(invocation.storeFile).absoluteDir().filePath(QStringLiteral("alerts.db"));
}

} // namespace

RecordRun::RecordRun(const Invocation& invocation, Config config, QString passwordVariable)
    : m_invocation(invocation)
    , m_config(std::move(config))
    , m_passwordVariable(std::move(passwordVariable))
    , m_services(alertFile(invocation))
{
    connect(&m_signals, &EndSignals::received, this, &RecordRun::onSignal);
    connect(&m_until, &QTimer::timeout, this, [this] {
        const bool any = std::any_of(m_watched.begin(), m_watched.end(),
                                     [](const Watched& w) { return w.wasReady; });
        finish(any ? ExitDone : ExitUsage);
    });
    m_until.setSingleShot(true);
}

RecordRun::~RecordRun()
{
    m_watched.clear();
    // After what the recorders have still to say.
    for (RecordWriter* writer : m_writers) {
        QMetaObject::invokeMethod(writer, &RecordWriter::stop);
        writer->deleteLater();
    }
}

QString RecordRun::storePath() const
{
    return QFileInfo(m_invocation.storeFile.isEmpty() ? historyPath() : m_invocation.storeFile)
        .absoluteFilePath();
}

// One for each URL: of two that lead to the same deployment one records it, and the other stands by
// as it would in a program of its own.
RecordWriter& RecordRun::makeWriter()
{
    auto* writer = new RecordWriter({storePath(), m_config.recording, &m_clock});
    writer->moveToThread(&m_recordThread);
    connect(writer, &RecordWriter::problem, this, [this](const Error& error) {
        if (!std::exchange(m_failing, true))
            tellLine(tr("%1; retrying automatically").arg(errorText(error)));
    });
    connect(writer, &RecordWriter::recovered, this, [this] {
        if (std::exchange(m_failing, false))
            tellLine(tr("Recording again"));
    });
    QMetaObject::invokeMethod(writer, &RecordWriter::start);
    m_writers.push_back(writer);
    return *writer;
}

Result<void> RecordRun::start()
{
    if (!m_invocation.listen.isEmpty()) {
        if (const Result<void> listens =
                m_services.listen(m_invocation.listen, m_invocation.listenPasswordFile);
            !listens)
            return listens;
    }
    m_watched.reserve(size_t(m_invocation.urls.size()));
    for (const ServerUrl& url : m_invocation.urls)
        open(url);
    followGroups();
    if (m_invocation.forMs > 0)
        m_until.start(int(m_invocation.forMs));
    return {};
}

void RecordRun::open(const ServerUrl& url)
{
    Session::Setup setup;
    setup.url = url;
    setup.config = m_config;
    setup.configFile = m_invocation.configFile;
    setup.firstSeenPath = storePath();
    setup.ioThread = &m_ioThread;
    setup.workerThread = &m_workerThread;
    setup.clock = &m_clock;
    m_services.prepare(setup);
    Watched& watched = m_watched.emplace_back();
    watched.session = std::make_unique<Session>(std::move(setup));
    watched.recorder =
        std::make_unique<SessionRecorder>(*watched.session, makeWriter(), journalPath());
    const size_t index = m_watched.size() - 1;
    connect(watched.session.get(), &Session::statusChanged, this,
            [this, index] { onStatus(m_watched[index]); });
    connect(watched.session.get(), &Session::demoted, this, [this, index](const QString& master) {
        const Watched& demoted = m_watched[index];
        if (!masterElsewhere(*demoted.session).isEmpty()) // else the master is followed
            tellLine(tr("%1 is now a replica; its master is %2: record that one, too")
                         .arg(demoted.session->title(), master));
    });
    connect(watched.recorder.get(), &SessionRecorder::statusChanged, this,
            [this, index] { onRecording(m_watched[index]); });
    m_services.follow(*watched.session, *watched.recorder);
    if (m_invocation.pace)
        watched.session->polling().setScanPace(*m_invocation.pace);
    watched.session->start();
}

// Groups belong to the configuration, not to one of the deployments. Reported with all deployments,
// each of their alerts would be raised as often.
void RecordRun::followGroups()
{
    Session& first = *m_watched.front().session;
    Redlocks* redlocks = Redlocks::of(first);
    if (!redlocks)
        redlocks = new Redlocks(first);
    redlocks->follow();
    redlocks->setGroups(withPassword(m_config.redlocks, m_passwordVariable));
}

void RecordRun::tellOnce(Watched& watched, const QString& line)
{
    if (std::exchange(watched.told, line) != line)
        tellLine(line);
}

void RecordRun::onStatus(Watched& watched)
{
    const ConnectionStatus& status = watched.session->status();
    if (status.phase == ConnectionStatus::Phase::Ready)
        watched.wasReady = true;
    if (status.phase != ConnectionStatus::Phase::Lost || m_ending)
        return;
    const bool moved = status.error.code == ErrorCode::Replica; // of a Sentinel group
    if (moved && status.nextTryInMs == 0)
        tellOnce(watched, tr("%1: failover, the master is now %2")
                              .arg(watched.session->title(), status.error.detail));
    else if (!moved)
        tellOnce(watched, tr("%1: %2").arg(watched.session->title(), errorText(status.error)));
    // An error that the user has to fix is not retried. The run ends if nothing else is left to do.
    const bool hopeless = std::all_of(m_watched.begin(), m_watched.end(), [](const Watched& w) {
        const ConnectionStatus& s = w.session->status();
        return s.phase == ConnectionStatus::Phase::Lost && !isTransient(s.error) && !w.wasReady;
    });
    if (hopeless && m_watched.size() == size_t(m_invocation.urls.size()))
        finish(ExitUsage);
}

void RecordRun::onRecording(Watched& watched)
{
    const SessionRecorder::Status& status = watched.recorder->status();
    if (m_ending)
        return;
    if (status.here)
        tellOnce(watched, tr("Recording %1").arg(watched.session->title()));
    else if (status.elsewhere)
        tellOnce(watched,
                 tr("Another program records %1; standing by").arg(watched.session->title()));
}

void RecordRun::onSignal(EndSignal signal)
{
    if (signal == EndSignal::Hangup)
        reload();
    else
        finish(ExitDone);
}

void RecordRun::reload()
{
    const Result<Config> config = loadConfigOrDefault(m_invocation.configFile);
    if (!config) {
        tellLine(tr("Configuration not applied: %1").arg(errorText(config.error())));
        return;
    }
    m_config = *config;
    for (RecordWriter* writer : m_writers)
        QMetaObject::invokeMethod(
            writer, [writer, retention = m_config.recording] { writer->setRetention(retention); });
    for (Watched& watched : m_watched) {
        watched.session->applyConfig(m_config);
        watched.session->noteConfigEdited();
    }
    followGroups();
    tellLine(tr("Configuration applied"));
}

void RecordRun::finish(int code)
{
    if (std::exchange(m_ending, true))
        return;
    emit ended(code);
}

} // namespace lk
