// SPDX-License-Identifier: GPL-3.0-or-later
// The possible loss in a crash, in words.
#include "backend/text/time/duration.h"
#include "widgets/server/serverfacts.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct DurabilityText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ServerFacts)
};

QString fsyncWords(const QString& policy)
{
    switch (fsyncPolicyOf(policy)) {
    case FsyncPolicy::Always:
        return DurabilityText::tr("every write is on disk before its reply");
    case FsyncPolicy::EverySecond:
        return DurabilityText::tr("a crash of the machine loses about one second");
    case FsyncPolicy::Never:
        return DurabilityText::tr(
            "the operating system decides when it reaches the disk, often after 30 "
            "seconds");
    case FsyncPolicy::Unknown:
        break;
    }
    return DurabilityText::tr("how often it reaches the disk is unknown: no permission");
}

// The possible loss in a crash now, which differs between nodes.
QString lossText(const Durability& durability)
{
    const QString since = durability.unsaved ? QLocale().toString(*durability.unsaved)
                                             : DurabilityText::tr("an unknown number of");
    return durability.snapshots
               ? DurabilityText::tr("A crash now would lose %1 changes.").arg(since)
               : DurabilityText::tr("Changes since the last snapshot: %1.").arg(since);
}

QString agoText(const Durability& durability, qint64 serverNowMs)
{
    return durability.lastSnapshotMs
               ? formatDuration(std::max<qint64>(0, serverNowMs - *durability.lastSnapshotMs))
               : DurabilityText::tr("an unknown time");
}

} // namespace

QString durabilityText(const Durability& durability, qint64 serverNowMs)
{
    if (!durability.appendOnly)
        return DurabilityText::tr("Unknown: this server does not report how it saves.");
    if (durability.diskError == DiskError::AppendOnlyFile)
        return DurabilityText::tr("Not durable: the append-only file cannot be written (%1).")
            .arg(durability.failure);
    if (*durability.appendOnly)
        return DurabilityText::tr("Durable: an append-only file is written; %1.")
            .arg(fsyncWords(durability.fsync));
    if (!durability.snapshots)
        return DurabilityText::tr(
                   "Unknown: no append-only file, and no permission for CONFIG GET, which "
                   "tells whether snapshots are on.") +
               QLatin1Char(' ') + lossText(durability);
    if (!*durability.snapshots)
        return DurabilityText::tr(
            "Not durable: snapshots and the append-only file are off. A restart "
            "loses every lock, queue and token.");
    if (durability.diskError == DiskError::Snapshot)
        return DurabilityText::tr("Not durable: only snapshots are on, and the last one failed.") +
               QLatin1Char(' ') + lossText(durability);
    return DurabilityText::tr("Partly durable: only snapshots are on, the last one %1 ago.")
               .arg(agoText(durability, serverNowMs)) +
           QLatin1Char(' ') + lossText(durability);
}

QString durabilityWord(const Durability& durability)
{
    if (!durability.appendOnly)
        return {};
    if (durability.diskError == DiskError::AppendOnlyFile)
        return DurabilityText::tr("AOF fails");
    if (*durability.appendOnly)
        return durability.fsync.isEmpty() ? DurabilityText::tr("AOF")
                                          : DurabilityText::tr("AOF, %1").arg(durability.fsync);
    if (durability.diskError == DiskError::Snapshot)
        return DurabilityText::tr("snapshot failed");
    if (!durability.snapshots)
        return DurabilityText::tr("no AOF");
    return *durability.snapshots ? DurabilityText::tr("snapshots") : DurabilityText::tr("nothing");
}

} // namespace lk
