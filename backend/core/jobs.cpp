// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/jobs.h"

#include "backend/core/keyname.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QtEndian>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Jobs)
};

constexpr qsizetype previewBytes = 512;

} // namespace

quint64 fingerprintOf(const QByteArray& payload)
{
    const QByteArray hash = QCryptographicHash::hash(payload, QCryptographicHash::Sha1);
    return qFromLittleEndian<quint64>(hash.constData());
}

QueueItem queueItemOf(const QByteArray& payload, const QByteArray& key)
{
    return {payload.left(previewBytes), payload.size(), fingerprintOf(payload), std::nullopt, key};
}

QString jobStateTitle(const JobState& state)
{
    if (state.role == "ready")
        return Text::tr("Waiting");
    if (state.role == "processing")
        return Text::tr("In progress");
    if (state.role == "delayed")
        return Text::tr("Delayed");
    if (state.role == "dead")
        return Text::tr("Dead-lettered");
    if (state.role == "done")
        return Text::tr("Done");
    if (state.role == "paused")
        return Text::tr("Paused");
    return displayName(state.name);
}

} // namespace lk
