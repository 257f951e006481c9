// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/scantext.h"

#include "backend/text/time/duration.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ScanText)
};

} // namespace

QString scanningText(qint64 scanned, qint64 expected, qint64 elapsedMs)
{
    if (expected <= 0 || scanned <= 0)
        return Text::tr("scanning");
    // It may hold more than it said, and a name may come twice: never 100 before the end.
    const qint64 percent = std::min<qint64>(99, scanned * 100 / expected);
    const qint64 left = std::max<qint64>(0, expected - scanned);
    const qint64 leftMs = qint64(double(elapsedMs) * double(left) / double(scanned));
    constexpr qint64 shortMs = 1000; // below a second nobody reads it
    if (leftMs < shortMs)
        return Text::tr("scanning %1 %").arg(percent);
    return Text::tr("scanning %1 %, %2 left")
        .arg(percent)
        .arg(formatDuration(leftMs / 1000 * 1000));
}

} // namespace lk
