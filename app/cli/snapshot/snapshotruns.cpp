// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/snapshot/snapshotruns.h"

#include "app/process/exitcodes.h"
#include "backend/history/firstseenstore.h"
#include "backend/history/historypath.h"
#include "backend/polling/derived/firstseen.h"
#include "backend/report/snapshot/snapshottaker.h"

#include <QTimer>

namespace lk {

namespace {

constexpr int mostFailovers = 3; // in one snapshot, before it is given up

// True if a part of the snapshot is from the old master: it is taken again from the promoted
// server.
bool isFailover(const ServerUrl& url, const SnapshotTaker& taker, const Error& error)
{
    return url.deployment == ServerUrl::Deployment::Sentinel && taker.hasBegun() &&
           (isTransient(error) || error.code == ErrorCode::Replica) &&
           error.code != ErrorCode::NoPerm && error.code != ErrorCode::ReplyTooLarge;
}

} // namespace

struct SnapshotRuns::Run
{
    Run(const ServerUrl& url, const CheckSettings& check)
        : firstSeen(check.thresholds.stuckAfterMs)
        , store(historyPath(), url.endpoint())
    {}

    FirstSeen firstSeen;
    FirstSeenStore store;
    std::unique_ptr<SnapshotTaker> taker;
    int failovers = 0; ///< since it was begun
    qint64 scanned = 0;
    qint64 expected = 0; ///< 0: not known
};

SnapshotRuns::SnapshotRuns(const Invocation& invocation, const Config& config, const Clock& clock,
                           Ages ages, PackedStates::Order order)
{
    const bool keeps = ages == Ages::Kept;
    SnapshotScope scope;
    scope.mostKeys = invocation.sampleKeys;
    scope.mostBytes = invocation.maxMemory;
    scope.pace = invocation.pace;
    scope.tlsTimeoutMs = invocation.timeoutMs / 4 * 3; // earlier than --timeout itself
    m_makeTaker = [this, &config, &clock, keeps, order, timeoutMs = invocation.timeoutMs,
                   scope](size_t place) {
        Run& run = *m_runs[place];
        run.taker = std::make_unique<SnapshotTaker>(m_taken[place].url, config, clock, scope);
        run.taker->setTimeout(timeoutMs);
        run.taker->setPacked();
        run.taker->setOrder(order);
        if (keeps)
            run.taker->setFirstSeen(&run.firstSeen);
        connect(run.taker.get(), &SnapshotTaker::finished, this,
                [this, place](const auto& snapshot) { take(place, snapshot); });
        connect(run.taker.get(), &SnapshotTaker::failed, this,
                [this, place](const Error& error) { onFailed(place, error); });
        connect(run.taker.get(), &SnapshotTaker::progressed, this,
                [this, &run](qint64 scanned, qint64 expected) {
                    run.scanned = scanned;
                    run.expected = expected;
                    showProgress();
                });
    };
    m_keeps = keeps;
    m_taken.reserve(invocation.urls.size());
    for (const ServerUrl& url : invocation.urls) {
        const size_t place = m_taken.size();
        m_taken.push_back({url, nullptr});
        m_runs.push_back(std::make_unique<Run>(url, config.check));
        Run* run = m_runs.back().get();
        m_makeTaker(place);
        if (!keeps)
            continue;
        const QString where = invocation.urls.size() > 1 ? url.endpoint() : QString();
        connect(&run->store, &FirstSeenStore::failed, this, [where](const Error& error) {
            reportError(error, where); // then this counts as a first snapshot
        });
        connect(&run->store, &FirstSeenStore::loaded, this,
                [run](const auto& seen) { run->firstSeen.restore(seen); });
        run->store.load();
    }
}

void SnapshotRuns::take(size_t place, const std::shared_ptr<const Snapshot>& snapshot)
{
    Run& run = *m_runs[place];
    if (m_keeps && run.firstSeen.takeChanged())
        run.store.save(run.firstSeen.firstSeen());
    m_taken[place].snapshot = snapshot;
    m_taken[place].states = run.taker->states();
    end(place);
}

void SnapshotRuns::onFailed(size_t place, const Error& error)
{
    Run& run = *m_runs[place];
    if (isFailover(m_taken[place].url, *run.taker, error) && run.failovers < mostFailovers) {
        ++run.failovers;
        run.taker->disconnect(this);
        QTimer::singleShot(0, this, [this, place] { // not from within the taker that is replaced
            m_makeTaker(place);
            m_runs[place]->taker->setPatient();
            m_runs[place]->taker->start();
        });
        return;
    }
    m_taken[place].error = error;
    end(place);
}

SnapshotRuns::~SnapshotRuns() = default;

void SnapshotRuns::start()
{
    m_underWay = m_runs.size();
    for (const std::unique_ptr<Run>& run : m_runs)
        QMetaObject::invokeMethod(run->taker.get(), &SnapshotTaker::start, Qt::QueuedConnection);
}

void SnapshotRuns::end(size_t run)
{
    m_runs[run]->taker->disconnect(this); // it ends once
    if (--m_underWay > 0)
        return;
    m_progress.end();
    emit finished();
}

// Shows the sum of all runs.
void SnapshotRuns::showProgress()
{
    qint64 scanned = 0;
    qint64 expected = 0;
    for (const std::unique_ptr<Run>& run : m_runs) {
        scanned += run->scanned;
        expected += run->expected;
    }
    m_progress.show(scanned, expected);
}

} // namespace lk
