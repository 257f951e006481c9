// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/snapshotcommand.h"

#include "app/process/output.h"
#include "backend/config/ownlayouts.h"
#include "backend/core/names/foreigntext.h"
#include "backend/polling/derived/firstseenstore.h"
#include "backend/session/snapshot/snapshotreport.h"
#include "backend/session/snapshot/snapshottaker.h"

#include <QCoreApplication>

namespace lk {

int printSnapshot(const Invocation& invocation, Ages ages, Jobs jobs, const SnapshotPrinter& print)
{
    if (const Result<void> added = addOwnLayouts(invocation.layoutsFolder); !added)
        return reportError(added.error());
    const Result<Config> loaded = loadConfigOrDefault(invocation.configFile);
    if (!loaded)
        return reportError(loaded.error());
    const Config& config = *loaded;
    const SystemClock clock;
    SnapshotTaker taker(invocation.url, config, clock);
    taker.setTimeout(invocation.timeoutMs);
    taker.setJobsListed(jobs == Jobs::Listed);
    FirstSeen firstSeen(config.check.thresholds.stuckAfterMs);
    FirstSeenStore store(firstSeenPath(), invocation.url.endpoint());
    if (ages == Ages::Kept) {
        QObject::connect(&store, &FirstSeenStore::failed, qApp,
                         [](const Error& error) { reportError(error); }); // a first snapshot, then
        QObject::connect(
            &store, &FirstSeenStore::loaded, qApp,
            [&](const std::vector<FirstSeenRecord>& seen) { firstSeen.restore(seen); });
        store.load();
        taker.setFirstSeen(&firstSeen);
    }
    QObject::connect(&taker, &SnapshotTaker::finished, qApp,
                     [&](const std::shared_ptr<const Snapshot>& snapshot) {
                         if (ages == Ages::Kept && firstSeen.takeChanged())
                             store.save(firstSeen.firstSeen());
                         Output out;
                         QCoreApplication::exit(out.end(print(*snapshot, out)));
                     });
    QObject::connect(&taker, &SnapshotTaker::failed, qApp,
                     [](const Error& error) { QCoreApplication::exit(reportError(error)); });
    QMetaObject::invokeMethod(&taker, &SnapshotTaker::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

int runSnapshot(const Invocation& invocation)
{
    const bool json = invocation.format == Invocation::Format::Json;
    const Jobs jobs = json ? Jobs::InProgress : Jobs::Listed;
    return printSnapshot(invocation, Ages::Unknown, jobs,
                         [&](const Snapshot& snapshot, QIODevice& out) {
                             if (json)
                                 writeJson(snapshot, out, invocation.codes);
                             else
                                 writeText(snapshot, out, invocation.codes);
                             return int(ExitDone);
                         });
}

} // namespace lk
