// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/jobs.h"

#include <QCryptographicHash>
#include <QtEndian>

namespace lk {

namespace {

constexpr qsizetype previewBytes = 512;

} // namespace

quint64 fingerprintOf(const QByteArray& payload)
{
    const QByteArray hash = QCryptographicHash::hash(payload, QCryptographicHash::Sha1);
    return qFromLittleEndian<quint64>(hash.constData());
}

QByteArray jobRoleId(JobRole role)
{
    switch (role) {
    case JobRole::Ready:
        return QByteArrayLiteral("ready");
    case JobRole::Processing:
        return QByteArrayLiteral("processing");
    case JobRole::Delayed:
        return QByteArrayLiteral("delayed");
    case JobRole::Dead:
        return QByteArrayLiteral("dead");
    case JobRole::Done:
        return QByteArrayLiteral("done");
    case JobRole::Paused:
        break;
    }
    return QByteArrayLiteral("paused");
}

QueueJob queueJobOf(const QByteArray& payload, const QByteArray& key)
{
    return {payload.left(previewBytes), payload.size(), fingerprintOf(payload), std::nullopt, key};
}

QueueJob queueJobOf(const StoredJob& job)
{
    const QByteArray& identity = job.facts.id.isEmpty() ? job.payload : job.facts.id;
    return {job.payload.left(previewBytes),
            job.size.value_or(job.payload.size()),
            fingerprintOf(identity),
            std::nullopt,
            job.key,
            job.facts};
}

} // namespace lk
