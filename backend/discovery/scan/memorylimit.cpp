// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/memorylimit.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocale>

#include <unistd.h>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::MemoryLimit)
};

// Of this program; 0 where the system does not tell.
qint64 residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * qint64(::sysconf(_SC_PAGESIZE));
}

} // namespace

MemoryLimit MemoryLimit::ofMachine()
{
    const qint64 pages = ::sysconf(_SC_PHYS_PAGES);
    return MemoryLimit(pages > 0 ? pages / 2 * qint64(::sysconf(_SC_PAGESIZE)) : 0);
}

bool MemoryLimit::isReached() const
{
    return m_bytes > 0 && residentBytes() > m_bytes;
}

Missing MemoryLimit::reason() const
{
    Missing stopped;
    stopped.cause = Missing::Cause::Stopped;
    stopped.detail = Text::tr("the memory limit of %1 was reached")
                         .arg(QLocale().formattedDataSize(m_bytes, 1, QLocale::DataSizeSIFormat));
    return stopped;
}

} // namespace lk
