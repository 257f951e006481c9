// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/memorylimit.h"

#include "backend/platform/process.h"

#include <QCoreApplication>
#include <QLocale>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::MemoryLimit)
};

} // namespace

MemoryLimit MemoryLimit::ofMachine()
{
    return MemoryLimit(physicalBytes() / 2);
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
