// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/snapshot/snapshotcommand.h"

#include "app/cli/history/historycommand.h"
#include "app/process/output.h"
#include "backend/config/ownlayouts.h"
#include "backend/core/json/jsontext.h"
#include "backend/core/names/foreigntext.h"
#include "backend/report/snapshot/snapshotreport.h"
#include "backend/session/redlock/redlockreader.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::SnapshotCommand)
};

// In the place of what was read.
QByteArray failedJson(const TakenSnapshot& failed)
{
    JsonObject server;
    server.add("endpoint", failed.url.endpoint());
    JsonObject object;
    object.add("schema", qint64(2));
    object.addJson("server", server.text());
    object.add("error", errorText(failed.error));
    return object.text() + '\n';
}

} // namespace

Result<Config> loadConfigOf(const Invocation& invocation)
{
    if (const Result<void> added = addOwnLayouts(invocation.layoutsFolder); !added)
        return tl::unexpected<Error>(added.error());
    return loadConfigOrDefault(invocation.configFile);
}

int printSnapshots(const Invocation& invocation, const Config& config, Ages ages,
                   PackedStates::Order order, const SnapshotsPrinter& print, RedlockCheck* groups)
{
    const SystemClock clock;
    SnapshotRuns runs(invocation, config, clock, ages, order);
    int left = groups ? 2 : 1;
    const auto end = [&] {
        if (--left > 0)
            return;
        Output out;
        const int code = print(runs.taken(), out);
        QCoreApplication::exit(out.end(code));
    };
    QObject::connect(&runs, &SnapshotRuns::finished, qApp, end);
    if (groups) {
        QObject::connect(groups, &RedlockCheck::finished, qApp, end);
        QMetaObject::invokeMethod(
            groups, [groups] { groups->start(true); }, Qt::QueuedConnection);
    }
    runs.start();
    const int code = QCoreApplication::exec();
    const bool tunnels = std::any_of(invocation.urls.begin(), invocation.urls.end(),
                                     [](const ServerUrl& url) { return !url.sshJump.isEmpty(); });
    if (ages == Ages::Unknown && !groups && !tunnels) // else there are files and processes to end
        endAtOnce(code);
    return code;
}

int reportFailed(const std::vector<TakenSnapshot>& taken)
{
    int code = ExitDone;
    for (const TakenSnapshot& one : taken) {
        if (!one.snapshot)
            code = reportError(one.error, taken.size() > 1 ? one.url.endpoint() : QString());
    }
    return code;
}

int printEach(const std::vector<TakenSnapshot>& taken, Invocation::Format format, QIODevice& out,
              const SnapshotPrinter& print)
{
    int code = reportFailed(taken);
    if (taken.size() == 1)
        return taken.front().snapshot ? print(taken.front(), out) : code;
    const bool json = format == Invocation::Format::Json;
    if (json)
        out.write("{\"schema\":2,\n\"deployments\":[\n");
    bool first = true;
    for (const TakenSnapshot& one : taken) {
        if (!std::exchange(first, false))
            out.write(json ? ",\n" : "\n");
        if (!json)
            out.write("=== " + foreignText(one.url.endpoint()).toUtf8() + "\n\n");
        if (one.snapshot)
            code = std::max(code, print(one, out));
        else if (json)
            out.write(failedJson(one));
        else
            out.write(Text::tr("Not read: %1").arg(foreignText(errorText(one.error))).toUtf8() +
                      '\n');
    }
    if (json)
        out.write("]}\n");
    return code;
}

int runSnapshot(const Invocation& invocation)
{
    if (!invocation.at.isEmpty())
        return runRecordedSnapshot(invocation);
    const Result<Config> config = loadConfigOf(invocation);
    if (!config)
        return reportError(config.error());
    const bool json = invocation.format == Invocation::Format::Json;
    const auto order = json ? PackedStates::Order::Whole : PackedStates::Order::ByKind;
    const auto print = [&](const std::vector<TakenSnapshot>& taken, QIODevice& to) {
        return printEach(taken, invocation.format, to, [&](const TakenSnapshot& one, auto& out) {
            if (json)
                writeJson(*one.snapshot, *one.states, out, invocation.codes);
            else
                writeText(*one.snapshot, *one.states, out, invocation.codes);
            return int(ExitDone);
        });
    };
    return printSnapshots(invocation, *config, Ages::Unknown, order, print);
}

} // namespace lk
