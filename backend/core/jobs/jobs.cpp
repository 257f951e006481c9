// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/jobs/jobs.h"

#include "backend/core/names/keyname.h"

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

QString jobStateTitle(const JobState& state)
{
    // The generic layouts' own words, and those that many libraries share.
    static const std::pair<const char*, QString (*)()> titles[] = {
        {"waiting", [] { return Text::tr("Waiting"); }},
        {"wait", [] { return Text::tr("Waiting"); }},
        {"in-progress", [] { return Text::tr("In progress"); }},
        {"active", [] { return Text::tr("Active"); }},
        {"delayed", [] { return Text::tr("Delayed"); }},
        {"scheduled", [] { return Text::tr("Scheduled"); }},
        {"dead-lettered", [] { return Text::tr("Dead-lettered"); }},
        {"dead", [] { return Text::tr("Dead"); }},
        {"failed", [] { return Text::tr("Failed"); }},
        {"completed", [] { return Text::tr("Completed"); }},
        {"paused", [] { return Text::tr("Paused"); }},
    };
    for (const auto& [name, title] : titles) {
        if (state.name == name)
            return title();
    }
    QString words = displayName(state.name);
    words.replace(QLatin1Char('-'), QLatin1Char(' '));
    return words.left(1).toUpper() + words.mid(1);
}

} // namespace lk
