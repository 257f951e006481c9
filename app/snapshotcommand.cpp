// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/snapshotcommand.h"

#include "app/output.h"
#include "backend/core/foreigntext.h"
#include "backend/monitor/firstseenstore.h"
#include "backend/monitor/snapshotreport.h"
#include "backend/monitor/snapshottaker.h"

#include <QCoreApplication>

#include <cstdio>

namespace lk {

int reportError(const Error& error)
{
    const QString advice = errorAdvice(error);
    QString line = QStringLiteral("lockkeeper: ") + errorText(error);
    if (!advice.isEmpty())
        line += QStringLiteral(". ") + advice;
    line = foreignText(line.replace(QLatin1Char('\n'), QLatin1Char(' ')));
    std::fprintf(stderr, "%s\n", line.toUtf8().constData());
    return ExitNoWay;
}

int runLook(const Invocation& invocation, Ages ages, Jobs jobs, const SnapshotPrinter& print)
{
    const Result<Config> loaded = loadConfigOrDefault(invocation.configFile);
    if (!loaded)
        return reportError(loaded.error());
    const Config& config = *loaded;
    const SystemClock clock;
    SnapshotTaker taker(*invocation.url, config, clock);
    taker.setTimeout(invocation.timeoutMs);
    taker.setJobsListed(jobs == Jobs::Listed);
    FirstSeen sights(config.check.thresholds.stuckAfterMs);
    FirstSeenStore store(firstSeenPath(), invocation.url->endpoint());
    if (ages == Ages::Kept) {
        QObject::connect(&store, &FirstSeenStore::failed, qApp,
                         [](const Error& error) { reportError(error); }); // a first look, then
        QObject::connect(&store, &FirstSeenStore::loaded, qApp,
                         [&](const std::vector<FirstSight>& seen) { sights.restore(seen); });
        store.load();
        taker.setSights(&sights);
    }
    QObject::connect(&taker, &SnapshotTaker::finished, qApp,
                     [&](const std::shared_ptr<const Snapshot>& snapshot) {
                         if (ages == Ages::Kept && sights.takeChanged())
                             store.save(sights.sights());
                         Output out;
                         QCoreApplication::exit(out.end(print(*snapshot, out)));
                     });
    QObject::connect(&taker, &SnapshotTaker::failed, qApp, [](const Error& error) {
        QCoreApplication::exit(reportError(error));
    });
    QMetaObject::invokeMethod(&taker, &SnapshotTaker::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

int runSnapshot(const Invocation& invocation)
{
    const bool json = invocation.format == Invocation::Format::Json;
    const Jobs jobs = json ? Jobs::InProgress : Jobs::Listed;
    return runLook(invocation, Ages::Unknown, jobs, [&](const Snapshot& snapshot, QIODevice& out) {
        if (json)
            writeJson(snapshot, out, invocation.codes);
        else
            writeText(snapshot, out, invocation.codes);
        return int(ExitDone);
    });
}

} // namespace lk
