// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/snapshotruns.h"

#include "app/process/exitcodes.h"
#include "backend/history/firstseenstore.h"
#include "backend/history/historypath.h"
#include "backend/polling/derived/firstseen.h"
#include "backend/session/snapshot/snapshottaker.h"

namespace lk {

struct SnapshotRuns::Run
{
    Run(const ServerUrl& url, const Config& config, const Clock& clock, SnapshotScope scope)
        : firstSeen(config.check.thresholds.stuckAfterMs)
        , store(historyPath(), url.endpoint())
        , taker(url, config, clock, std::move(scope))
    {}

    FirstSeen firstSeen;
    FirstSeenStore store;
    SnapshotTaker taker;
};

SnapshotRuns::SnapshotRuns(const Invocation& invocation, const Config& config, const Clock& clock,
                           Ages ages, Jobs jobs)
{
    SnapshotScope scope;
    scope.mostKeys = invocation.sampleKeys;
    scope.mostBytes = invocation.maxMemory;
    scope.pace = invocation.pace;
    m_taken.reserve(invocation.urls.size());
    for (const ServerUrl& url : invocation.urls) {
        const size_t place = m_taken.size();
        m_taken.push_back({url, nullptr});
        m_runs.push_back(std::make_unique<Run>(url, config, clock, scope));
        Run* run = m_runs.back().get();
        run->taker.setTimeout(invocation.timeoutMs);
        run->taker.setJobsListed(jobs == Jobs::Listed);
        run->taker.setPacked();
        if (ages == Ages::Kept) {
            const QString where = invocation.urls.size() > 1 ? url.endpoint() : QString();
            connect(&run->store, &FirstSeenStore::failed, this, [where](const Error& error) {
                reportError(error, where); // a first snapshot, then
            });
            connect(&run->store, &FirstSeenStore::loaded, this,
                    [run](const auto& seen) { run->firstSeen.restore(seen); });
            run->taker.setFirstSeen(&run->firstSeen);
        }
        const bool keeps = ages == Ages::Kept;
        connect(&run->taker, &SnapshotTaker::finished, this,
                [this, run, place, keeps](const std::shared_ptr<const Snapshot>& snapshot) {
                    if (keeps && run->firstSeen.takeChanged())
                        run->store.save(run->firstSeen.firstSeen());
                    m_taken[place].snapshot = snapshot;
                    m_taken[place].states = run->taker.states();
                    end(place);
                });
        connect(&run->taker, &SnapshotTaker::failed, this, [this, place](const Error& error) {
            m_taken[place].error = error;
            end(place);
        });
        if (keeps)
            run->store.load();
    }
}

SnapshotRuns::~SnapshotRuns() = default;

void SnapshotRuns::start()
{
    m_underWay = m_runs.size();
    for (const std::unique_ptr<Run>& run : m_runs)
        QMetaObject::invokeMethod(&run->taker, &SnapshotTaker::start, Qt::QueuedConnection);
}

void SnapshotRuns::end(size_t run)
{
    m_runs[run]->taker.disconnect(this); // it ends once
    if (--m_underWay == 0)
        emit finished();
}

} // namespace lk
