// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/scantext.h"

#include "backend/text/time/duration.h"

#include <QCoreApplication>

#include <algorithm>
#include <climits>

namespace lk {

namespace {

struct ScanTextText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ScanText)
};

} // namespace

std::optional<int> scannedPercent(qint64 scanned, qint64 expected)
{
    if (expected <= 0)
        return std::nullopt;
    // The server may have more keys than it reported, and SCAN may repeat names: never 100.
    return int(std::clamp<qint64>(scanned * 100 / expected, 0, 99));
}

QString readSoFarText(qint64 scanned, qint64 expected)
{
    const std::optional<int> percent = scannedPercent(scanned, expected);
    return percent ? ScanTextText::tr("%1 % of the keys read").arg(*percent)
                   : ScanTextText::tr("%Ln key(s) read", nullptr,
                                      int(std::min<qint64>(scanned, INT_MAX)));
}

QString scanningText(qint64 scanned, qint64 expected, qint64 elapsedMs)
{
    const std::optional<int> percent = scannedPercent(scanned, expected);
    if (!percent || scanned <= 0)
        return ScanTextText::tr("scanning");
    const qint64 left = std::max<qint64>(0, expected - scanned);
    const qint64 leftMs = qint64(double(elapsedMs) * double(left) / double(scanned));
    constexpr qint64 shortMs = 1000; // too short to be shown
    if (leftMs < shortMs)
        return ScanTextText::tr("scanning %1 %").arg(*percent);
    return ScanTextText::tr("scanning %1 %, %2 left")
        .arg(*percent)
        .arg(formatDuration(leftMs / 1000 * 1000));
}

} // namespace lk
