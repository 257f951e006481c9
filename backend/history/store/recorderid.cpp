// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/recorderid.h"

#include "backend/platform/process.h"

#include <QCoreApplication>
#include <QSysInfo>
#include <QUuid>

namespace lk {

namespace {

// Identifies the pid namespace: this machine or this container.
QByteArray placeOfPids()
{
    return QSysInfo::machineHostName().toUtf8().replace(':', '-') + '/' + pidNamespace();
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
           !isProcessAlive(parts[1].toLongLong());
}

} // namespace lk
