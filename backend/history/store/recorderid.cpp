// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/recorderid.h"

#include <QCoreApplication>
#include <QFile>
#include <QSysInfo>
#include <QUuid>

#include <cerrno>
#include <csignal>

namespace lk {

namespace {

// Among which processes a pid means what it does here: this machine's, or this container's.
QByteArray placeOfPids()
{
    return QSysInfo::machineHostName().toUtf8().replace(':', '-') + '/' +
           QFile::symLinkTarget(QStringLiteral("/proc/self/ns/pid"))
               .section(QLatin1Char('['), 1)
               .chopped(1)
               .toLatin1();
}

} // namespace

QByteArray newRecorderId()
{
    return placeOfPids() + ':' + QByteArray::number(QCoreApplication::applicationPid()) + ':' +
           QUuid::createUuid().toString(QUuid::Id128).left(8).toLatin1();
}

bool isDeadRecorder(const QByteArray& recorder)
{
    const QByteArrayList parts = recorder.split(':');
    return parts.size() == 3 && parts[0] == placeOfPids() && parts[1].toLongLong() > 0 &&
           ::kill(pid_t(parts[1].toLongLong()), 0) != 0 && errno == ESRCH;
}

} // namespace lk
