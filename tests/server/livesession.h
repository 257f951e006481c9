// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/endthread.h"
#include "backend/session/session.h"
#include "backend/session/sessionstates.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <optional>

namespace lk::test {

/// This machine's clock with an error.
class WrongClock final : public Clock
{
public:
    explicit WrongClock(qint64 aheadMs = 0)
        : m_aheadMs(aheadMs)
    {}
    qint64 nowMs() const override { return SystemClock().nowMs() + m_aheadMs; }

private:
    qint64 m_aheadMs;
};

/// A session with its threads, as the console makes it, and its reports. In the test's thread.
class LiveSession final
{
public:
    explicit LiveSession(const ServerUrl& url, const Config& config = {},
                         const QString& firstSeenPath = {}, const ActionFiles& actionFiles = {},
                         const MonitorLimits& limits = {}, qint64 clockAheadMs = 0,
                         const QString& alertFile = {})
        : m_clock(clockAheadMs)
    {
        m_io.start();
        m_worker.start();
        m_journal.start();
        Session::Setup setup;
        setup.url = url;
        setup.config = config;
        setup.firstSeenPath = firstSeenPath;
        setup.actionFiles = actionFiles;
        setup.actionFiles.journalThread = &m_journal;
        setup.alertFile = alertFile;
        setup.alertThread = &m_journal;
        setup.ioThread = &m_io;
        setup.workerThread = &m_worker;
        setup.clock = &m_clock;
        setup.limits = limits;
        m_session = std::make_unique<Session>(setup);
        QObject::connect(&m_session->states(), &SessionStates::changed, m_session.get(),
                         [this] { ++m_deltas; });
        QObject::connect(m_session.get(), &Session::reported, m_session.get(),
                         [this] { ++m_reports; });
        m_session->start();
    }
    ~LiveSession()
    {
        m_session.reset();
        endThread(m_io);
        endThread(m_journal);
        endThread(m_worker);
    }

    Session& operator*() { return *m_session; }
    Session* operator->() { return m_session.get(); }

    int deltas() const { return m_deltas; }
    int reports() const { return m_reports; }
    /// Runs the event loop until that many more reports came: about a second each.
    bool seconds(int more)
    {
        const int until = m_reports + more;
        return QTest::qWaitFor([&] { return m_reports >= until; }, 3000 * more);
    }

    Handle handle(const QByteArray& name) const
    {
        Handle found = noHandle;
        for (const auto& [handle, kept] : m_session->states().all()) {
            const StatePtr state = kept.state();
            if (state->primitive->id.name == name)
                found = handle;
        }
        return found;
    }
    StatePtr state(const QByteArray& name) const { return m_session->states().at(handle(name)); }
    /// The number of states with that name: one unless there is a duplicate.
    int count(const QByteArray& name) const
    {
        int n = 0;
        for (const auto& [handle, state] : m_session->states().all())
            n += state.primitive()->id.name == name ? 1 : 0;
        return n;
    }
    int size() const
    {
        int n = 0;
        for ([[maybe_unused]] const auto& one : m_session->states().all())
            ++n;
        return n;
    }
    std::optional<qint64> ready(const QByteArray& queue) const
    {
        const StatePtr s = state(queue);
        const auto* q = s ? s->as<QueueState>() : nullptr;
        return q ? q->ready : std::nullopt;
    }
    QByteArray owner(const QByteArray& lock) const
    {
        const StatePtr s = state(lock);
        const auto* l = s ? s->as<LockState>() : nullptr;
        return l ? l->owner : QByteArray();
    }
    bool isReady() const { return m_session->status().phase == ConnectionStatus::Phase::Ready; }
    FeedStatus feed() const { return m_session->report().feed; }
    bool scanned() const { return m_session->report().scan.complete; }

private:
    WrongClock m_clock;
    QThread m_io;
    QThread m_worker;
    QThread m_journal;
    std::unique_ptr<Session> m_session;
    int m_deltas = 0;
    int m_reports = 0;
};

/// Calls by command since the statistics were reset: {"get", 12}. Without the reset itself.
inline QMap<QByteArray, qint64> commandCalls(RedisServer& server)
{
    QMap<QByteArray, qint64> calls;
    for (const QByteArray& line : server.line("INFO commandstats").text.split('\n')) {
        const qsizetype colon = line.indexOf(':');
        if (line.startsWith("cmdstat_") && colon > 0) {
            const QByteArray rest = line.mid(line.indexOf("calls=") + 6);
            calls[line.mid(8, colon - 8)] = rest.left(rest.indexOf(',')).toLongLong();
        }
    }
    calls.remove("config|resetstat");
    return calls;
}

/// All keys and their contents, to compare. Leaves TTLs out, since they run by themselves.
inline QByteArray summaryOf(RedisServer& server)
{
    std::vector<Reply> keys = server.line("KEYS *").items;
    std::sort(keys.begin(), keys.end(),
              [](const Reply& a, const Reply& b) { return a.text < b.text; });
    QByteArray all;
    for (const Reply& key : keys)
        all += key.text + '\0' + server.run({"DUMP", key.text}).text;
    return all;
}

} // namespace lk::test
