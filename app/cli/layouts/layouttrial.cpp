// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/layouts/layouttrial.h"

#include "app/cli/snapshot/scanprogress.h"
#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/core/clock.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/families/files/fileclaims.h"
#include "backend/libraries/families/files/layoutfilereader.h"
#include "backend/libraries/families/files/processlayouts.h"
#include "backend/report/snapshot/snapshottaker.h"
#include "backend/text/statewords.h"

#include <QCoreApplication>
#include <QLocale>

#include <map>

namespace lk {

namespace {

struct LayoutTrialText
{
    Q_DECLARE_TR_FUNCTIONS(lk::LayoutTrial)
};

constexpr size_t mostShown = 20; // primitives, and keys for each reason

// Keys that are named as the file says and that it does not claim.
struct Missed
{
    qint64 keys = 0;
    std::vector<QByteArray> names; ///< the first ones
};
using MissedKeys = std::map<QString, Missed>; // by why

void addMissed(MissedKeys& missed, const QString& why, const QByteArray& name)
{
    Missed& known = missed[why];
    ++known.keys;
    if (known.names.size() < mostShown)
        known.names.push_back(name);
}

QString lineOf(const State& state)
{
    const Primitive& primitive = *state.primitive;
    QStringList keys;
    for (const KeyRole& key : primitive.keys)
        keys << QStringLiteral("%1=%2").arg(QString::fromLatin1(key.role),
                                            shownKey(primitive.kind, key.key));
    return QStringLiteral("  %1  %2  (%3)\n")
        .arg(shownName(primitive), stateWord(state), keys.join(QStringLiteral(", ")));
}

void print(Output& out, const Snapshot& snapshot, const QByteArray& layout,
           const MissedKeys& missed)
{
    const QLocale locale;
    size_t found = 0;
    for (const StatePtr& state : snapshot.states) {
        if (state->primitive->id.layout == layout && found++ < mostShown)
            out.print(lineOf(*state));
    }
    if (found > mostShown)
        out.print(LayoutTrialText::tr("  … and %1 more\n").arg(locale.toString(found - mostShown)));
    out.print(LayoutTrialText::tr("%Ln primitive(s) of the layout %1; %2 keys were read.\n",
                                  nullptr, int(found))
                  .arg(QString::fromLatin1(layout), locale.toString(snapshot.scan.scanned)));
    if (!snapshot.scan.complete)
        out.print(LayoutTrialText::tr("Not all keys were read.\n"));
    for (const auto& [why, keys] : missed) {
        out.print(LayoutTrialText::tr("\n%Ln key(s) named like that are not it: %1\n", nullptr,
                                      int(keys.keys))
                      .arg(why));
        for (const QByteArray& name : keys.names)
            out.print(QStringLiteral("  %1\n").arg(displayName(name)));
    }
}

} // namespace

int runLayoutTrial(const Invocation& invocation)
{
    const Result<LayoutFile> file = loadLayoutFile(invocation.tryLayout);
    if (!file)
        return reportError(file.error());
    const QByteArray id = file->id;
    const FileClaims claims(std::make_shared<const LayoutFile>(*file));
    if (const Result<void> added = addLayout(*file); !added)
        return reportError(added.error());
    const Layout& layout = *findLayout(id);
    MissedKeys missed;
    SnapshotScope scope;
    scope.wanted = [&](const QByteArray& name) { return claims.isNamed(name); };
    scope.probed = [&](const Probe& probe) {
        if (claims.isNamed(probe.name) && !layout.classify(probe))
            addMissed(missed, claims.whyNot(probe), redactedKey(layout.kind(), probe.name));
    };
    const SystemClock clock;
    const Config config;
    SnapshotTaker taker(invocation.url, config, clock, scope);
    taker.setTimeout(invocation.timeoutMs);
    ScanProgress progress;
    QObject::connect(&taker, &SnapshotTaker::progressed, qApp,
                     [&](qint64 scanned, qint64 expected) { progress.show(scanned, expected); });
    QObject::connect(&taker, &SnapshotTaker::failed, qApp, [&](const Error& error) {
        progress.end();
        QCoreApplication::exit(reportError(error));
    });
    QObject::connect(&taker, &SnapshotTaker::finished, qApp, [&](const auto& snapshot) {
        progress.end();
        Output out;
        print(out, *snapshot, id, missed);
        const bool any =
            std::any_of(snapshot->states.begin(), snapshot->states.end(),
                        [&](const StatePtr& s) { return s->primitive->id.layout == id; });
        QCoreApplication::exit(out.end(any ? ExitDone : ExitFound));
    });
    QMetaObject::invokeMethod(&taker, &SnapshotTaker::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

} // namespace lk
