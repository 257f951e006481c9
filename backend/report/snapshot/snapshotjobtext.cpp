// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/snapshotjobtext.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>
#include <QIODevice>
#include <QLocale>

namespace lk {

namespace {

struct SnapshotJobText
{
    Q_DECLARE_TR_FUNCTIONS(lk::SnapshotText)
};

} // namespace

void writeJobsText(QIODevice& out, const State& state, const QString& name)
{
    const auto* queue = state.as<QueueState>();
    if (!queue || queue->states.empty() || state.problem)
        return;
    QStringList counts;
    for (const JobState& s : queue->states)
        counts << QStringLiteral("%1 %2").arg(
            displayName(s.name), s.count ? QLocale().toString(*s.count) : QStringLiteral("\u2013"));
    const QString text =
        SnapshotJobText::tr("%1, jobs: %2").arg(name, counts.join(QStringLiteral(", ")));
    out.write(QByteArrayLiteral("    ") + text.toUtf8() + '\n');
}

} // namespace lk
